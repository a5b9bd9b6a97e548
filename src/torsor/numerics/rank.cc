#include "torsor/numerics/rank.h"

#include <Eigen/QR>

#include "torsor/numerics/sparse_rows.h"

namespace torsor {
namespace {

using RankRevealed = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;

RankRevealed decompose(const Eigen::MatrixXd& A) {
  RankRevealed decomposition;
  decomposition.setThreshold(kRankTolerance);
  decomposition.compute(A);
  return decomposition;
}

}  // namespace

int rank(const Eigen::MatrixXd& A) {
  if (A.isZero(0)) return 0;
  return is_large_and_sparse(A) ? sparse_rank(A, kRankTolerance) : static_cast<int>(decompose(A).rank());
}

Eigen::MatrixXd least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  // Eigen's solve does not take a right side without columns.
  if (A.isZero(0) || B.cols() == 0) return Eigen::MatrixXd::Zero(A.cols(), B.cols());
  return is_large_and_sparse(A) ? sparse_least(A, B, kRankTolerance) : Eigen::MatrixXd(decompose(A).solve(B));
}

Eigen::MatrixXd null_space(const Eigen::MatrixXd& A) {
  if (A.isZero(0)) return Eigen::MatrixXd::Identity(A.cols(), A.cols());
  if (is_large_and_sparse(A)) return sparse_null_space(A, kRankTolerance);
  const RankRevealed decomposition = decompose(A);
  const Eigen::MatrixXd Z = decomposition.matrixZ().transpose();
  return decomposition.colsPermutation() * Z.rightCols(A.cols() - decomposition.rank());
}

}  // namespace torsor
