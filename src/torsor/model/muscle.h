#pragma once
// A muscle on the path of a tendon: what it is made of. The law is in muscle_law.h.

#include <array>
#include <optional>

#include "torsor/model/program.h"

namespace torsor {

/// Fibres of Hill's type, at an angle to a tendon in series, which is rigid or elastic.
struct Muscle {
  /// hill: smooth curves; mujoco: those of MuJoCo's `muscle` actuator (muscle_curves.h).
  enum class Law { hill, mujoco };

  Law law = Law::hill;
  Program excitation;                                       ///< u(t), cut to 0..1
  std::optional<double> initial;                            ///< activation at the start; none: u there
  double activation_time = 0.01, deactivation_time = 0.04;  ///< [s]
  double smoothing = 0;                                     ///< of the change between them, in u - a
  double max_force = 0;                                     ///< F0 > 0, isometric [N]
  double fibre_length = 0;                                  ///< l0 > 0, at which F0 is reached [m]
  double max_velocity = 10;                                 ///< of shortening, in l0 per second [1/s]
  double slack_length = 0;                                  ///< ls >= 0, of the tendon in series [m]
  double tendon_strain = 0;                                 ///< of that tendon under F0; 0: rigid
  double pennation = 0;                                     ///< angle of the fibres at l0 [rad]
  double fibre_damping = 0.1;                               ///< force at the largest velocity, in F0
  double least_length = 0.5, greatest_length = 1.6;         ///< of active force, in l0 (mujoco)
  double passive_force = 1.3, lengthening_force = 1.2;      ///< in F0 (mujoco)

  bool has_series_tendon() const { return tendon_strain > 0; }
};

/// What MuJoCo calls lengthrange and range: the path is `lengths` long where fibres are `range` times l0.
void set_operating_range(Muscle& muscle, const std::array<double, 2>& lengths,
                         const std::array<double, 2>& range = {0.75, 1.05});

}  // namespace torsor
