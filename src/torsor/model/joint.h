#pragma once
// A joint: which motion of the child relative to the parent it leaves free.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "torsor/base/vec.h"
#include "torsor/lie/se3.h"
#include "torsor/model/joint_types.h"

namespace torsor {

struct Joint {
  /// Joint given in the world of the reference configuration, where every body has its `pose`.
  struct Reference {
    Vec3<double> point, axis;
  };

  std::string name;
  JointType type = JointType::revolute;
  int parent = -1, child = -1;      ///< body indices, kWorld for the ground
  SE3<double> in_parent, in_child;  ///< frames J in the parent and K in the child
  /// In the joint frame, any length but zero. The Model turns both frames by axis_frame, after which axis is
  /// z; fixed, spherical and free joints have none.
  Vec3<double> axis{0, 0, 1};
  double pitch = 0;                    ///< [m/rad], helical only
  std::vector<double> armature;        ///< by rate: inertia of rotors [kg m^2, kg]; empty: none
  std::optional<Reference> reference;  ///< replaces the two frames; resolved by the Model
  bool implicit = false;               ///< the free joint of a body that is no joint's child

  /// Whether a rate has a kinetic energy of its own.
  bool has_armature() const {
    return std::any_of(armature.begin(), armature.end(), [](double a) { return a > 0; });
  }
};

/// The rotation of the shortest way that takes z to `axis`; joint frames are turned by it so that z is the
/// axis.
SO3<double> axis_frame(const Vec3<double>& unit_axis);

}  // namespace torsor
