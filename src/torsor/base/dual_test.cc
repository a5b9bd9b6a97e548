#include "torsor/base/dual.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

static_assert(Scalar<double> && Scalar<Pack<8>> && Scalar<Dual<double, 3>>);
static_assert(Scalar<Dual<Dual<double, 1>, 1>> && Scalar<Dual<Pack<4>, 2>>);

using D = Dual<double, 1>;

/// A function whose derivative is known by hand.
struct Case {
  const char* name;
  D (*f)(const D&);
  double (*slope)(double);
};
const Case kCases[] = {
    {"sqrt", [](const D& x) { return sqrt(x); }, [](double x) { return 0.5 / std::sqrt(x); }},
    {"sin", [](const D& x) { return sin(x); }, [](double x) { return std::cos(x); }},
    {"cos", [](const D& x) { return cos(x); }, [](double x) { return -std::sin(x); }},
    {"tan", [](const D& x) { return tan(x); }, [](double x) { return std::pow(std::cos(x), -2); }},
    {"asin", [](const D& x) { return asin(x); }, [](double x) { return 1 / std::sqrt(1 - x * x); }},
    {"acos", [](const D& x) { return acos(x); }, [](double x) { return -1 / std::sqrt(1 - x * x); }},
    {"atan2", [](const D& x) { return atan2(x, 2.0 - x); },
     [](double x) { return 2 / (x * x + (2 - x) * (2 - x)); }},
    {"atan", [](const D& x) { return atan(x); }, [](double x) { return 1 / (1 + x * x); }},
    {"tanh", [](const D& x) { return tanh(x); }, [](double x) { return std::pow(std::cosh(x), -2); }},
    {"exp", [](const D& x) { return exp(x); }, [](double x) { return std::exp(x); }},
    {"log", [](const D& x) { return log(x); }, [](double x) { return 1 / x; }},
    {"pow", [](const D& x) { return pow(x, 2.5); }, [](double x) { return 2.5 * std::pow(x, 1.5); }},
    {"abs", [](const D& x) { return abs(x - 1.0); }, [](double) { return -1.0; }},
    {"quotient", [](const D& x) { return x / (1.0 + x); }, [](double x) { return 1 / ((1 + x) * (1 + x)); }},
    {"reciprocal", [](const D& x) { return 3.0 / x; }, [](double x) { return -3 / (x * x); }},
    {"scaled", [](const D& x) { return (x * 4.0 - 1.0) / 2.0 - (1.0 - x); }, [](double) { return 3.0; }},
    {"negated", [](const D& x) { return -(x * x) + 2.0; }, [](double x) { return -2 * x; }},
    {"selected", [](const D& x) { return select(x < D(5.0), x * x, x); }, [](double x) { return 2 * x; }},
};

TEST(Dual, CarriesTheDerivativeOfEveryFunction) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(0.05, 0.95);
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    for (int i = 0; i < 100; ++i) {
      const double x = uniform(random);
      const D y = c.f(D::variable(x, 0));
      EXPECT_NEAR(y.tangent[0], c.slope(x), 1e-14 * larger(1.0, std::abs(c.slope(x))));  // measured 1e-15
      EXPECT_EQ(value_of(y), value_of(c.f(D(x))));
    }
  }
}

TEST(Dual, KeepsDirectionsApart) {
  using D2 = Dual<double, 2>;
  const D2 x = D2::variable(0.7, 0), y = D2::variable(-1.3, 1);
  const D2 z = x * y + sin(x) / y;
  EXPECT_NEAR(z.tangent[0], -1.3 + std::cos(0.7) / -1.3, 1e-15);
  EXPECT_NEAR(z.tangent[1], 0.7 - std::sin(0.7) / (1.3 * 1.3), 1e-15);
}

TEST(Dual, AccumulatesLikeTheBinaryOperators) {
  const D x = D::variable(0.6, 0);
  D y = x;
  y += 2.0;
  y *= x;
  y -= x * x;
  y /= x;
  EXPECT_NEAR(y.value, 2.0, 1e-15);
  EXPECT_NEAR(y.tangent[0], 0.0, 1e-15);
}

TEST(Dual, NestsForSecondDerivatives) {
  using DD = Dual<D, 1>;
  for (double x : {0.2, 0.5, 0.9}) {
    const DD seed(D::variable(x, 0), {D(1.0)});
    const DD f = exp(sin(seed)) * sqrt(seed);
    const double g = std::exp(std::sin(x)), s = std::sin(x), c = std::cos(x), r = std::sqrt(x);
    const double second = g * (c * c - s) * r + g * c / r - 0.25 * g / (x * r);
    EXPECT_NEAR(f.tangent[0].tangent[0], second, 1e-14 * std::abs(second) + 1e-14);  // measured 1e-15
    EXPECT_DOUBLE_EQ(f.value.tangent[0], f.tangent[0].value);
  }
}

TEST(Dual, OverPacksDifferentiatesEveryLane) {
  using P = Pack<4>;
  using DP = Dual<P, 1>;
  P x;
  for (int i = 0; i < 4; ++i) x[i] = 0.3 * i - 0.4;
  const DP seed(x, {P(1.0)});
  const DP y = select(seed < DP(0.0), sin(seed), seed * seed);
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(y.tangent[0][i], x[i] < 0 ? std::cos(x[i]) : 2 * x[i], 1e-15);  // measured 1.1e-16
}

}  // namespace
}  // namespace torsor
