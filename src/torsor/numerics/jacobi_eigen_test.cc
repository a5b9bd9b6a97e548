#include "torsor/numerics/jacobi_eigen.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace torsor {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

TEST(JacobiEigen, DiagonalisesAsTheTridiagonalFormDoes) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int n : {1, 2, 3, 10, 40}) {
    const RowMajor G = RowMajor::NullaryExpr(n, n, [&] { return normal(random); }), A = G + G.transpose();
    RowMajor D = A, V(n, n);
    jacobi_eigen(n, {D.data(), static_cast<std::size_t>(n * n)}, {V.data(), static_cast<std::size_t>(n * n)});
    EXPECT_LT((V * V.transpose() - RowMajor::Identity(n, n)).norm(), 1e-13);  // measured 4e-14
    EXPECT_LT((V * A * V.transpose() - D).norm() / A.norm(), 1e-14);          // measured 2e-15
    Eigen::VectorXd mine = D.diagonal();
    std::sort(mine.begin(), mine.end());
    const Eigen::VectorXd theirs = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A).eigenvalues();
    EXPECT_LT((mine - theirs).norm() / A.norm(), 2e-14);  // measured 5e-15
  }
}

}  // namespace
}  // namespace torsor
