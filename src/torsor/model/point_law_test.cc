#include "torsor/model/point_law.h"

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
  PointPotentialFunction U;
};
std::vector<Case> potentials() {
  return {
      {"quadratic", make_point_potential([](auto x, auto y, auto z) { return 3.0 * x * y - z * z; })},
      {"attraction",
       make_point_potential([](auto x, auto y, auto z) { return -1.0 / sqrt(0.3 + x * x + y * y + z * z); })},
      {"waves", make_point_potential([](auto x, auto y, auto z) { return sin(5.0 * x) * cos(4.0 * y - z); })},
      {"steep", make_point_potential([](auto x, auto y, auto) { return 0.1 * cos(40.0 * (x + y)); })},
      {"floor", make_point_potential(
                    [](auto, auto, auto z) { return z < 0.2 ? 5.0 * (z - 0.2) * (z - 0.2) : 0.0 * z; })},
      {"pointed", make_point_potential([](auto x, auto y, auto z) { return abs(x - 0.1) + abs(y + z); })}};
}
PointFunctionLaw law_of(const PointPotentialFunction& U) { return {"law", U, {}, false}; }

class Places {
 public:
  Vec3<double> operator()(double size = 1) {
    return {size * x_(random_), size * x_(random_), size * x_(random_)};
  }

 private:
  std::mt19937 random_{7};
  std::uniform_real_distribution<double> x_{-1, 1};
};
Vec3<double> moved(Vec3<double> p, int i, double by) {
  p[i] += by;
  return p;
}
double entry(const Mat3<double>& M, int i, int j) {
  Vec3<double> column{};
  column[j] = 1;
  return (M * column)[i];
}

TEST(PointLaw, DualNumbersGiveTheDerivatives) {
  const PointPotentialFunction U = make_point_potential(
      [](auto x, auto y, auto z) { return x * sin(y) + exp(z) / (1.0 + x * x) + y * z * z; });
  const PointForceFunction F = make_point_force(
      [](auto p, auto v, double t) { return std::cos(t) * cross(p, v) - (0.3 + dot(v, v) * p.x) * v; });
  Places place;
  const double h = 1e-4, t = 2;
  for (int k = 0; k < 5; ++k) {
    const Vec3<double> p = place(), v = place();
    for (int j = 0; j < 3; ++j) {
      const PointPotentialJet a = U(moved(p, j, -h)), b = U(moved(p, j, h));
      EXPECT_NEAR(U(p).gradient[j], (b.value - a.value) / (2 * h), 1e-7);  // measured 9e-9
      for (int i = 0; i < 3; ++i) {
        const auto by = [&](const PointForceJet& low, const PointForceJet& high) {
          return (high.value[i] - low.value[i]) / (2 * h);
        };
        EXPECT_NEAR(entry(U(p).curvature, i, j), (b.gradient[i] - a.gradient[i]) / (2 * h), 1e-7);
        EXPECT_NEAR(entry(F(p, v, t).by_position, i, j),
                    by(F(moved(p, j, -h), v, t), F(moved(p, j, h), v, t)), 1e-7);
        EXPECT_NEAR(entry(F(p, v, t).by_velocity, i, j),
                    by(F(p, moved(v, j, -h), t), F(p, moved(v, j, h), t)), 1e-7);
      }
    }
  }
}

TEST(PointLaw, TheDiscreteForceAlongTheWayIsTheChangeOfThePotential) {
  Places place;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> power(-12, 0.5);
  for (const Case& c : potentials()) {
    SCOPED_TRACE(c.name);
    double worst = 0;
    for (int i = 0; i < 3000; ++i) {
      const Vec3<double> a = place(), b = a + place(std::pow(10, power(random)));
      const PointPotentialJet A = c.U(a), B = c.U(b);
      const double size = 1 + std::abs(A.value) + std::abs(B.value) + norm(A.gradient) * norm(a) +
                          norm(B.gradient) * norm(b);  // with what a rounding of the place does to U
      const PointEffort f = law_of(c.U).between({a, b, {}, 0, 0.5, 0});
      keep_largest(worst, std::abs(dot(f.effort, b - a) - (B.value - A.value)) / size);
    }
    EXPECT_LE(worst, 16 * kEps);  // measured 1 .. 4 eps
  }
}

/// Nor along the way: a quotient of differences would be off by the rounding of U over it.
TEST(PointLaw, ShortWaysHaveTheGradientOfTheirMiddle) {
  Places place;
  for (const Case& c : potentials()) {
    if (c.name == std::string("floor") || c.name == std::string("pointed")) continue;
    SCOPED_TRACE(c.name);
    for (const double way : {1e-13, 1e-10, 1e-7, 1e-5}) {
      const Vec3<double> a = place(), b = a + place(way);
      const PointPotentialJet middle = c.U(0.5 * (a + b));
      const Vec3<double> off = law_of(c.U).between({a, b, {}, 0, 0.5, 0}).effort - middle.gradient;
      EXPECT_LE(norm(off), 1e-13 + 3000 * way * way);  // measured 2e-14
    }
  }
}

TEST(PointLaw, SlopesAreThoseOfTheDiscreteForce) {
  const PointForceFunction F = make_point_force(
      [](auto p, auto v, double t) { return std::sin(t) * p.x * p - dot(v, v) * p + 0.1 * cross(p, v); });
  const double h = 1e-5, step = 0.1;
  Places place;
  for (const Case& c : potentials()) {
    SCOPED_TRACE(c.name);
    const PointFunctionLaw law("law", c.U, F, false);
    for (int k = 0; k < 5; ++k) {
      const Vec3<double> a = place(), b = a + place(0.3), v = place();
      const auto at = [&](const Vec3<double>& end) {
        return law.between({a, end, (1 / step) * (end - a), 0.4, 0.5, 1 / step});
      };
      const auto state = [&](const Vec3<double>& p) { return law.between({p, p, v, 0.4, 1, 0}); };
      EXPECT_LE(norm(state(b).effort - c.U(b).gradient + F(b, v, 0.4).value), 1e-14);
      for (int j = 0; j < 3; ++j) {
        const Vec3<double> low = moved(b, j, -h), high = moved(b, j, h);
        for (int i = 0; i < 3; ++i) {
          const double by_difference = (at(high).effort[i] - at(low).effort[i]) / (2 * h);
          EXPECT_NEAR(entry(at(b).slope, i, j), by_difference,
                      2e-6 * (1 + std::abs(by_difference)));  // measured 2e-7
          EXPECT_NEAR(entry(state(b).slope, i, j), (state(high).effort[i] - state(low).effort[i]) / (2 * h),
                      2e-5);
        }
      }
    }
  }
}

/// Both positions of a state are computed from the same place, but may be rounded differently.
TEST(PointLaw, TheSlopeOfAStateDoesNotDependOnRounding) {
  Places place;
  for (const Case& c : potentials()) {
    SCOPED_TRACE(c.name);
    for (int k = 0; k < 5; ++k) {
      const Vec3<double> b = place();
      Vec3<double> a = b;
      a.x = std::nextafter(b.x, 2.0);
      const PointEffort f = law_of(c.U).between({a, b, {}, 0, 1, 0});
      EXPECT_LE(norm(f.effort - c.U(b).gradient), 1e-14);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) EXPECT_DOUBLE_EQ(entry(f.slope, i, j), entry(c.U(b).curvature, i, j));
      }
    }
  }
}

TEST(PointLaw, PowersAreBookedAsWorkOrAsTaken) {
  const PointForceFunction F = make_point_force([](auto, auto v, double) { return -2.0 * v; });
  const PointPair pair{{}, {1, 0, 0}, {3, 0, 1}, 0, 0.5, 0};
  EXPECT_DOUBLE_EQ(PointFunctionLaw("law", {}, F, false).between(pair).work, -20);
  EXPECT_DOUBLE_EQ(PointFunctionLaw("law", {}, F, false).between(pair).taken, 0);
  EXPECT_DOUBLE_EQ(PointFunctionLaw("law", {}, F, true).between(pair).taken, 20);
}

TEST(PointLaw, WhatIsNoNumberIsNamed) {
  LawFault fault;
  const PointFunctionLaw law("well", make_point_potential([](auto x, auto, auto) { return sqrt(x); }), {},
                             false, &fault);
  law.between({{1, 0, 0}, {0.5, 2, 0}, {}, 0, 0.5, 0});
  EXPECT_EQ(fault.text, "");
  law.between({{1, 0, 0}, {-0.5, 2, 0}, {}, 0, 0.5, 0});
  EXPECT_NE(fault.text.find("law 'well' is not a finite number at (-0.5, 2, 0)"), std::string::npos)
      << fault.text;
}

}  // namespace
}  // namespace torsor
