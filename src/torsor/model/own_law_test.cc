#include "torsor/model/own_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

struct Case {
  const char* name;
  PotentialFunction U;
};
std::vector<Case> potentials() {
  return {
      {"quadratic", make_potential([](auto x) { return 3.0 * (x - 0.4) * (x - 0.4); })},
      {"quartic", make_potential([](auto x) { return x * x * x * x - 2.0 * x * x; })},
      {"pendulum", make_potential([](auto x) { return 1.0 - cos(x); })},
      {"exponential", make_potential([](auto x) { return exp(2.0 * x); })},
      {"steep", make_potential([](auto x) { return 0.1 * cos(40.0 * x); })},
      {"one-sided", make_potential([](auto x) { return x < 0.2 ? 0.0 * x : 5.0 * (x - 0.2) * (x - 0.2); })},
      {"pointed", make_potential([](auto x) { return abs(x - 0.1); })}};
}
OwnLaw of(const PotentialFunction& U) {
  OwnLaw law{"law"};
  law.potential = U;
  return law;
}

TEST(OwnLaw, DualNumbersGiveTheDerivatives) {
  const PotentialFunction U = make_potential([](auto x) { return x * sin(x) + exp(x) / (1.0 + x * x); });
  const ForceFunction F =
      make_force([](auto x, auto v, double t) { return std::cos(t) * x - v * v * v * tanh(x); });
  const double h = 1e-4;
  for (const double x : {-1.3, 0.2, 0.9}) {
    EXPECT_NEAR(U(x).slope, (U(x + h).value - U(x - h).value) / (2 * h), 1e-7);      // measured 1e-8
    EXPECT_NEAR(U(x).curvature, (U(x + h).slope - U(x - h).slope) / (2 * h), 1e-7);  // measured 2e-8
    const double v = 0.7, t = 2;
    EXPECT_NEAR(F(x, v, t).by_position, (F(x + h, v, t).value - F(x - h, v, t).value) / (2 * h), 1e-7);
    EXPECT_NEAR(F(x, v, t).by_rate, (F(x, v + h, t).value - F(x, v - h, t).value) / (2 * h), 1e-7);
  }
}

TEST(OwnLaw, TheDiscreteForceTimesTheWayIsTheChangeOfThePotential) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-1, 1), power(-12, 0.5);
  for (const Case& c : potentials()) {
    SCOPED_TRACE(c.name);
    const FunctionLaw law(of(c.U));
    double worst = 0;
    for (int i = 0; i < 3000; ++i) {
      const double a = place(random), b = a + (i % 2 ? 1 : -1) * std::pow(10, power(random));
      const PotentialJet A = c.U(a), B = c.U(b);
      // With what a rounding of the place does to U.
      const double size =
          1 + std::abs(A.value) + std::abs(B.value) + std::abs(A.slope * a) + std::abs(B.slope * b);
      const LawEffort f = law.between({a, b, 0, 0, 0.5, 0});
      keep_largest(worst, std::abs(f.elastic * (b - a) - (B.value - A.value)) / size);
    }
    EXPECT_LE(worst, 16 * kEps);  // measured 1 .. 3 eps
  }
}

/// A quotient of differences would be off by the rounding of U over the way.
TEST(OwnLaw, ShortWaysHaveNoRoundingOfDifferences) {
  for (const Case& c : potentials()) {
    if (c.name == std::string("one-sided") || c.name == std::string("pointed")) continue;
    SCOPED_TRACE(c.name);
    const FunctionLaw law(of(c.U));
    for (const double way : {1e-13, 1e-10, 1e-7, 1e-5}) {
      for (const double a : {-0.7, 0.0, 0.31}) {
        const double b = a + way;
        const PotentialJet middle = c.U(0.5 * (a + b));
        const double size = std::abs(middle.slope) + std::abs(middle.curvature);
        EXPECT_NEAR(law.between({a, b, 0, 0, 0.5, 0}).elastic, middle.slope, 1e-14 * size + 300 * way * way);
      }
    }
  }
}

TEST(OwnLaw, SlopesAreThoseOfTheDiscreteForce) {
  OwnLaw own{"law"};
  own.force = make_force([](auto x, auto v, double t) { return std::sin(t) * x * x - v * v * x; });
  const double h = 1e-5, step = 0.01;
  for (const Case& c : potentials()) {
    SCOPED_TRACE(c.name);
    own.potential = c.U;
    const FunctionLaw law(own);
    for (const double b : {-0.6, 0.15, 0.55}) {
      const double a = 0.3;
      const auto at = [&](double end) { return law.between({a, end, (end - a) / step, 0.4, 0.5, 1 / step}); };
      const double by_difference = (at(b + h).effort - at(b - h).effort) / (2 * h);
      EXPECT_NEAR(at(b).slope, by_difference, 2e-6 * (1 + std::abs(by_difference)));  // measured 3e-7
      const auto state = [&](double x) { return law.between({x, x, 0.7, 0.4, 1, 0}); };
      EXPECT_NEAR(state(b).slope, (state(b + h).effort - state(b - h).effort) / (2 * h), 2e-5);
      EXPECT_NEAR(state(b).effort, c.U(b).slope - own.force(b, 0.7, 0.4).value, 1e-14);
    }
  }
}

/// Both values of a state are computed from the same place, but may be rounded differently.
TEST(OwnLaw, TheSlopeOfAStateDoesNotDependOnRounding) {
  for (const Case& c : potentials()) {
    SCOPED_TRACE(c.name);
    const FunctionLaw law(of(c.U));
    for (const double b : {-0.6, 0.15, 0.55}) {
      const double a = std::nextafter(b, 1.0);
      EXPECT_DOUBLE_EQ(law.between({a, b, 0, 0, 1, 0}).effort, c.U(b).slope);
      EXPECT_DOUBLE_EQ(law.between({a, b, 0, 0, 1, 0}).slope, c.U(b).curvature);
    }
  }
}

TEST(OwnLaw, PowersAreBookedAsWorkOrAsTaken) {
  OwnLaw own{"law"};
  own.force = make_force([](auto, auto v, double) { return -2.0 * v; });
  EXPECT_DOUBLE_EQ(FunctionLaw(own).between({0, 1, 3, 0, 0.5, 0}).work, -18);
  EXPECT_EQ(own.sources(), std::vector<std::string>{"law"});
  EXPECT_FALSE(own.is_damped());
  own.dissipates = true;
  EXPECT_DOUBLE_EQ(FunctionLaw(own).between({0, 1, 3, 0, 0.5, 0}).taken, 18);
  EXPECT_TRUE(own.sources().empty());
  EXPECT_TRUE(own.is_damped());
}

TEST(OwnLaw, WhatIsNoNumberIsNamed) {
  OwnLaw own{"root"};
  own.potential = make_potential([](auto x) { return sqrt(x); });
  LawFault fault;
  const FunctionLaw law(own, &fault);
  law.between({1, 2, 0, 0, 0.5, 0});
  EXPECT_EQ(fault.text, "");
  law.between({1, -0.5, 0, 0, 0.5, 0});
  EXPECT_NE(fault.text.find("potential of law 'root'"), std::string::npos) << fault.text;
  EXPECT_NE(fault.text.find("-0.5"), std::string::npos) << fault.text;
}

}  // namespace
}  // namespace torsor
