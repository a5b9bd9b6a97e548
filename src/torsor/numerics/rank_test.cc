#include "torsor/numerics/rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace torsor {
namespace {

/// rows x columns of this rank.
Eigen::MatrixXd some_matrix(int rows, int columns, int rank, unsigned seed) {
  std::srand(seed);
  return Eigen::MatrixXd::Random(rows, rank) * Eigen::MatrixXd::Random(rank, columns);
}

TEST(Rank, RankAndNullSpaceFillTheColumns) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const int rows = 1 + seed % 7, columns = 1 + seed % 5, r = seed % (1 + std::min(rows, columns));
    const Eigen::MatrixXd A = some_matrix(rows, columns, r, seed), Z = null_space(A);
    EXPECT_EQ(rank(A), r);
    EXPECT_EQ(Z.cols(), columns - r);
    EXPECT_LT((A * Z).norm(), 1e-14);  // measured 3e-16
    EXPECT_LT((Z.transpose() * Z - Eigen::MatrixXd::Identity(columns - r, columns - r)).norm(),
              1e-14);  // measured 3e-16
  }
}

TEST(Rank, LeastSquaresIsTheShortestOfTheBest) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const int rows = 1 + seed % 7, columns = 1 + seed % 5, r = seed % (1 + std::min(rows, columns));
    const Eigen::MatrixXd A = some_matrix(rows, columns, r, seed);
    const Eigen::VectorXd b = Eigen::VectorXd::Random(rows), x = least_squares(A, b);
    EXPECT_LT((A.transpose() * (A * x - b)).norm(), 1e-13);    // measured 1e-14
    EXPECT_LT((null_space(A).transpose() * x).norm(), 1e-13);  // measured 5e-15
  }
}

}  // namespace
}  // namespace torsor
