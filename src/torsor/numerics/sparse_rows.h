#pragma once

#include <Eigen/Core>
#include <vector>

namespace torsor {

inline constexpr int kLargeMatrix = 100000;  ///< entries

/// Whether a matrix is so large and so empty that what follows is the quicker way.
bool is_large_and_sparse(const Eigen::MatrixXd& A);

// Of a large matrix with few entries, by a sparse QR decomposition of its transpose: A = P R^T Q^T. Rows are
// judged one after the other, as columns of Q R; `tolerance` is of the longest row.
int sparse_rank(const Eigen::MatrixXd& A, double tolerance);
/// The shortest x for which the independent rows of A x = B hold; all rows hold if any x does that.
Eigen::MatrixXd sparse_least(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, double tolerance);
/// Orthonormal columns.
Eigen::MatrixXd sparse_null_space(const Eigen::MatrixXd& A, double tolerance);
/// Every row that depends on rows above it, ascending, and factors f with f^T A = 0: 1 for the row itself,
/// others for independent rows above it.
struct DependentRow {
  Eigen::Index row;
  Eigen::VectorXd factors;
};
std::vector<DependentRow> dependent_rows(const Eigen::MatrixXd& A, double tolerance);

}  // namespace torsor
