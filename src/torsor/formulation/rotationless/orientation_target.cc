#include "torsor/formulation/rotationless/orientation_target.h"

#include "torsor/model/jet_math.h"

namespace torsor {

AxisJet target_axis(const std::array<Program, 3>& roll_pitch_yaw, int axis, double t) {
  const Jet roll = roll_pitch_yaw[0].evaluate(t), pitch = roll_pitch_yaw[1].evaluate(t),
            yaw = roll_pitch_yaw[2].evaluate(t);
  const Jet one{1, 0, 0}, zero{};
  Jet x = axis == 0 ? one : zero, y = axis == 1 ? one : zero, z = axis == 2 ? one : zero;
  const auto turn = [](const Jet& angle, Jet& a, Jet& b) {
    const Jet c = cos(angle), s = sin(angle), turned = c * a - s * b;
    b = s * a + c * b;
    a = turned;
  };
  turn(roll, y, z);
  turn(pitch, z, x);
  turn(yaw, x, y);
  return {{x.value, y.value, z.value},
          {x.rate, y.rate, z.rate},
          {x.acceleration, y.acceleration, z.acceleration}};
}

}  // namespace torsor
