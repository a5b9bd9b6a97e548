#pragma once
// A joint: which motion of the child relative to the parent it leaves free.

#include <optional>
#include <string>
#include <vector>

#include "torsor/base/vec.h"
#include "torsor/lie/se3.h"

namespace torsor {

/// Coordinates q and rates qd of each type, rotation before translation as in a twist. Frame J is fixed on
/// the parent, frame K on the child; they coincide at q = 0. z is `axis`.
///   fixed        -
///   revolute     angle about z                             | its derivative
///   prismatic    displacement along z                      | its derivative
///   helical      angle about z, with pitch * angle along z | its derivative
///   cylindrical  angle about z, displacement along z       | their derivatives
///   universal    angle about x of J, then about y of K     | their derivatives (the shaft z cannot spin)
///   spherical    quaternion w, x, y, z                     | angular velocity of K in J, in axes of K
///   planar       angle about z, x and y in axes of J       | their derivatives
///   free         quaternion, position in axes of J         | twist of K in J, in axes of K
/// In 2D a free joint has the angle and the position (3 coordinates), and its rate is (omega, v) in axes of
/// K.
enum class JointType { fixed, revolute, prismatic, helical, cylindrical, universal, spherical, planar, free };

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
  std::optional<Reference> reference;  ///< replaces the two frames; resolved by the Model
  bool implicit = false;               ///< the free joint of a body that is no joint's child
};

int coordinate_count(JointType, int dimension);  ///< entries of q
int rate_count(JointType, int dimension);        ///< entries of qd = degrees of freedom
const char* name_of(JointType);
std::optional<JointType> joint_type_named(const std::string&);
std::vector<std::string> joint_type_names();
bool has_axis(JointType);  ///< whether `axis` means something

/// The rotation of the shortest way that takes z to `axis`; joint frames are turned by it so that z is the
/// axis.
SO3<double> axis_frame(const Vec3<double>& unit_axis);

}  // namespace torsor
