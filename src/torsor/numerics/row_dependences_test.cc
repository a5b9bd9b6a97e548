#include "torsor/numerics/row_dependences.h"

#include <gtest/gtest.h>

#include <random>

#include "torsor/numerics/rank.h"

namespace torsor {
namespace {

/// Rows of four numbers each, every tenth a combination of two above it, every thirtieth of three that depend on others.
Eigen::MatrixXd some_rows(int rows, int columns, int seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> column(0, columns - 1);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows, columns);
  for (int i = 0; i < rows; ++i) {
    if (i % 30 == 29) {
      A.row(i) = 0.5 * A.row(i - 10) - 0.4 * A.row(i - 20) + 0.2 * A.row(i - 1);
    } else if (i % 10 == 9) {
      A.row(i) = 0.7 * A.row(i - 3) - 0.3 * A.row(i - 7);
    } else {
      for (int k = 0; k < 4; ++k) A(i, column(random)) += 0.5 * normal(random);
    }
  }
  return A;
}

TEST(RowDependences, AreFoundWithTheirLeastFactors) {
  const Eigen::MatrixXd A = some_rows(300, 400, 2);
  const auto found = row_dependences(SparseRows(A.sparseView()), 1e-14);
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->size(), 30u);
  for (std::size_t i = 0; i < found->size(); ++i) {
    const auto& [row, factors] = (*found)[i];
    ASSERT_EQ(row, static_cast<int>(10 * i + 9));
    Eigen::VectorXd f = Eigen::VectorXd::Zero(300);
    for (const auto& [other, factor] : factors) f[other] = factor;
    EXPECT_NEAR(f.norm(), 1, 1e-12);               // measured 3e-16
    EXPECT_LE((f.transpose() * A).norm(), 1e-12);  // measured 4e-14
    EXPECT_TRUE(f.tail(300 - row - 1).isZero(0));
    const Eigen::VectorXd least = least_squares(A.topRows(row).transpose(), A.row(row).transpose());
    EXPECT_LE(f.head(row).norm() / f[row], (1 + 1e-9) * least.norm());  // measured 4e-15
  }
}

TEST(RowDependences, IndependentRowsHaveNone) {
  const auto found = row_dependences(SparseRows(some_rows(9, 40, 3).sparseView()), 1e-14);
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->empty());
}

}  // namespace
}  // namespace torsor
