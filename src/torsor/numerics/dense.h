#pragma once
// Decompositions and products of dense matrices, for start-up and checks, not for steps. Compiled once: each
// of Eigen's costs seconds in every file that has one.

#include <Eigen/Core>

#include "torsor/numerics/matrix.h"

namespace torsor {

Eigen::MatrixXd eigen(const Matrix& A);
Matrix matrix(const Eigen::MatrixXd& A);

/// A = U diag(values) V^T, U and V square, values decreasing.
struct Svd {
  Eigen::MatrixXd U;
  Eigen::VectorXd values;
  Eigen::MatrixXd V;
};
Svd svd(const Eigen::MatrixXd& A);

/// Values increasing, vectors orthonormal columns.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);

/// Values and unit vectors as columns, in no order.
struct GeneralEigen {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
GeneralEigen general_eigen(const Eigen::MatrixXd& A);

/// For sizes 2 and 3. Values increasing, vectors a right-handed set of columns.
template <int D>
struct PrincipalAxes {
  Eigen::Matrix<double, D, 1> values;
  Eigen::Matrix<double, D, D> vectors;
};
template <int D>
PrincipalAxes<D> principal_axes(const Eigen::Matrix<double, D, D>& symmetric);

/// Orthonormal columns, orthogonal to those of A, which are independent.
Eigen::MatrixXd orthogonal_complement(const Eigen::MatrixXd& A);

/// The lower triangle L with L L^T = A, which is positive.
Eigen::MatrixXd cholesky(const Eigen::MatrixXd& A);
Eigen::MatrixXd solve_lower(const Eigen::MatrixXd& L, const Eigen::MatrixXd& B);       ///< L^-1 B
Eigen::MatrixXd solve_transposed(const Eigen::MatrixXd& L, const Eigen::MatrixXd& B);  ///< L^-T B

Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

}  // namespace torsor
