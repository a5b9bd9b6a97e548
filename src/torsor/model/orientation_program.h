#pragma once
// An orientation that is fixed, or whose roll, pitch and yaw follow programs of time.

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "torsor/lie/so3.h"
#include "torsor/model/program.h"

namespace torsor {

class OrientationProgram {
 public:
  OrientationProgram(const SO3<double>& fixed) : fixed_(fixed) {}  // NOLINT: a rotation is a program
  explicit OrientationProgram(std::array<Program, 3> roll_pitch_yaw) : angles_(std::move(roll_pitch_yaw)) {}

  bool is_constant() const { return !angles_; }
  const SO3<double>& fixed() const { return fixed_; }  ///< where it is constant
  std::vector<Program> programs() const {
    return angles_ ? std::vector<Program>(angles_->begin(), angles_->end()) : std::vector<Program>{};
  }

  /// Its axes in the world, and its angular velocity there.
  template <class S>
  struct Moving {
    Mat3<S> R;
    Vec3<S> omega;
  };
  /// R = Rz(yaw) Ry(pitch) Rx(roll), omega = yaw' e_z + Rz (pitch' e_y + Ry roll' e_x).
  template <class S>
  Moving<S> at(const S& t) const {
    if (!angles_) {
      const Mat3<double> R = matrix(fixed_);
      const auto lift = [](double a) { return S(a); };
      return {{lift(R.xx), lift(R.xy), lift(R.xz), lift(R.yx), lift(R.yy), lift(R.yz), lift(R.zx), lift(R.zy),
               lift(R.zz)},
              {S(0.0), S(0.0), S(0.0)}};
    }
    const MovingValue<S> roll = along((*angles_)[0], t), pitch = along((*angles_)[1], t),
                         yaw = along((*angles_)[2], t);
    S sr, cr, sp, cp, sy, cy;
    sincos(roll.value, sr, cr);
    sincos(pitch.value, sp, cp);
    sincos(yaw.value, sy, cy);
    return {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, sy * cp, sy * sp * sr + cy * cr,
             sy * sp * cr - cy * sr, -sp, cp * sr, cp * cr},
            {roll.rate * cp * cy - pitch.rate * sy, roll.rate * cp * sy + pitch.rate * cy,
             yaw.rate - roll.rate * sp}};
  }

 private:
  SO3<double> fixed_{1, 0, 0, 0};
  std::optional<std::array<Program, 3>> angles_;
};

}  // namespace torsor
