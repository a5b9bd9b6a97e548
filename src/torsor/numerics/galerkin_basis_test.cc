#include "torsor/numerics/galerkin_basis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "torsor/base/norm.h"
#include "torsor/numerics/legendre.h"

namespace torsor {
namespace {

/// A polynomial dx/ds of degree m and the velocity that belongs to it, (2) of galerkin_basis.h.
struct Trial {
  explicit Trial(int degree, unsigned seed) : m(degree) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int k = 0; k <= m; ++k) p.push_back(uniform(random));
    v_0 = uniform(random);
    const double sign = m % 2 ? 1 : -1;  // L_m+1(0)
    c = (v_0 - slope(0) / h) / sign;
  }
  double slope(double s) const {
    double sum = 0;
    for (int k = 0; k <= m; ++k) sum += p[k] * legendre(k, s).value;
    return sum;
  }
  double velocity(double s) const { return slope(s) / h + c * legendre(m + 1, s).value; }
  double velocity_slope(double s) const {
    double sum = c * legendre(m + 1, s).slope;
    for (int k = 0; k <= m; ++k) sum += p[k] * legendre(k, s).slope / h;
    return sum;
  }

  int m;
  double h = 0.3;
  std::vector<double> p;
  double v_0 = 0, c = 0;
};

class Degree : public ::testing::TestWithParam<int> {};

TEST_P(Degree, VelocityAgreesWithTheSlopeAgainstEveryTestFunction) {
  const Trial trial(GetParam(), 1);
  EXPECT_NEAR(trial.velocity(0), trial.v_0, 1e-15);
  for (int j = 0; j <= trial.m; ++j) {
    double difference = 0;
    for (const auto& [s, weight] : gauss_rule(6)) {
      difference += weight * (trial.velocity(s) - trial.slope(s) / trial.h) * legendre(j, s).value;
    }
    EXPECT_NEAR(difference, 0, 1e-14);
  }
}

TEST_P(Degree, InertiaAndEndVelocityAreThoseOfTheTrialFunctions) {
  const Trial trial(GetParam(), 2);
  const GalerkinBasis basis(trial.m, 3, 3);
  double end = basis.start_rate() * trial.v_0;
  for (int j = 0; j <= trial.m; ++j) {
    double moment = 0, expected = -trial.h * basis.b(j) * trial.v_0;
    for (const auto& [s, weight] : gauss_rule(6)) {
      moment += weight * trial.h * trial.velocity_slope(s) * legendre(j, s).value;
    }
    for (int k = 0; k <= trial.m; ++k) expected += basis.A(j, k) * trial.p[k];
    EXPECT_NEAR(moment, expected, 1e-13);
    end += basis.end_rate(j) * trial.p[j] / trial.h;
  }
  EXPECT_NEAR(end, trial.velocity(1), 1e-13);
}

TEST_P(Degree, InertiaIsInverted) {
  const int m = GetParam();
  const GalerkinBasis basis(m, m + 1, m + 1);
  for (int i = 0; i <= m; ++i) {
    for (int j = 0; j <= m; ++j) {
      double product = 0;
      for (int k = 0; k <= m; ++k) product += basis.A(i, k) * basis.inverse_A(k, j);
      EXPECT_NEAR(product, i == j, 1e-14);
    }
  }
}

TEST_P(Degree, ContinuedPolynomialIsTheSameOne) {
  const Trial trial(GetParam(), 3);
  const GalerkinBasis basis(trial.m, 3, 3);
  for (double s : {0.0, 0.4, 1.0}) {
    double continued = 0;
    for (int j = 0; j <= trial.m; ++j) {
      for (int k = 0; k <= trial.m; ++k) {
        continued += basis.continued(j, k) * trial.p[k] * legendre(j, s).value;
      }
    }
    EXPECT_NEAR(continued, trial.slope(1 + s), 1e-12);
  }
}

/// Projections of a polynomial of degree 2 m + 1 on three steps in turn.
TEST_P(Degree, TwoStepsTellPolynomialsOfTwiceTheDegree) {
  const int m = GetParam();
  const Trial whole(2 * m + 1, 4);
  const GalerkinBasis basis(m, m + 1, m + 1);
  const auto coefficient = [&](int j, double start) {
    double moment = 0;
    for (const auto& [s, weight] : gauss_rule(2 * m + 2)) {
      moment += weight * legendre(j, s).value * whole.slope(start + s);
    }
    return (2 * j + 1) * moment;
  };
  for (int j = 0; j <= m; ++j) {
    double continued = 0;
    for (int k = 0; k <= m; ++k) {
      continued += basis.continued_from_two(j, k) * coefficient(k, 0);
      continued += basis.continued_from_two(j, m + 1 + k) * coefficient(k, -1);
    }
    // Coefficients grow to 2e5 beyond the steps that are known.
    EXPECT_NEAR(continued, coefficient(j, 1), 1e-10 * larger(1.0, std::abs(continued)));  // measured 4e-12
  }
}

INSTANTIATE_TEST_SUITE_P(M, Degree, ::testing::Range(0, 5));

}  // namespace
}  // namespace torsor
