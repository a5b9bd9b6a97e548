#include "torsor/numerics/gauss_tableau.h"

#include <gtest/gtest.h>

#include <cmath>

namespace torsor {
namespace {

double a(const GaussTableau& t, int i, int j) { return t.lean[i * t.b.size() + j] * t.b[j]; }

TEST(GaussTableau, IsThatOfTheBooksForUpToThreeStages) {
  const GaussTableau one(1), two(2), three(3);
  EXPECT_EQ(a(one, 0, 0), 0.5);
  EXPECT_EQ(one.b[0], 1.0);
  const double r = std::sqrt(3.0) / 6, q = std::sqrt(15.0);
  EXPECT_NEAR(two.c[0], 0.5 - r, 1e-16);
  EXPECT_NEAR(a(two, 0, 1), 0.25 - r, 5e-16);
  EXPECT_NEAR(a(two, 1, 0), 0.25 + r, 5e-16);
  const double books[] = {5.0 / 36,          2.0 / 9 - q / 15,  5.0 / 36 - q / 30, 5.0 / 36 + q / 24, 2.0 / 9,
                          5.0 / 36 - q / 24, 5.0 / 36 + q / 30, 2.0 / 9 + q / 15,  5.0 / 36};
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(a(three, i / 3, i % 3), books[i], 5e-16);
  EXPECT_NEAR(three.b[1], 4.0 / 9, 1e-16);
  EXPECT_EQ(three.c[1], 0.5);
}

class GaussTableaus : public ::testing::TestWithParam<int> {};

TEST_P(GaussTableaus, SatisfyTheirConditions) {
  const int s = GetParam();
  const GaussTableau t(s);
  for (int k = 1; k <= 2 * s; ++k) {  // quadrature of order 2s
    double sum = 0;
    for (int i = 0; i < s; ++i) sum += t.b[i] * std::pow(t.c[i], k - 1);
    EXPECT_NEAR(sum, 1.0 / k, 3e-16);  // measured 1.1e-16
  }
  for (int i = 0; i < s; ++i) {
    for (int k = 1; k <= s; ++k) {  // collocation
      double sum = 0;
      for (int j = 0; j < s; ++j) sum += a(t, i, j) * std::pow(t.c[j], k - 1);
      EXPECT_NEAR(sum, std::pow(t.c[i], k) / k, 3e-16);  // measured 2.3e-16
    }
    for (int j = 0; j < s; ++j) {  // quadratic invariants
      EXPECT_EQ(t.lean[i * s + j] + t.lean[j * s + i], 1.0);
    }
  }
}

TEST_P(GaussTableaus, AreTheSumOfTheirModes) {
  const int s = GetParam();
  const GaussTableau t(s);
  EXPECT_EQ(static_cast<int>(t.modes.size()), (s + 1) / 2);
  for (int i = 0; i < s; ++i) {
    double end = 0;
    for (int j = 0; j < s; ++j) {
      Complex sum, unit;
      for (const GaussTableau::Mode& mode : t.modes) {
        sum += mode.lambda * mode.right[i] * mode.left[j];
        unit += mode.right[i] * mode.left[j];
      }
      EXPECT_NEAR(sum.re, a(t, i, j), 5e-13);           // measured 7.6e-14
      EXPECT_NEAR(unit.re, i == j ? 1.0 : 0.0, 1e-11);  // measured 2.2e-12
      end += t.d[j] * a(t, j, i);
    }
    EXPECT_NEAR(end, t.b[i], 1e-14);  // measured 4.4e-16
  }
}

INSTANTIATE_TEST_SUITE_P(Stages, GaussTableaus, ::testing::Range(1, 11));

TEST(Extrapolation, IsExactForPolynomials) {
  const double nodes[] = {0.1, 0.5, 0.8, 0.9}, at[] = {1.2, 1.9};
  double weights[8];
  set_extrapolation(nodes, 4, at, 2, weights);
  const auto cubic = [](double x) { return 1 - 2 * x + 3 * x * x * x; };
  for (int i = 0; i < 2; ++i) {
    double sum = 0;
    for (int j = 0; j < 4; ++j) sum += weights[4 * i + j] * cubic(nodes[j]);
    EXPECT_NEAR(sum, cubic(at[i]), 1e-11);  // measured 1.4e-14
  }
}

}  // namespace
}  // namespace torsor
