#include "torsor/formulation/rotationless/orientation_target.h"

#include <gtest/gtest.h>

#include <numbers>

#include "torsor/lie/so3.h"
#include "torsor/model/program.h"

namespace torsor {
namespace {

const std::array<Program, 3> kTurning = {make_expression("0.3 + t", {}), make_expression("pi/2 - t^2", {}),
                                         make_expression("2*sin(t)", {})};

TEST(OrientationTarget, IsTheProductOfTurnsAboutFixedAxes) {
  const double t = 0.7;
  const SO3<double> R = exp_so3(Vec3<double>{0, 0, kTurning[2].value(t)}) *
                        exp_so3(Vec3<double>{0, kTurning[1].value(t), 0}) *
                        exp_so3(Vec3<double>{kTurning[0].value(t), 0, 0});
  for (int axis = 0; axis < 3; ++axis) {
    Vec3<double> unit{};
    unit[axis] = 1;
    EXPECT_LE(norm(target_axis(kTurning, axis, t).value - act(R, unit)), 1e-15);  // measured 4e-16
  }
}

/// Also where pitch is 90 degrees, at t = 0.
TEST(OrientationTarget, DerivativesAreThoseOfTheAxes) {
  const double h = 1e-4;
  for (const double t : {0.0, 0.7}) {
    for (int axis = 0; axis < 3; ++axis) {
      const AxisJet before = target_axis(kTurning, axis, t - h), at = target_axis(kTurning, axis, t),
                    after = target_axis(kTurning, axis, t + h);
      EXPECT_LE(norm((0.5 / h) * (after.value - before.value) - at.rate), 1e-7);        // measured 2e-8
      EXPECT_LE(norm((0.5 / h) * (after.rate - before.rate) - at.acceleration), 1e-6);  // measured 1e-7
    }
  }
}

}  // namespace
}  // namespace torsor
