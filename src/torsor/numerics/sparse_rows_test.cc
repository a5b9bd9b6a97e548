#include "torsor/numerics/sparse_rows.h"

#include <gtest/gtest.h>

#include <random>

#include "torsor/numerics/rank.h"

namespace torsor {
namespace {

/// Rows of four numbers each, every tenth a sum of two above it.
Eigen::MatrixXd some_rows(int rows, int columns, int seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> column(0, columns - 1);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows, columns);
  for (int i = 0; i < rows; ++i) {
    if (i % 10 == 9) {
      A.row(i) = 2 * A.row(i - 3) - A.row(i - 7);
      continue;
    }
    for (int k = 0; k < 4; ++k) A(i, column(random)) += normal(random);
  }
  return A;
}

TEST(SparseRows, AgreeWithTheDenseDecomposition) {
  const Eigen::MatrixXd A = some_rows(300, 400, 1);
  ASSERT_TRUE(is_large_and_sparse(A));
  EXPECT_EQ(sparse_rank(A, kRankTolerance), 270);
  const Eigen::MatrixXd Z = sparse_null_space(A, kRankTolerance);
  EXPECT_EQ(Z.cols(), 130);
  EXPECT_LE((A * Z).norm(), 1e-12);  // measured 2.4e-14
  EXPECT_LE((Z.transpose() * Z - Eigen::MatrixXd::Identity(130, 130)).norm(), 1e-12);
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(400, -1, 1), b = A * x;
  const Eigen::VectorXd least = sparse_least(A, b, kRankTolerance);
  EXPECT_LE((A * least - b).norm(), 1e-11);          // measured 2.2e-14
  EXPECT_LE((Z.transpose() * least).norm(), 1e-11);  // the shortest: no part in the null space
}

TEST(SparseRows, DependentRowsAreNamedWithTheirFactors) {
  const Eigen::MatrixXd A = some_rows(300, 400, 2);
  const std::vector<DependentRow> found = dependent_rows(A, kRankTolerance);
  ASSERT_EQ(found.size(), 30u);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].row, static_cast<Eigen::Index>(10 * i + 9));
    EXPECT_LE((found[i].factors.transpose() * A).norm(), 1e-11);  // measured 9e-15
    EXPECT_TRUE(found[i].factors.tail(300 - found[i].row - 1).isZero(0));
  }
}

TEST(SparseRows, SmallOrFullMatricesAreNotTheirBusiness) {
  EXPECT_FALSE(is_large_and_sparse(some_rows(30, 40, 1)));
  EXPECT_FALSE(is_large_and_sparse(Eigen::MatrixXd::Ones(400, 400)));
}

}  // namespace
}  // namespace torsor
