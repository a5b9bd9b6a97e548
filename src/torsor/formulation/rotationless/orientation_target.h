#pragma once
// The axes of a frame whose roll, pitch and yaw follow programs of time.

#include <array>

#include "torsor/base/vec.h"
#include "torsor/model/program.h"

namespace torsor {

struct AxisJet {
  Vec3<double> value, rate, acceleration;
};

/// Column `axis` of R = Rz(yaw) Ry(pitch) Rx(roll) at t. Smooth also at a pitch of 90 degrees, where roll and
/// yaw turn about the same axis.
AxisJet target_axis(const std::array<Program, 3>& roll_pitch_yaw, int axis, double t);

}  // namespace torsor
