#pragma once
// What a servo prescribes: outputs y = c(x) and their programs.

#include <string>

#include "torsor/formulation/constrained_mechanism.h"
#include "torsor/formulation/rotationless/mechanism.h"

namespace torsor {

/// An orientation is three of these: with the body's axes a_i and the target's b_i(t), a_i . b_i+1 = 0,
/// i = 1, 2, 3 in a circle; regular wherever both agree, since a turn y changes them by y . a_i+2.
template <int D>
struct ServoOutput {
  enum class Kind { component, coordinate, orientation };
  Kind kind;
  Arm<D> point;
  std::array<Arm<D>, 3> axes;  ///< a_i
  int component;               ///< of the point, or i
  Measure<D> measure;
  std::array<Program, 3> programs;  ///< roll, pitch, yaw; else the first
  std::string key;                  ///< servos.NAME.follows.x

  /// The nodes that it sees.
  int child() const;
  int parent(int ground) const { return kind == Kind::coordinate ? measure.parent : ground; }
  /// y - target(t) at a configuration, and its first two derivatives along velocities V and what the increments
  /// do not give of the accelerations, w.
  double error(const Configuration<D>& X, double t, std::span<const double> angles) const;
  double rate_error(const Configuration<D>& X, const Configuration<D>& V, double t,
                    std::span<const double> angles) const;
  double acceleration_error(const Configuration<D>& X, const Configuration<D>& V, const Configuration<D>& w,
                            double t, std::span<const double> angles) const;
  PairRow<D> gradient(const Configuration<D>& X, double t) const;
  OutputMotion motion(const Configuration<D>& X, const Configuration<D>& V, double t,
                      std::span<const double> angles) const;
};

template <int D>
std::vector<ServoOutput<D>> make_servo_outputs(const Model& model, const RotationlessMechanism<D>& mechanism);

/// theta'' = cos(theta) s'' - sin(theta) c'', without what increments give; of a displacement the second
/// derivative itself.
template <int D>
double coordinate_acceleration(const Measure<D>& measure, const Configuration<D>& X,
                               const Configuration<D>& V, const Configuration<D>& w,
                               std::span<const double> angles);

}  // namespace torsor
