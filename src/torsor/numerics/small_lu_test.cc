#include "torsor/numerics/small_lu.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace torsor {
namespace {

/// S rows of a square block and a register of further columns.
template <int S, int V>
struct Rows {
  static constexpr int kBlock = (S + V - 1) / V * V, kStride = kBlock + V;
  alignas(64) double numbers[S * kStride] = {};
  Eigen::MatrixXd A{S, S}, B{S, V};

  explicit Rows(int seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    for (int i = 0; i < S; ++i) {
      for (int j = 0; j < S; ++j) numbers[i * kStride + j] = A(i, j) = normal(random);
      for (int j = 0; j < V; ++j) numbers[i * kStride + kBlock + j] = B(i, j) = normal(random);
    }
  }
};

template <int S, int V>
void expect_solution() {
  for (int seed = 0; seed < 20; ++seed) {
    Rows<S, V> rows(seed);
    constexpr int kStride = Rows<S, V>::kStride;
    int order[S];
    ASSERT_TRUE((factorise_rows<S, V>(rows.numbers, kStride, order)));
    Lanes<V> trailing[S];
    double column[S];
    for (int i = 0; i < S; ++i) {
      trailing[i] = load_lanes<V>(rows.numbers + i * kStride + rows.kBlock);
      column[i] = rows.B(order[i], 0);
    }
    substitute_backward<S>(rows.numbers, kStride, trailing);
    substitute_forward<S>(rows.numbers, kStride, column);
    substitute_backward<S>(rows.numbers, kStride, column);
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(rows.A);
    const Eigen::MatrixXd X = lu.solve(rows.B);
    const double tolerance = 1e-15 / lu.rcond();  // measured 3e-17
    for (int i = 0; i < S; ++i) {
      for (int j = 0; j < V; ++j) EXPECT_NEAR(trailing[i][j], X(i, j), tolerance * X.norm());
      EXPECT_NEAR(column[i], X(i, 0), tolerance * X.norm());
    }
  }
}

TEST(SmallLu, SolvesForColumnsThatGoAlongAndForOnesThatComeLater) {
  expect_solution<3, 4>();
  expect_solution<4, 4>();
  expect_solution<6, 4>();
  expect_solution<6, 8>();
  expect_solution<9, 8>();
  expect_solution<12, 8>();
}

TEST(SmallLu, RefusesAZeroPivotAndWhatIsNotFinite) {
  int order[3];
  for (double entry :
       {0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Rows<3, 4> rows(1);
    for (int i = 0; i < 3; ++i) rows.numbers[i * rows.kStride + 1] = entry;
    EXPECT_FALSE((factorise_rows<3, 4>(rows.numbers, rows.kStride, order)));
  }
}

}  // namespace
}  // namespace torsor
