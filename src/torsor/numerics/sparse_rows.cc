#include "torsor/numerics/sparse_rows.h"

#include <Eigen/SparseCore>
#include <Eigen/SparseQR>

namespace torsor {
namespace {

constexpr double kFilled = 0.1;  ///< share of entries that are not zero

using Sparse = Eigen::SparseMatrix<double>;
template <class Ordering>
struct Decomposition {
  Decomposition(const Eigen::MatrixXd& A, double tolerance) {
    Sparse transposed = A.transpose().sparseView();
    transposed.makeCompressed();
    qr.setPivotThreshold(tolerance * A.rowwise().norm().maxCoeff());
    qr.compute(transposed);
  }
  Eigen::SparseQR<Sparse, Ordering> qr;
};
using Quick = Decomposition<Eigen::COLAMDOrdering<int>>;
using InOrder = Decomposition<Eigen::NaturalOrdering<int>>;

}  // namespace

bool is_large_and_sparse(const Eigen::MatrixXd& A) {
  if (A.size() < kLargeMatrix || !A.allFinite()) return false;
  const auto filled = (A.array() != 0).count();
  return filled > 0 && static_cast<double>(filled) < kFilled * static_cast<double>(A.size());
}

int sparse_rank(const Eigen::MatrixXd& A, double tolerance) {
  return static_cast<int>(Quick(A, tolerance).qr.rank());
}

Eigen::MatrixXd sparse_least(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, double tolerance) {
  const Quick decomposition(A, tolerance);
  const auto& qr = decomposition.qr;
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
  const Quick decomposition(A, tolerance);
  const Eigen::Index r = decomposition.qr.rank(), n = A.cols();
  Eigen::MatrixXd last = Eigen::MatrixXd::Zero(n, n - r);
  last.bottomRows(n - r).setIdentity();
  return decomposition.qr.matrixQ() * last;
}

std::vector<DependentRow> dependent_rows(const Eigen::MatrixXd& A, double tolerance) {
  const InOrder decomposition(A, tolerance);
  const auto& qr = decomposition.qr;
  const Eigen::Index r = qr.rank(), n = A.rows();
  const Sparse R = qr.matrixR().topLeftCorner(r, r), all = qr.matrixR().topRows(r);
  const Eigen::PermutationMatrix<Eigen::Dynamic> back = qr.colsPermutation().inverse();
  const Eigen::VectorXi& place = back.indices();  // of a row of A among the columns of R
  std::vector<DependentRow> found;
  for (Eigen::Index row = 0; row < n; ++row) {
    if (place[row] < r) continue;
    Eigen::VectorXd factors = all.col(place[row]);
    R.triangularView<Eigen::Upper>().solveInPlace(factors);
    DependentRow& dependent = found.emplace_back(DependentRow{row, Eigen::VectorXd::Zero(n)});
    for (Eigen::Index i = 0; i < n; ++i) {
      if (place[i] < r) dependent.factors[i] = -factors[place[i]];
    }
    dependent.factors[row] = 1;
  }
  return found;
}

}  // namespace torsor
