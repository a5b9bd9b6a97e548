#include "torsor/numerics/sparse_rows.h"

#include <Eigen/SparseCore>
#include <Eigen/SparseQR>

namespace torsor {
namespace {

constexpr double kLarge = 1e5;   ///< entries
constexpr double kFilled = 0.1;  ///< share of entries that are not zero

using Sparse = Eigen::SparseMatrix<double>;
using Qr = Eigen::SparseQR<Sparse, Eigen::COLAMDOrdering<int>>;

struct Decomposition {
  Decomposition(const Eigen::MatrixXd& A, double tolerance) {
    Sparse transposed = A.transpose().sparseView();
    transposed.makeCompressed();
    qr.setPivotThreshold(tolerance * A.rowwise().norm().maxCoeff());
    qr.compute(transposed);
  }
  Qr qr;
};

}  // namespace

bool is_large_and_sparse(const Eigen::MatrixXd& A) {
  if (static_cast<double>(A.size()) < kLarge || !A.allFinite()) return false;
  const auto filled = (A.array() != 0).count();
  return filled > 0 && static_cast<double>(filled) < kFilled * static_cast<double>(A.size());
}

int sparse_rank(const Eigen::MatrixXd& A, double tolerance) {
  return static_cast<int>(Decomposition(A, tolerance).qr.rank());
}

Eigen::MatrixXd sparse_least(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, double tolerance) {
  const Decomposition decomposition(A, tolerance);
  const Qr& qr = decomposition.qr;
  const Eigen::Index r = qr.rank();
  const Sparse R = qr.matrixR().topLeftCorner(r, r);
  Eigen::MatrixXd y = Eigen::MatrixXd::Zero(A.cols(), B.cols());
  y.topRows(r) = (qr.colsPermutation().transpose() * B).topRows(r);
  Eigen::MatrixXd solved = y.topRows(r);
  R.transpose().triangularView<Eigen::Lower>().solveInPlace(solved);
  y.topRows(r) = solved;
  return qr.matrixQ() * y;
}

Eigen::MatrixXd sparse_null_space(const Eigen::MatrixXd& A, double tolerance) {
  const Decomposition decomposition(A, tolerance);
  const Eigen::Index r = decomposition.qr.rank(), n = A.cols();
  Eigen::MatrixXd last = Eigen::MatrixXd::Zero(n, n - r);
  last.bottomRows(n - r).setIdentity();
  return decomposition.qr.matrixQ() * last;
}

}  // namespace torsor
