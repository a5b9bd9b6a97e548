#include "torsor/model/orientation_program.h"

#include <gtest/gtest.h>

namespace torsor {
namespace {

OrientationProgram moving() {
  return OrientationProgram({make_expression("0.3 + sin(2*t)", {}), make_expression("0.8*cos(t)", {}),
                             make_expression("t^2 - 0.5*t", {})});
}

TEST(OrientationProgram, IsRollThenPitchThenYaw) {
  for (const double t : {-0.4, 0.0, 1.3}) {
    const auto R = moving().at(t).R;
    const auto turn = [](Vec3<double> axis, double angle) { return exp_so3(angle * axis); };
    const SO3<double> expected = turn({0, 0, 1}, t * t - 0.5 * t) * turn({0, 1, 0}, 0.8 * std::cos(t)) *
                                 turn({1, 0, 0}, 0.3 + std::sin(2 * t));
    EXPECT_LE(norm(log(inverse(expected) * so3_from_matrix(R))), 1e-15);
  }
}

TEST(OrientationProgram, ItsAngularVelocityIsTheRateOfItsAxes) {
  const double h = 1e-5;
  for (const double t : {-0.4, 0.0, 1.3}) {
    const auto at = moving().at(t);
    const SO3<double> a = so3_from_matrix(moving().at(t - h).R), b = so3_from_matrix(moving().at(t + h).R);
    EXPECT_LE(norm((1 / (2 * h)) * log(b * inverse(a)) - at.omega), 1e-9);  // measured 1e-10
    using Time = Dual<double, 1>;
    const auto dual = moving().at(Time::variable(t, 0));
    EXPECT_NEAR(dual.R.xy.tangent[0], cross(at.omega, Vec3<double>{at.R.xy, at.R.yy, at.R.zy}).x, 1e-14);
  }
}

TEST(OrientationProgram, ARotationIsOne) {
  const SO3<double> R = exp_so3(Vec3<double>{0.4, -0.2, 0.9});
  const OrientationProgram fixed(R);
  EXPECT_TRUE(fixed.is_constant() && fixed.programs().empty());
  EXPECT_FALSE(moving().is_constant());
  EXPECT_EQ(fixed.at(3.0).R.xy, matrix(R).xy);
  EXPECT_EQ(fixed.at(3.0).omega, Vec3<double>{});
}

}  // namespace
}  // namespace torsor
