#include "torsor/numerics/border_rank.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>
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

/// Of rows of a border, very different.
std::vector<double> units(int size) {
  std::vector<double> all;
  for (int i = 0; i < size; ++i) all.push_back(std::pow(10.0, i % 5 - 2));
  return all;
}

/// -G G^T with rows of G in those units, `rank` of them independent.
RowMajor deficient(int size, int rank, int seed) {
  RowMajor G = random_matrix(size, rank, seed) * random_matrix(rank, rank + 2, seed + 1);
  for (int i = 0; i < size; ++i) G.row(i) *= units(size)[i];
  return -G * G.transpose();
}

TEST(BorderRank, CountsIndependentRowsWhateverTheirUnits) {
  for (int seed = 0; seed < 50; ++seed) {
    const int size = 12, rank = 1 + seed % 12;
    BorderRank border(units(size));
    border.decompose(numbers(deficient(size, rank, seed)), -1);
    EXPECT_EQ(border.rank(1e-10), rank);
    EXPECT_LT(border.relative_eigenvalue(rank), 1e-15);  // measured 2e-16
  }
}

TEST(BorderRank, BasisSolvesWithTheLeastScaledNorm) {
  const int size = 9, rank = 5;
  const RowMajor A = -deficient(size, rank, 4);
  const Eigen::VectorXd b = A * random_matrix(size, 1, 8);
  BorderRank border(units(size));
  border.decompose(numbers(A), 1);
  const Eigen::Map<const RowMajor> Q(border.basis(rank).data(), size, rank);
  const Eigen::VectorXd nu = Q * (Q.transpose() * A * Q).ldlt().solve(Q.transpose() * b);
  EXPECT_LT((A * nu - b).norm() / b.norm(), 1e-14);  // measured 3e-16

  const std::vector<double> D = units(size);
  const Eigen::Map<const Eigen::VectorXd> d(D.data(), size);
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
  BorderRank border(units(size));
  border.decompose(numbers(A), 1);
  const Eigen::VectorXd nu = random_matrix(size, 1, 3);
  Eigen::VectorXd kept = nu;
  border.remove_null({kept.data(), static_cast<std::size_t>(size)}, rank);
  EXPECT_LT((A * (kept - nu)).norm() / (A * nu).norm(), 1e-14);  // measured 2e-16
  const Eigen::Map<const RowMajor> Q(border.basis(rank).data(), size, rank);
  const Eigen::VectorXd mu = Eigen::MatrixXd(Q).colPivHouseholderQr().solve(kept);
  EXPECT_LT((Q * mu - kept).norm() / kept.norm(), 1e-14);  // measured 2e-16
}

TEST(BorderRank, ARowThatIsNearlyRedundantByItselfDoesNotLoseDigits) {
  // Two rows of one condition, seen under an angle: of the second, all but a billionth says the first.
  for (const double tilt : {1e-3, 1e-6, 1e-9}) {
    const Eigen::Vector2d along(std::cos(tilt), std::sin(tilt));
    RowMajor A = along * along.transpose();
    A(1, 1) += 1e-16;  // rounding
    BorderRank border({1, 1});
    border.decompose(numbers(A), 1);
    const std::span<const double> Q = border.basis(1);
    EXPECT_LT(std::abs(Q[0] * along[1] - Q[1] * along[0]), 1e-15);  // measured 1e-16
  }
}

TEST(BorderRank, ARowThatActsOnNothingDoesNotCount) {
  RowMajor A = -deficient(4, 4, 2);
  for (double noise : {0.0, 1e-17, -1e-17}) {
    A.row(2).setZero();
    A.col(2).setZero();
    A(2, 2) = noise * A(0, 0);
    BorderRank border(units(4));
    border.decompose(numbers(A), 1);
    EXPECT_EQ(border.rank(1e-10), 3);
  }
  BorderRank border(units(4));
  border.decompose(numbers(RowMajor::Zero(4, 4)), 1);
  EXPECT_EQ(border.rank(1e-10), 0);
  for (int i = 0; i < 16; ++i) {
    RowMajor poisoned = -deficient(4, 4, 2);
    poisoned.data()[i] = std::numeric_limits<double>::quiet_NaN();
    border.decompose(numbers(poisoned), 1);
    EXPECT_EQ(border.rank(1e-10), 0);
  }
  BorderRank none({});
  none.decompose({}, 1);
  EXPECT_EQ(none.rank(1e-10), 0);
}

}  // namespace
}  // namespace torsor
