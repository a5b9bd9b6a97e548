#include "torsor/numerics/border_rank.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace torsor {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

RowMajor random_matrix(int rows, int columns, int seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  return RowMajor::NullaryExpr(rows, columns, [&] { return normal(random); });
}

std::span<const double> numbers(const RowMajor& A) { return {A.data(), static_cast<std::size_t>(A.size())}; }

/// -G G^T with rows of G of very different units, `rank` of them independent.
RowMajor deficient(int size, int rank, int seed) {
  RowMajor G = random_matrix(size, rank, seed) * random_matrix(rank, rank + 2, seed + 1);
  for (int i = 0; i < size; ++i) G.row(i) *= std::pow(10.0, i % 5 - 2);
  return -G * G.transpose();
}

TEST(BorderRank, CountsIndependentRowsWhateverTheirUnits) {
  for (int seed = 0; seed < 50; ++seed) {
    const int size = 12, rank = 1 + seed % 12;
    BorderRank border(size);
    border.decompose(numbers(deficient(size, rank, seed)), -1);
    EXPECT_EQ(border.rank(1e-10), rank);
    EXPECT_LT(border.relative_eigenvalue(rank), 1e-15);  // measured 2e-16
  }
}

TEST(BorderRank, BasisSolvesWithTheLeastScaledNorm) {
  const int size = 9, rank = 5;
  const RowMajor A = -deficient(size, rank, 4);
  const Eigen::VectorXd b = A * random_matrix(size, 1, 8);
  BorderRank border(size);
  border.decompose(numbers(A), 1);
  const Eigen::Map<const RowMajor> Q(border.basis(rank).data(), size, rank);
  const Eigen::VectorXd nu = Q * (Q.transpose() * A * Q).ldlt().solve(Q.transpose() * b);
  EXPECT_LT((A * nu - b).norm() / b.norm(), 1e-14);  // measured 3e-16

  const Eigen::VectorXd d = A.diagonal().cwiseSqrt();
  const RowMajor scaled = d.cwiseInverse().asDiagonal() * A * d.cwiseInverse().asDiagonal();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> least(scaled);
  least.setThreshold(1e-10);
  const Eigen::VectorXd expected = least.solve(b.cwiseQuotient(d)).cwiseQuotient(d);
  EXPECT_LT((nu - expected).cwiseProduct(d).norm() / expected.cwiseProduct(d).norm(),
            1e-14);  // measured 1e-15
}

TEST(BorderRank, RemovingTheNullPartLeavesWhatActs) {
  const int size = 9, rank = 5;
  const RowMajor A = -deficient(size, rank, 4);
  BorderRank border(size);
  border.decompose(numbers(A), 1);
  const Eigen::VectorXd nu = random_matrix(size, 1, 3);
  Eigen::VectorXd kept = nu;
  border.remove_null({kept.data(), static_cast<std::size_t>(size)}, rank);
  EXPECT_LT((A * (kept - nu)).norm() / (A * nu).norm(), 1e-14);  // measured 2e-16
  const Eigen::Map<const RowMajor> Q(border.basis(rank).data(), size, rank);
  const Eigen::VectorXd mu = Eigen::MatrixXd(Q).colPivHouseholderQr().solve(kept);
  EXPECT_LT((Q * mu - kept).norm() / kept.norm(), 1e-14);  // measured 2e-16
}

TEST(BorderRank, ARowThatActsOnNothingDoesNotCount) {
  RowMajor A = -deficient(4, 4, 2);
  for (double noise : {0.0, 1e-17, -1e-17}) {
    A.row(2).setZero();
    A.col(2).setZero();
    A(2, 2) = noise * A(0, 0);
    BorderRank border(4);
    border.decompose(numbers(A), 1);
    EXPECT_EQ(border.rank(1e-10), 3);
  }
  BorderRank border(4);
  border.decompose(numbers(RowMajor::Zero(4, 4)), 1);
  EXPECT_EQ(border.rank(1e-10), 0);
  BorderRank none(0);
  none.decompose({}, 1);
  EXPECT_EQ(none.rank(1e-10), 0);
}

}  // namespace
}  // namespace torsor
