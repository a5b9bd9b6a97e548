#include "torsor/format/mjcf/compiler.h"

#include <cmath>

#include "torsor/base/nearest.h"

namespace torsor::mjcf {
namespace {

constexpr double kSmallest = 1e-14;  ///< length of what has a direction

Vec3<double> unit(const Attributes& a, const char* attribute, const Vec3<double>& v) {
  const double length = norm(v);
  if (!(length > kSmallest)) a.fail_at(attribute, "a direction", "none");
  return (1 / length) * v;
}

SO3<double> of_columns(const Vec3<double>& x, const Vec3<double>& y, const Vec3<double>& z) {
  return so3_from_matrix(Mat3<double>{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z});
}

void read_one(const XmlElement& element, Compiler& c, Importing& importing) {
  if (const auto angle = element.choice("angle", {"radian", "degree"}))
    c.angle_unit = *angle == 0 ? 1 : Compiler{}.angle_unit;
  if (const auto sequence = element.text("eulerseq")) {
    if (sequence->size() != 3 || sequence->find_first_not_of("xyzXYZ") != std::string::npos)
      element.fail_at("eulerseq", "three of x, y, z, X, Y, Z");
    c.euler_sequence = *sequence;
  }
  c.auto_limits = element.boolean("autolimits", c.auto_limits);
  c.balance_inertia = element.boolean("balanceinertia", c.balance_inertia);
  c.strip_path = element.boolean("strippath", c.strip_path);
  c.fit_boxes = element.boolean("fitaabb", c.fit_boxes);
  if (const auto from = element.choice("inertiafromgeom", {"false", "true", "auto"}))
    c.inertia_from_geom = static_cast<Compiler::FromGeom>(*from);
  if (const auto groups = element.numbers("inertiagrouprange", 2)) {
    c.least_group = static_cast<int>((*groups)[0]);
    c.greatest_group = static_cast<int>((*groups)[1]);
  }
  const auto nonnegative = [&](const char* attribute, double& out) {
    out = element.number(attribute, out);
    if (out < 0) element.fail_at(attribute, "a number >= 0");
  };
  nonnegative("boundmass", c.least_mass);
  nonnegative("boundinertia", c.least_inertia);
  c.total_mass = element.number("settotalmass", c.total_mass);
  if (const auto folder = element.text("assetdir")) c.mesh_folder = *folder;
  if (const auto folder = element.text("meshdir")) c.mesh_folder = *folder;
  if (element.text("coordinate", "local") != "local")
    element.fail_at("coordinate", "local coordinates");
  if (element.boolean("alignfree", false))
    importing.leave_out(element, "alignfree", "frames of free bodies stay as they are; the motion is the same");
}

}  // namespace

Compiler read_compiler(const Element& mujoco, Importing& importing) {
  Compiler compiler;
  for (const Element& element : mujoco.children)
    if (element.is("compiler")) read_one(element.xml, compiler, importing);
  return compiler;
}

Vec3<double> vector_of(const std::vector<double>& three) { return {three[0], three[1], three[2]}; }

Vec3<double> position_of(const Attributes& a) {
  const auto position = a.numbers("pos", 3, 3);
  return position ? vector_of(*position) : Vec3<double>{};
}

SO3<double> rotation_to(const Vec3<double>& z) {
  const Vec3<double> axis = cross(Vec3<double>{0, 0, 1}, z);
  const double s = norm(axis);
  const double half = 0.5 * std::atan2(s, z.z);
  const Vec3<double> n = s < 1e-10 ? Vec3<double>{1, 0, 0} : (1 / s) * axis;
  return {std::cos(half), std::sin(half) * n.x, std::sin(half) * n.y, std::sin(half) * n.z};
}

SO3<double> euler_rotation(const std::vector<double>& angles, const Compiler& compiler) {
  SO3<double> all;
  for (int i = 0; i < 3; ++i) {
    const char letter = compiler.euler_sequence[i];
    const bool moved = letter >= 'x';
    Vec3<double> axis;
    axis[letter - (moved ? 'x' : 'X')] = angles[i] * compiler.angle_unit;
    const SO3<double> turn = exp_so3(axis);
    all = moved ? all * turn : turn * all;
  }
  return normalized(all);
}

SO3<double> rotation_of(const Attributes& a, const Compiler& compiler) {
  constexpr const char* kWays[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
  for (const XmlElement& layer : a.layers()) {
    int count = 0;
    for (const char* way : kWays) count += layer.has(way);
    if (count == 0) continue;
    if (count > 1) layer.fail("one of quat, axisangle, xyaxes, zaxis, euler", "several");
    if (const auto q = layer.numbers("quat", 4)) {
      const SO3<double> given{(*q)[0], (*q)[1], (*q)[2], (*q)[3]};
      const double square = given.w * given.w + given.x * given.x + given.y * given.y + given.z * given.z;
      if (!(square > kSmallest * kSmallest && std::isfinite(square))) layer.fail_at("quat", "a quaternion that is not zero");
      return normalized(given);
    }
    if (const auto turn = layer.numbers("axisangle", 4)) {
      const Vec3<double> axis = unit(a, "axisangle", {(*turn)[0], (*turn)[1], (*turn)[2]});
      return exp_so3((*turn)[3] * compiler.angle_unit * axis);
    }
    if (const auto axes = layer.numbers("xyaxes", 6)) {
      const Vec3<double> x = unit(a, "xyaxes", {(*axes)[0], (*axes)[1], (*axes)[2]});
      Vec3<double> y{(*axes)[3], (*axes)[4], (*axes)[5]};
      y = unit(a, "xyaxes", y - dot(x, y) * x);
      return of_columns(x, y, cross(x, y));
    }
    if (const auto z = layer.numbers("zaxis", 3)) return rotation_to(unit(a, "zaxis", vector_of(*z)));
    return euler_rotation(*layer.numbers("euler", 3), compiler);
  }
  return {};
}

}  // namespace torsor::mjcf
