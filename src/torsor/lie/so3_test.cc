#include "torsor/lie/so3.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

using Vec = Vec3<double>;

Vec random_vector(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random)};
}
SO3<double> random_rotation(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return normalized(SO3<double>{normal(random), normal(random), normal(random), normal(random)});
}
double largest(const Mat3<double>& m) {
  return larger({std::abs(m.xx), std::abs(m.xy), std::abs(m.xz), std::abs(m.yx), std::abs(m.yy),
                 std::abs(m.yz), std::abs(m.zx), std::abs(m.zy), std::abs(m.zz)});
}

TEST(SO3, MatrixAndQuaternionActAlike) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i) {
    const SO3<double> q = random_rotation(random);
    const Vec v = random_vector(random);
    EXPECT_LT(norm(act(q, v) - matrix(q) * v), 4e-15);  // measured 1.4e-15
    EXPECT_LT(largest(matrix(q) * transpose(matrix(q)) - Mat3<double>::identity()),
              4e-15);  // measured 1.6e-15
  }
}

TEST(SO3, ExpTurnsByTheRightHand) {
  const Vec turned = act(exp_so3(Vec{0, 0, std::numbers::pi / 2}), Vec{1, 0, 0});
  EXPECT_LT(norm(turned - Vec{0, 1, 0}), 1e-15);
}

/// Near unit length by a series, elsewhere by the root; on both sides of the border alike.
TEST(SO3, RenormalizedIsOfUnitLength) {
  std::mt19937_64 random(4);
  for (const double off : {0.0, 1e-16, 1e-9, 4e-6, -4e-6, 6e-6, 1e-2, -0.5, 10.0}) {
    const SO3<double> unit = random_rotation(random);
    const double s = 1 + off;
    const SO3<double> q{s * unit.w, s * unit.x, s * unit.y, s * unit.z};
    const SO3<double> found = renormalized(q), known = normalized(q);
    const double distance = larger({std::abs(found.w - known.w), std::abs(found.x - known.x),
                                    std::abs(found.y - known.y), std::abs(found.z - known.z)});
    EXPECT_LE(distance, 3e-16) << off;
  }
  const SO3<Pack<4>> lanes{{Pack<4>(0.8)}, {Pack<4>(0.6)}, {Pack<4>(0.0)}, {Pack<4>(0.0)}};
  SO3<Pack<4>> q = lanes;
  q.x[2] = 3;  // one lane far off, which the others do not feel
  const SO3<Pack<4>> found = renormalized(q);
  EXPECT_EQ(found.x[0], renormalized(SO3<double>{0.8, 0.6, 0, 0}).x);
  EXPECT_NEAR(found.x[2], 3 / std::hypot(0.8, 3), 1e-15);
}

TEST(SO3, QuaternionOfAMatrixIsExactEvenAtHalfTurns) {
  std::mt19937_64 random(2);
  for (double angle : {0.0, 1e-9, 1.0, 3.0, std::numbers::pi - 1e-9, std::numbers::pi}) {
    for (int i = 0; i < 200; ++i) {
      Vec axis = random_vector(random);
      if (i % 4 == 1) axis.x = 0;
      if (i % 4 == 2) axis.x = axis.y = 0;
      if (i % 4 == 3) axis.y = axis.z = 0;
      const SO3<double> q = exp_so3((angle / norm(axis)) * axis);
      EXPECT_LT(largest(matrix(so3_from_matrix(matrix(q))) - matrix(q)), 4e-15) << angle;  // measured 1.6e-15
    }
  }
}

TEST(SO3, QuaternionOfAMatrixWorksLaneByLane) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 50; ++i) {
    SO3<Pack<8>> q;
    for (int lane = 0; lane < 8; ++lane) {
      const SO3<double> one = random_rotation(random);
      q.w[lane] = one.w, q.x[lane] = one.x, q.y[lane] = one.y, q.z[lane] = one.z;
    }
    const SO3<Pack<8>> back = so3_from_matrix(matrix(q));
    for (int lane = 0; lane < 8; ++lane) {
      const double overlap = back.w[lane] * q.w[lane] + back.x[lane] * q.x[lane] + back.y[lane] * q.y[lane] +
                             back.z[lane] * q.z[lane];
      EXPECT_NEAR(std::abs(overlap), 1, 4e-15);  // measured 4.4e-16
    }
  }
}

TEST(SO3, LogTakesTheShortWayAndIgnoresSignAndLength) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 200; ++i) {
    const SO3<double> q = random_rotation(random);
    const SO3<double> minus_twice{-2 * q.w, -2 * q.x, -2 * q.y, -2 * q.z};
    EXPECT_LE(norm(log(q)), std::numbers::pi + 1e-15);
    EXPECT_LT(norm(log(q) - log(minus_twice)), 4e-15);  // measured 0
  }
}

/// The differential of a quaternion curve is the textbook q' = (0, omega) q / 2.
TEST(SO3, SpatialAngularVelocityFollowsFromTheQuaternionRate) {
  using D = Dual<double, 1>;
  std::mt19937_64 random(5);
  for (int i = 0; i < 200; ++i) {
    const Vec x = random_vector(random), rate = random_vector(random);
    const SO3<D> q = exp_so3(Vec3<D>{{x.x, {rate.x}}, {x.y, {rate.y}}, {x.z, {rate.z}}});
    const SO3<double> value{q.w.value, q.x.value, q.y.value, q.z.value};
    const SO3<double> dot{q.w.tangent[0], q.x.tangent[0], q.y.tangent[0], q.z.tangent[0]};
    const SO3<double> omega = dot * inverse(value);
    EXPECT_LT(norm(2.0 * vector_part(omega) - dexp_so3(x) * rate), 1e-14);  // measured 5.6e-16
  }
}

}  // namespace
}  // namespace torsor
