#include "torsor/numerics/gauss_rule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "torsor/numerics/legendre.h"

namespace torsor {
namespace {

TEST(GaussRule, IntegratesPolynomialsUpToItsDegreeAndNoFurther) {
  for (int points = 1; points <= 12; ++points) {
    const std::vector<GaussPoint> rule = gauss_rule(points);
    ASSERT_EQ(static_cast<int>(rule.size()), points);
    const auto error = [&](int degree) {
      double sum = 0;
      for (const auto& [s, weight] : rule) sum += weight * std::pow(s, degree);
      return std::abs(sum - 1.0 / (degree + 1));
    };
    for (int degree = 0; degree < 2 * points; ++degree) EXPECT_LE(error(degree), 4e-16);  // measured 2e-16
    if (points <= 5) {
      EXPECT_GT(error(2 * points), 1e-7);
    }
  }
}

TEST(GaussRule, PointsAscendAndLieSymmetrically) {
  const std::vector<GaussPoint> rule = gauss_rule(7);
  for (std::size_t i = 0; i < rule.size(); ++i) {
    const GaussPoint& mirrored = rule[rule.size() - 1 - i];
    EXPECT_NEAR(rule[i].s + mirrored.s, 1, 2e-16);
    EXPECT_NEAR(rule[i].weight, mirrored.weight, 1e-16);
    if (i > 0) {
      EXPECT_GT(rule[i].s, rule[i - 1].s);
    }
  }
}

TEST(Legendre, PolynomialsAreOrthogonalOnTheUnitInterval) {
  const std::vector<GaussPoint> rule = gauss_rule(8);
  for (int j = 0; j <= 6; ++j) {
    for (int k = 0; k <= 6; ++k) {
      double product = 0;
      for (const auto& [s, weight] : rule) product += weight * legendre(j, s).value * legendre(k, s).value;
      EXPECT_NEAR(product, j == k ? 1.0 / (2 * k + 1) : 0.0, 1e-15);  // measured 2e-16
    }
  }
}

TEST(Legendre, SlopesAndIntegralsBelongToTheValues) {
  constexpr double e = 1e-5, s = 0.37;
  for (int k = 0; k <= 6; ++k) {
    const double slope = (legendre(k, s + e).value - legendre(k, s - e).value) / (2 * e);
    EXPECT_NEAR(legendre(k, s).slope, slope, 1e-6);  // measured 2e-8
    const double value = (legendre_integral(k, s + e) - legendre_integral(k, s - e)) / (2 * e);
    EXPECT_NEAR(legendre(k, s).value, value, 1e-8);  // measured 2e-9
    EXPECT_NEAR(legendre_integral(k, 0.0), 0, 1e-16);
    EXPECT_NEAR(legendre_integral(k, 1.0), k == 0 ? 1 : 0, 1e-16);
  }
}

}  // namespace
}  // namespace torsor
