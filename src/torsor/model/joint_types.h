#pragma once
// The table of joint types. What a joint leaves free, how its coordinates are named and measured, which
// nodes it has in a tree and which constraints between bodies: all of it follows from the row of its type.

#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace torsor {

enum class JointType { fixed, revolute, prismatic, helical, cylindrical, universal, spherical, planar, free };

/// The motions of which all joint types are composed, in a frame whose z is the one axis, if there is one:
///   revolute: turn about z; prismatic: slide along z; helical: turn and advance by pitch; spherical: turn
///   (SO(3)); planar: turn about z and slide in x, y (SE(2)); free: SE(3). Rates of the last three are the
///   free components of the body-fixed twist.
enum class Primitive { fixed, revolute, prismatic, helical, spherical, planar, free };

enum class Component { angle, quaternion, length };

/// What coordinates and rates are, rotation before translation as in a twist. A quaternion has four
/// coordinates and three rates, and no angles beside it.
struct Components {
  int angles = 0, quaternions = 0, lengths = 0;

  constexpr int coordinates() const { return angles + 4 * quaternions + lengths; }
  constexpr int rates() const { return turns() + lengths; }
  constexpr int turns() const { return angles + 3 * quaternions; }  ///< rates that turn
  constexpr Component coordinate(int i) const {
    return i < 4 * quaternions ? Component::quaternion
                               : (i < angles + 4 * quaternions ? Component::angle : Component::length);
  }
  constexpr Component rate(int i) const { return i < turns() ? Component::angle : Component::length; }
};

constexpr Components components(Primitive primitive) {
  constexpr Components kTable[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 0},
                                   {0, 1, 0}, {1, 0, 2}, {0, 1, 3}};
  return kTable[static_cast<int>(primitive)];
}

/// One motion of a joint, about or along an axis of the frame that the motion before it has moved.
struct JointPart {
  Primitive primitive = Primitive::fixed;
  int axis = 2;                  ///< x, y, z; of a motion with one axis
  const char* output = "";       ///< name of its coordinate, for servos
  int coordinate = 0, rate = 0;  ///< its first ones among the joint's
};

/// From the parent to the child.
class JointParts {
 public:
  constexpr JointParts(std::initializer_list<JointPart> parts) {
    for (const JointPart& part : parts) parts_[count_++] = part;
    Components before;
    for (const bool turns : {true, false}) {
      for (int i = 0; i < count_; ++i) {
        const Components own = components(parts_[i].primitive);
        if ((own.turns() > 0) != turns) continue;
        parts_[i].coordinate = before.coordinates();
        parts_[i].rate = before.rates();
        before.angles += own.angles, before.quaternions += own.quaternions, before.lengths += own.lengths;
      }
    }
    all_ = before;
  }
  constexpr const JointPart* begin() const { return parts_.data(); }
  constexpr const JointPart* end() const { return parts_.data() + count_; }
  constexpr Components all() const { return all_; }

 private:
  std::array<JointPart, 3> parts_;
  int count_ = 0;
  Components all_;
};

struct JointTypeRow {
  JointType type;
  const char* name;
  bool in_plane;  ///< whether it exists in 2D
  JointParts parts;
};

/// Frame J is fixed on the parent, frame K on the child; they coincide at q = 0. z is `axis`. In 2D z is the
/// normal of the plane, but for a joint that only slides, which does so in the plane; and what is left of a
/// free joint is SE(2). Slides are along axes of J: they come before the turns, or along their axis. There is
/// at most one turn, or two about axes at right angles, or a motion with several axes alone.
inline constexpr JointTypeRow kJointTypes[] = {
    {JointType::fixed, "fixed", true, {{Primitive::fixed}}},
    {JointType::revolute, "revolute", true, {{Primitive::revolute, 2, "angle"}}},
    {JointType::prismatic, "prismatic", true, {{Primitive::prismatic, 2, "displacement"}}},
    {JointType::helical, "helical", false, {{Primitive::helical, 2, "angle"}}},
    {JointType::cylindrical,
     "cylindrical",
     false,
     {{Primitive::revolute, 2, "angle"}, {Primitive::prismatic, 2, "displacement"}}},
    {JointType::universal,
     "universal",
     false,
     {{Primitive::revolute, 0, "angle_x"}, {Primitive::revolute, 1, "angle_y"}}},
    {JointType::spherical, "spherical", false, {{Primitive::spherical}}},
    {JointType::planar,
     "planar",
     true,
     {{Primitive::prismatic, 0, "x"}, {Primitive::prismatic, 1, "y"}, {Primitive::revolute, 2, "angle"}}},
    {JointType::free, "free", true, {{Primitive::free}}},
};

constexpr const JointTypeRow& joint_type_row(JointType type) { return kJointTypes[static_cast<int>(type)]; }
static_assert([] {
  for (const JointTypeRow& row : kJointTypes) {
    if (&row != &joint_type_row(row.type)) return false;
  }
  return true;
}());

constexpr JointParts joint_parts(JointType type, int dimension) {
  const JointParts& parts = joint_type_row(type).parts;
  const bool flat = dimension == 2 && parts.begin()->primitive == Primitive::free;
  return flat ? JointParts{{Primitive::planar}} : parts;
}
constexpr Components components(JointType type, int dimension) { return joint_parts(type, dimension).all(); }
constexpr int coordinate_count(JointType type, int dimension) {
  return components(type, dimension).coordinates();
}
constexpr int rate_count(JointType type, int dimension) { return components(type, dimension).rates(); }

const char* name_of(JointType);
std::optional<JointType> joint_type_named(const std::string&);
std::vector<std::string> joint_type_names(int dimension = 3);  ///< those that the dimension allows

/// Whether the rates are components of the twist of K in J, in axes of K (spherical, free), and no
/// derivatives of coordinates.
bool has_twist_rates(JointType);
/// Whether all coordinates are angles and lengths with the rates as derivatives, at least one of them: what
/// springs, controllers and servos may lead.
bool has_plain_coordinates(JointType);
bool has_axis(JointType);   ///< whether `axis` means something
bool has_pitch(JointType);  ///< helical
bool only_slides(JointType);
bool has_one_unit(JointType);  ///< all rates turn, or all slide
/// Names of plain coordinates, in their order; none of others.
std::vector<std::string> joint_outputs(JointType);

}  // namespace torsor
