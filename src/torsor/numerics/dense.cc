#include "torsor/numerics/dense.h"

#include <Eigen/Dense>

namespace torsor {

using Eigen::MatrixXd;

namespace {
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
}

MatrixXd eigen(const Matrix& A) { return Eigen::Map<const RowMajor>(A.entries.data(), A.rows, A.columns); }

Matrix matrix(const MatrixXd& A) {
  Matrix result(static_cast<int>(A.rows()), static_cast<int>(A.cols()));
  Eigen::Map<RowMajor>(result.entries.data(), A.rows(), A.cols()) = A;
  return result;
}

Svd svd(const MatrixXd& A) {
  const Eigen::JacobiSVD<MatrixXd> found(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {found.matrixU(), found.singularValues(), found.matrixV()};
}

SymmetricEigen symmetric_eigen(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> found(A);
  return {found.eigenvalues(), found.eigenvectors()};
}

GeneralEigen general_eigen(const MatrixXd& A) {
  const Eigen::EigenSolver<MatrixXd> found(A);
  return {found.eigenvalues(), found.eigenvectors()};
}

template <int D>
PrincipalAxes<D> principal_axes(const Eigen::Matrix<double, D, D>& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, D, D>> found(symmetric);
  PrincipalAxes<D> axes{found.eigenvalues(), found.eigenvectors()};
  if (axes.vectors.determinant() < 0) axes.vectors.col(0) *= -1;
  return axes;
}
template PrincipalAxes<2> principal_axes(const Eigen::Matrix<double, 2, 2>&);
template PrincipalAxes<3> principal_axes(const Eigen::Matrix<double, 3, 3>&);

MatrixXd orthogonal_complement(const MatrixXd& A) {
  MatrixXd basis = MatrixXd::Identity(A.rows(), A.rows());
  if (A.cols() > 0) basis = A.householderQr().householderQ() * basis;
  return basis.rightCols(A.rows() - A.cols());
}

MatrixXd cholesky(const MatrixXd& A) { return A.llt().matrixL(); }

MatrixXd solve_lower(const MatrixXd& L, const MatrixXd& B) {
  return L.triangularView<Eigen::Lower>().solve(B);
}

MatrixXd solve_transposed(const MatrixXd& L, const MatrixXd& B) {
  return L.transpose().triangularView<Eigen::Upper>().solve(B);
}

MatrixXd product(const MatrixXd& A, const MatrixXd& B) { return A * B; }

}  // namespace torsor
