// Vectors, axes, rotations and poses as model files write them.

#include <fmt/format.h>

#include <cmath>

#include "torsor/base/norm.h"
#include "torsor/format/model_reader_parts.h"
#include "torsor/model/check.h"

namespace torsor {
namespace {

SO3<double> about(const Vec3<double>& unit_axis, double angle) { return exp_so3(angle * unit_axis); }

SO3<double> read_matrix(const YamlView& view) {
  Vec3<double> row[3];
  const auto rows = view.list(3, "rows");
  for (int i = 0; i < 3; ++i) row[i] = read_vector(rows[i], 3, kNumber);
  double fault = std::abs(dot(cross(row[0], row[1]), row[2]) - 1);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) fault = larger(fault, std::abs(dot(row[i], row[j]) - (i == j)));
  if (!(fault < kRotationTolerance))
    view.fail("a rotation matrix", fmt::format("one that is off orthonormal by {:.2g}", fault));
  return so3_from_matrix(
      Mat3<double>{row[0].x, row[0].y, row[0].z, row[1].x, row[1].y, row[1].z, row[2].x, row[2].y, row[2].z});
}

}  // namespace

Vec3<double> read_vector(const YamlView& view, int dimension, const Quantity& quantity) {
  const auto entries = view.numbers(dimension, quantity);
  return {entries[0], entries[1], dimension == 3 ? entries[2] : 0};
}

Vec3<double> read_axis(const YamlView& view, int dimension) {
  const bool is_planar = dimension == 2 && view.is_list() && view.list().size() == 2;
  const Vec3<double> axis = read_vector(view, is_planar ? 2 : 3, kNumber);
  if (!(norm(axis) > 0)) view.fail("an axis that is not zero", "the zero vector");
  return axis;
}

SO3<double> unit_quaternion(const YamlView& view, const std::vector<double>& wxyz) {
  const SO3<double> q{wxyz[0], wxyz[1], wxyz[2], wxyz[3]};
  if (!is_unit(q))
    view.fail("a unit quaternion [w, x, y, z]", fmt::format("one of length {:.6g}", quaternion_length(q)));
  return normalized(q);
}

SO3<double> read_rotation(const YamlView& view, int dimension) {
  if (dimension == 2) return about({0, 0, 1}, view.number(kAngle));
  const char* forms = "a rotation {quaternion}, {rpy}, {axis, angle} or {matrix}";
  if (!view.is_map()) view.fail(forms);
  view.allow_keys({"quaternion", "rpy", "axis", "angle", "matrix"});
  const int count =
      view.has("quaternion") + view.has("rpy") + (view.has("axis") || view.has("angle")) + view.has("matrix");
  if (count != 1) view.fail(forms);
  if (const auto quaternion = view.find("quaternion"))
    return unit_quaternion(*quaternion, quaternion->numbers(4, kNumber));
  if (const auto rpy = view.find("rpy")) {
    const auto a = rpy->numbers(3, kAngle);
    return about({0, 0, 1}, a[2]) * about({0, 1, 0}, a[1]) * about({1, 0, 0}, a[0]);
  }
  if (const auto matrix = view.find("matrix")) return read_matrix(*matrix);
  const Vec3<double> axis = read_axis(view.at("axis", "the axis of the rotation"), 3);
  return about((1 / norm(axis)) * axis, view.at("angle", "the angle of the rotation").number(kAngle));
}

SE3<double> read_pose(const YamlView& view, int dimension) {
  view.allow_keys({"position", "rotation"});
  SE3<double> pose;
  if (const auto position = view.find("position")) pose.position = read_vector(*position, dimension, kLength);
  if (const auto rotation = view.find("rotation")) pose.rotation = read_rotation(*rotation, dimension);
  return pose;
}

}  // namespace torsor
