#pragma once
// Which rows of a large sparse matrix follow from rows above them, and how.

#include <Eigen/SparseCore>
#include <optional>
#include <utility>
#include <vector>

namespace torsor {

using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// f^T A = 0 for factors f of the row and of rows above it: the least ones where there are several, scaled so that all
/// of them together have unit length.
struct RowDependence {
  int row = 0;
  std::vector<std::pair<int, double>> factors;  ///< rows and their factors; those that vanish are left out
};

/// By Sylvester's law of inertia the leading k pivots of A A^T - zero I tell how many eigenvalues of the products of the
/// first k rows lie below `zero`: a row whose pivot is negative adds one of them. A dependent row is coupled to no row
/// below it, so that its pivot, as small as it is, spoils none. Ascending; none where a pivot vanishes or where a
/// row that was found does not follow from those above it after all. Rows are to be of about unit length.
std::optional<std::vector<RowDependence>> row_dependences(const SparseRows& A, double zero);

}  // namespace torsor
