#include "torsor/model/wrap_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "torsor/base/dual.h"

namespace torsor {
namespace {

using Kind = WrapLaw::Kind;
using Dual6 = Dual<double, 6>;

Vec3<double> random_place(std::mt19937& random, const WrapLaw& law) {
  std::uniform_real_distribution<double> entry(-1, 1);
  for (;;) {
    const Vec3<double> p{entry(random), entry(random), law.kind == Kind::circle ? 0 : entry(random)};
    const double off = law.kind == Kind::sphere ? norm(p) : std::hypot(p.x, p.y);
    if (off > law.radius) return p;
  }
}

std::vector<WrapLaw> laws() {
  std::vector<WrapLaw> all;
  for (const Kind kind : {Kind::circle, Kind::cylinder, Kind::sphere}) {
    all.push_back({kind, 0.4, {}});
    all.push_back({kind, 0.4, Vec3<double>{0.3, -0.6, kind == Kind::circle ? 0 : 0.2}});
  }
  return all;
}

/// The moment arms are the derivative of the length.
TEST(WrapLaw, GradientIsTheDerivativeOfTheLength) {
  std::mt19937 random(1);
  int wrapped = 0;
  for (const WrapLaw& law : laws()) {
    for (int sample = 0; sample < 400; ++sample) {
      const Vec3<double> P = random_place(random, law), Q = random_place(random, law);
      Vec3<Dual6> p, q;
      for (int k = 0; k < 3; ++k) {
        p[k] = Dual6::variable(P[k], k);
        q[k] = Dual6::variable(Q[k], 3 + k);
      }
      const WrappedLength<double> found = wrapped_length(law, P, Q);
      const Dual6 length = wrapped_length(law, p, q).length;
      EXPECT_NEAR(length.value, found.length, 1e-14);
      for (int k = 0; k < (law.kind == Kind::circle ? 2 : 3); ++k) {
        EXPECT_NEAR(length.tangent[k], found.by_P[k], 1e-12);      // measured 2e-13
        EXPECT_NEAR(length.tangent[3 + k], found.by_Q[k], 1e-12);  // measured 2e-13
      }
      wrapped += found.wraps;
    }
  }
  EXPECT_GT(wrapped, 400);
}

/// No polygon round the outside on the same side is shorter, and fine ones come as near as they should.
TEST(WrapLaw, IsTheShortestWayOutside) {
  const WrapLaw law{Kind::circle, 0.5, Vec3<double>{0, 1, 0}};
  const Vec3<double> P{-1, -0.3, 0}, Q{0.9, -0.2, 0};
  const WrappedLength<double> found = wrapped_length(law, P, Q);
  ASSERT_TRUE(found.wraps);
  // A circumscribed polygon between the two tangents, over the top.
  const auto angle = [](const Vec3<double>& p) { return std::atan2(p.y, p.x); };
  double from = angle(P), to = angle(Q);
  if (from < 0) from += 2 * std::numbers::pi;
  from -= std::acos(law.radius / norm(P));
  to += std::acos(law.radius / norm(Q));
  constexpr int kSides = 2000;
  const double arc = from - to, side = 2 * law.radius * std::tan(0.5 * arc / kSides);
  const double tangents =
      std::sqrt(dot(P, P) - law.radius * law.radius) + std::sqrt(dot(Q, Q) - law.radius * law.radius);
  const double polygon = tangents + kSides * side;
  EXPECT_LT(found.length, polygon);
  EXPECT_NEAR(found.length, polygon, 2e-7);  // measured 1e-7: of second order in the sides
}

/// By hand: ends straight below a wheel of radius r, tangents of length d, half a turn between.
TEST(WrapLaw, HalfATurnRoundAWheel) {
  const double r = 0.2, d = 1.3;
  for (const Kind kind : {Kind::circle, Kind::cylinder}) {
    const WrapLaw law{kind, r, Vec3<double>{0, 1, 0}};
    const WrappedLength<double> found = wrapped_length(law, Vec3<double>{-r, -d, 0}, Vec3<double>{r, -d, 0});
    EXPECT_NEAR(found.length, 2 * d + std::numbers::pi * r, 1e-15);
    EXPECT_NEAR(found.by_P.x, 0, 1e-15);
    EXPECT_NEAR(found.by_P.y, -1, 1e-15);
  }
  // Its helix: the developed surface is flat.
  const WrapLaw law{Kind::cylinder, r, Vec3<double>{0, 1, 0}};
  const double rise = 0.7;
  EXPECT_NEAR(wrapped_length(law, Vec3<double>{-r, -d, 0}, Vec3<double>{r, -d, rise}).length,
              std::hypot(2 * d + std::numbers::pi * r, rise), 1e-15);
}

/// Where the straight segment touches, it is as long as the wrapped one, and its gradient the same.
TEST(WrapLaw, BeginsSmoothly) {
  for (const Kind kind : {Kind::circle, Kind::cylinder, Kind::sphere}) {
    const WrapLaw law{kind, 0.5, {}};
    const double just = 1e-7;
    const WrappedLength<double> in =
        wrapped_length(law, Vec3<double>{-1, 0.5 - just, 0}, Vec3<double>{1.2, 0.5 - just, 0});
    const WrappedLength<double> out =
        wrapped_length(law, Vec3<double>{-1, 0.5 + just, 0}, Vec3<double>{1.2, 0.5 + just, 0});
    ASSERT_TRUE(in.wraps);
    ASSERT_FALSE(out.wraps);
    EXPECT_NEAR(in.length, out.length, 1e-12);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(in.by_P[k], out.by_P[k], 1e-6);
      EXPECT_NEAR(in.by_Q[k], out.by_Q[k], 1e-6);
    }
  }
}

/// Through the line of both ends and the centre, a side keeps the way: no jump, the other way is longer.
TEST(WrapLaw, ASideKeepsTheWay) {
  const WrapLaw up{Kind::circle, 0.5, Vec3<double>{0, 1, 0}};
  double last = 0;
  for (int i = -50; i <= 50; ++i) {
    const double length =
        wrapped_length(up, Vec3<double>{-1, 0.01 * i, 0}, Vec3<double>{1, 0.01 * i, 0}).length;
    if (i > -50) {
      EXPECT_LT(length, last);
      EXPECT_LT(last - length, 0.02);
    }
    last = length;
  }
}

}  // namespace
}  // namespace torsor
