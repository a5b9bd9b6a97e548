#include "torsor/numerics/dense.h"

#include <gtest/gtest.h>

#include <random>

#include "testing/random_models.h"

namespace torsor {
namespace {

using Eigen::MatrixXd;

MatrixXd random_matrix(int rows, int columns, std::mt19937& random) {
  const std::vector<double> entries = random_vector(rows * columns, random);
  return Eigen::Map<const MatrixXd>(entries.data(), rows, columns);
}

double off_identity(const MatrixXd& A) { return (A - MatrixXd::Identity(A.rows(), A.cols())).norm(); }

TEST(Dense, DecompositionsAreProductsAgain) {
  std::mt19937 random(3);
  for (int n = 2; n <= 6; ++n) {
    const MatrixXd A = random_matrix(n, n + 2, random), square = random_matrix(n, n, random);
    const Svd s = svd(A);
    const MatrixXd diagonal = s.values.asDiagonal();
    EXPECT_LE((s.U * diagonal * s.V.leftCols(n).transpose() - A).norm(), 1e-14 * A.norm());
    EXPECT_LE(off_identity(s.V.transpose() * s.V), 1e-14);

    const MatrixXd K = A * A.transpose();
    const SymmetricEigen e = symmetric_eigen(K);
    EXPECT_LE((product(K, e.vectors) - e.vectors * e.values.asDiagonal()).norm(), 1e-14 * K.norm());
    const MatrixXd L = cholesky(K);
    EXPECT_LE((L * L.transpose() - K).norm(), 1e-14 * K.norm());
    EXPECT_LE((L * solve_lower(L, square) - square).norm(), 1e-13 * square.norm());
    EXPECT_LE((L.transpose() * solve_transposed(L, square) - square).norm(), 1e-13 * square.norm());

    const GeneralEigen g = general_eigen(square);
    EXPECT_LE((square * g.vectors - g.vectors * g.values.asDiagonal()).norm(), 1e-13 * square.norm());

    const MatrixXd across = orthogonal_complement(A.transpose());
    EXPECT_EQ(across.cols(), 2);
    EXPECT_LE((A * across).norm(), 1e-14 * A.norm());
    EXPECT_LE(off_identity(across.transpose() * across), 1e-14);
    EXPECT_EQ(eigen(matrix(A)), A);
    EXPECT_EQ(matrix(A)(1, 2), A(1, 2));
  }
}

TEST(Dense, PrincipalAxesAreARightHandedSet) {
  std::mt19937 random(4);
  for (int i = 0; i < 20; ++i) {
    const MatrixXd root = random_matrix(3, 3, random);
    const Eigen::Matrix3d K = root * root.transpose();
    const PrincipalAxes<3> axes = principal_axes<3>(K);
    const auto& a = axes.vectors;
    EXPECT_LE((K * a - a * axes.values.asDiagonal()).norm(), 1e-14 * K.norm());
    const double volume = a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) -
                          a(0, 1) * (a(1, 0) * a(2, 2) - a(1, 2) * a(2, 0)) +
                          a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
    EXPECT_NEAR(volume, 1, 1e-14);
  }
}

}  // namespace
}  // namespace torsor
