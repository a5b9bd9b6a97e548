#pragma once
// Which rows of a border are independent of the rest, judged by its Schur complement. Let A = +-S, positive
// semidefinite up to rounding (its symmetric part is taken), and D the units of its rows, so that rows of
// lengths and of angles compare:
//
//   D^-1 A D^-1 = V Lambda V^T,  lambda_0 >= lambda_1 >= ...                                              (1)
//
// If the first r eigenvalues are kept, nu = Q mu with Q = D^-1 V_r holds, of all nu that act alike, the one
// for which |D nu| is least, for D nu is normal to the null space of (1). Q is what TreeKkt::set_border_basis
// takes. D must not follow the diagonal of A: a row that says next to nothing of its own, though the rows
// beside it do, would be blown up with its rounding.

#include <span>
#include <vector>

namespace torsor {

class BorderRank {
 public:
  /// D, one entry a row, all above 0.
  explicit BorderRank(std::vector<double> units);

  /// Of a matrix that is not finite, nothing is independent.
  void decompose(std::span<const double> schur, double sign);

  /// Eigenvalues above `threshold` times the largest; 0 if all vanish.
  int rank(double threshold) const;
  /// lambda_k / lambda_0; with rank r, the smallest kept is that of r - 1, the largest dropped that of r. 0
  /// for k beyond the size, or if all vanish.
  double relative_eigenvalue(int k) const;
  /// Q, row-major with `rank` columns; valid until the next call.
  std::span<const double> basis(int rank);
  /// Takes out of nu what acts on nothing if the first `rank` eigenvalues are kept: nu becomes the nearest
  /// Q mu in |D nu|.
  void remove_null(std::span<double> nu, int rank) const;

 private:
  int size_;
  std::vector<double> scaled_, vectors_;  ///< D^-1 A D^-1 until diagonal; V^T
  std::vector<double> unit_, basis_;
  std::vector<int> descending_;
};

}  // namespace torsor
