#pragma once
// What `compiler` says of how the rest of a MJCF file is meant, and poses in all the ways in which they are written.

#include <string>
#include <vector>

#include "torsor/format/mjcf/document.h"
#include "torsor/lie/se3.h"

namespace torsor::mjcf {

struct Compiler {
  enum class FromGeom { never, always, where_missing };

  double angle_unit = 0.017453292519943295;  ///< [rad]: degrees
  std::string euler_sequence = "xyz";        ///< small letters: about moved axes; capitals: about fixed ones
  bool auto_limits = true;                   ///< what has a range is limited
  FromGeom inertia_from_geom = FromGeom::where_missing;
  int least_group = 0, greatest_group = 5;   ///< of geoms that weigh
  bool balance_inertia = false;
  double least_mass = 0, least_inertia = 0;
  double total_mass = -1;  ///< > 0: to which all masses are scaled
  std::string mesh_folder;
  bool strip_path = false;
  bool fit_boxes = false;  ///< primitives are fitted to boxes around meshes
};
Compiler read_compiler(const Element& mujoco, Importing& importing);

Vec3<double> vector_of(const std::vector<double>& three);
/// `pos`, or zero.
Vec3<double> position_of(const Attributes&);
/// One of quat, axisangle, xyaxes, zaxis, euler; the identity where none stands.
SO3<double> rotation_of(const Attributes&, const Compiler&);
inline SE3<double> pose_of(const Attributes& a, const Compiler& c) { return {rotation_of(a, c), position_of(a)}; }
/// The rotation of the shortest way that takes z to a direction.
SO3<double> rotation_to(const Vec3<double>& z);
SO3<double> euler_rotation(const std::vector<double>& angles, const Compiler&);

}  // namespace torsor::mjcf
