#pragma once
// Linear equations of any shape and rank, dense: for start-up and checks, not for steps.

#include <Eigen/QR>

namespace torsor {

/// Below this share of the largest, a pivot counts as zero. Far above what rounding leaves of rows that
/// repeat others (1e-15), far below what independent conditions show.
inline constexpr double kRankTolerance = 1e-9;

using RankRevealed = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;

inline RankRevealed decompose(const Eigen::MatrixXd& A) {
  RankRevealed decomposition;
  decomposition.setThreshold(kRankTolerance);
  decomposition.compute(A);
  return decomposition;
}

inline int rank(const Eigen::MatrixXd& A) { return A.isZero(0) ? 0 : static_cast<int>(decompose(A).rank()); }

/// The shortest x that minimises |A x - b|.
inline Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  if (A.isZero(0)) return Eigen::VectorXd::Zero(A.cols());
  return decompose(A).solve(b);
}

/// Orthonormal columns that span { x : A x = 0 }.
inline Eigen::MatrixXd null_space(const Eigen::MatrixXd& A) {
  if (A.isZero(0)) return Eigen::MatrixXd::Identity(A.cols(), A.cols());
  const RankRevealed decomposition = decompose(A);
  const Eigen::MatrixXd Z = decomposition.matrixZ().transpose();
  return decomposition.colsPermutation() * Z.rightCols(A.cols() - decomposition.rank());
}

}  // namespace torsor
