#include "torsor/format/mjcf/geom.h"

#include <Eigen/Core>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "torsor/numerics/dense.h"

namespace torsor::mjcf {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kSmallestMass = 1e-15;  ///< below it a geom weighs nothing

Inertia<double> centred(double mass, double xx, double yy, double zz) {
  return {mass, {}, {xx, yy, zz, 0, 0, 0}};
}

Inertia<double> shell_of(Geom::Type type, const Vec3<double>& s) {
  const double r = s.x, h = 2 * s.y;
  switch (type) {
    case Geom::Type::sphere: {
      const double m = 4 * kPi * r * r, J = 2.0 / 3 * m * r * r;
      return centred(m, J, J, J);
    }
    case Geom::Type::capsule: {
      // Two half spheres, whose centres of mass lie r/2 from their rims, and a tube.
      const double caps = 4 * kPi * r * r, tube = 2 * kPi * r * h;
      const double across =
          caps * (2.0 / 3 * r * r + h * h / 4 + h * r / 2) + tube * (r * r / 2 + h * h / 12);
      return centred(caps + tube, across, across, caps * 2.0 / 3 * r * r + tube * r * r);
    }
    case Geom::Type::cylinder: {
      const double discs = 2 * kPi * r * r, tube = 2 * kPi * r * h;
      const double across = discs * (r * r / 4 + h * h / 4) + tube * (r * r / 2 + h * h / 12);
      return centred(discs + tube, across, across, discs * r * r / 2 + tube * r * r);
    }
    case Geom::Type::box: {
      Inertia<double> all;
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double m = 8 * s[j] * s[k];  // both faces across axis i
        double second[3];                  // int x_a^2
        second[i] = m * s[i] * s[i], second[j] = m * s[j] * s[j] / 3, second[k] = m * s[k] * s[k] / 3;
        all = all + centred(m, second[1] + second[2], second[0] + second[2], second[0] + second[1]);
      }
      return all;
    }
    default:
      return {};
  }
}

Inertia<double> solid_of(Geom::Type type, const Vec3<double>& s) {
  const double r = s.x, h = 2 * s.y;
  switch (type) {
    case Geom::Type::sphere: {
      const double m = 4.0 / 3 * kPi * r * r * r, J = 0.4 * m * r * r;
      return centred(m, J, J, J);
    }
    case Geom::Type::capsule: {
      const double balls = 4.0 / 3 * kPi * r * r * r, rod = kPi * r * r * h;
      const double across = rod * (3 * r * r + h * h) / 12 + balls * (0.4 * r * r + h * (3 * r + 2 * h) / 8);
      return centred(balls + rod, across, across, rod * r * r / 2 + balls * 0.4 * r * r);
    }
    case Geom::Type::cylinder: {
      const double m = kPi * r * r * h, across = m * (3 * r * r + h * h) / 12;
      return centred(m, across, across, m * r * r / 2);
    }
    case Geom::Type::ellipsoid: {
      const double m = 4.0 / 3 * kPi * s.x * s.y * s.z / 5;
      return centred(5 * m, m * (s.y * s.y + s.z * s.z), m * (s.x * s.x + s.z * s.z),
                     m * (s.x * s.x + s.y * s.y));
    }
    case Geom::Type::box: {
      const double m = 8 * s.x * s.y * s.z / 3;
      return centred(3 * m, m * (s.y * s.y + s.z * s.z), m * (s.x * s.x + s.z * s.z),
                     m * (s.x * s.x + s.y * s.y));
    }
    default:
      return {};
  }
}

Inertia<double> scaled(const Inertia<double>& I, double factor) {
  const Sym3<double>& J = I.about_origin;
  return {factor * I.mass,
          factor * I.first_moment,
          {factor * J.xx, factor * J.yy, factor * J.zz, factor * J.xy, factor * J.xz, factor * J.yz}};
}

int size_count(Geom::Type type) {
  switch (type) {
    case Geom::Type::sphere:
      return 1;
    case Geom::Type::capsule:
    case Geom::Type::cylinder:
      return 2;
    case Geom::Type::ellipsoid:
    case Geom::Type::box:
      return 3;
    default:
      return 0;
  }
}

YamlNode round_node(const Origin& at, double radius, double length) {
  YamlNode node = map_node(at);
  put(node, "radius", number_node(at, radius));
  put(node, "length", number_node(at, length));
  return node;
}

}  // namespace

Inertia<double> unit_inertia(Geom::Type type, const Vec3<double>& size, bool shell) {
  return shell ? shell_of(type, size) : solid_of(type, size);
}

void GeomReader::weigh(const Attributes& a, Geom& geom) {
  const bool shell = a.boolean("shellinertia", false);
  const bool has_mass = a.has("mass");
  const double mass = a.number("mass", 0), density = a.number("density", 1000);
  if (mass < 0) a.fail_at("mass", "a mass >= 0");
  if (density < 0) a.fail_at("density", "a density >= 0");
  if (has_mass ? mass <= kSmallestMass : density == 0) return;
  Inertia<double> unit;
  if (geom.type == Geom::Type::mesh) {
    const MeshInertia how = shell ? MeshInertia::shell : geom.mesh->inertia;
    unit = meshes_.unit_inertia(*geom.mesh, how);
    if (!(unit.mass > 0)) geom.element.fail("a mesh with a volume", "none");
  } else {
    if (shell && geom.type == Geom::Type::ellipsoid)
      a.fail_at("shellinertia", "no ellipsoid: the inertia of its shell has no closed form");
    unit = unit_inertia(geom.type, geom.size, shell);
  }
  if (!(unit.mass > 0)) return;  // planes, height fields
  geom.inertia = to_parent(pose(geom.pose), scaled(unit, has_mass ? mass / unit.mass : density));
}

/// A primitive with the moments of inertia of a mesh, placed as its principal axes are.
void GeomReader::fit(const Attributes& a, Geom& geom) {
  const MeshAsset& asset = meshes_.find(a);
  const double scale = a.number("fitscale", 1);
  SE3<double> place;
  double half[3];
  const Inertia<double>& I = meshes_.unit_inertia(asset, asset.inertia);
  if (!(I.mass > 0)) geom.element.fail("a mesh with a volume", "none");
  const Sym3<double> J = tensor_about_com(I);
  Eigen::Matrix3d tensor;
  tensor << J.xx, J.xy, J.xz, J.xy, J.yy, J.yz, J.xz, J.yz, J.zz;
  const PrincipalAxes<3> axes = principal_axes<3>(tensor);  // increasing; the format has them decreasing
  const auto axis = [&](int i) {
    return Vec3<double>{axes.vectors(0, i), axes.vectors(1, i), axes.vectors(2, i)};
  };
  const Vec3<double> x = axis(2), y = axis(1), z = cross(x, y);
  place = {so3_from_matrix(Mat3<double>{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}), com(I)};
  const double p[3] = {axes.values[2], axes.values[1], axes.values[0]};
  for (int i = 0; i < 3; ++i)
    half[i] = 0.5 * std::sqrt(std::max(0.0, 6 * (p[(i + 1) % 3] + p[(i + 2) % 3] - p[i]) / I.mass));
  if (compiler_.fit_boxes) {
    const auto& [vertices, faces] = meshes_.surface(asset);
    Vec3<double> low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    const SE3<double> to_place = inverse(place);
    for (const Vec3<double>& v : vertices) {
      const Vec3<double> w = act(to_place, v);
      for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], w[i]), high[i] = std::max(high[i], w[i]);
    }
    place.position = act(place, 0.5 * (low + high));
    for (int i = 0; i < 3; ++i) half[i] = 0.5 * (high[i] - low[i]);
  }
  switch (geom.type) {
    case Geom::Type::sphere:
      geom.size.x =
          compiler_.fit_boxes ? std::max({half[0], half[1], half[2]}) : (half[0] + half[1] + half[2]) / 3;
      break;
    case Geom::Type::capsule:
      geom.size.x = compiler_.fit_boxes ? std::max(half[0], half[1]) : (half[0] + half[1]) / 2;
      geom.size.y = compiler_.fit_boxes ? std::max(0.0, half[2] - geom.size.x)
                                        : std::max(0.0, half[2] - geom.size.x / 2);
      break;
    case Geom::Type::cylinder:
      geom.size.x = compiler_.fit_boxes ? std::max(half[0], half[1]) : (half[0] + half[1]) / 2;
      geom.size.y = half[2];
      break;
    default:
      geom.size = {half[0], half[1], half[2]};
  }
  geom.size = scale * geom.size;
  geom.pose = geom.pose * place;
}

Geom GeomReader::read(const Attributes& a, const SE3<double>& frame, bool weighs) {
  Geom geom{a.own()};
  geom.name = a.own().text("name", "");
  const std::vector<std::string> types{"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                       "cylinder", "box",    "mesh",   "sdf"};
  geom.type = static_cast<Geom::Type>(a.choice("type", types, a.own().has("mesh") && !a.has("type") ? 7 : 2));
  geom.group = static_cast<int>(a.number("group", 0));
  geom.collides = a.number("contype", 1) != 0 || a.number("conaffinity", 1) != 0;
  geom.rgba = a.numbers("rgba", 4, 4);
  geom.material = a.text("material", "");
  geom.size = vector_of(a.merged("size", {0, 0, 0}));
  geom.pose = pose_of(a, compiler_);
  if (const auto ends = a.numbers("fromto", 6, 6)) {
    if (size_count(geom.type) < 2)
      a.fail_at("fromto", "a capsule, cylinder, ellipsoid or box", types[int(geom.type)]);
    const Vec3<double> from{(*ends)[0], (*ends)[1], (*ends)[2]}, to{(*ends)[3], (*ends)[4], (*ends)[5]};
    const double length = norm(from - to);
    if (!(length > 1e-14)) a.fail_at("fromto", "two points that differ", "one");
    if (size_count(geom.type) == 3) geom.size.z = length / 2, geom.size.y = geom.size.x;
    if (size_count(geom.type) == 2) geom.size.y = length / 2;
    // Symmetric: the end that is higher in z turns least.
    geom.pose = {rotation_to((1 / length) * (from.z > to.z ? from - to : to - from)), 0.5 * (from + to)};
  }
  if (geom.type == Geom::Type::sdf) a.fail_at("type", "a primitive or a mesh", "sdf");
  if (geom.type == Geom::Type::mesh) {
    geom.mesh = &meshes_.find(a);
  } else if (a.has("mesh")) {
    fit(a, geom);
  }
  for (int i = 0; i < size_count(geom.type); ++i)
    if (!(geom.size[i] > 0))
      a.own().fail("a size > 0 (" + types[int(geom.type)] + ")", a.text("size", "none"));
  geom.pose = frame * geom.pose;
  if (weighs && geom.group >= compiler_.least_group && geom.group <= compiler_.greatest_group) weigh(a, geom);
  return geom;
}

std::optional<YamlNode> shape_node(const Geom& geom, const std::string& folder) {
  const Origin at = origin_of(geom.element);
  YamlNode shape = map_node(at);
  const Vec3<double>& s = geom.size;
  SE3<double> pose = geom.pose;
  switch (geom.type) {
    case Geom::Type::sphere: {
      YamlNode sphere = map_node(at);
      put(sphere, "radius", number_node(at, s.x));
      put(shape, "sphere", sphere);
      break;
    }
    case Geom::Type::capsule:
      put(shape, "capsule", round_node(at, s.x, 2 * s.y));
      break;
    case Geom::Type::cylinder:
      put(shape, "cylinder", round_node(at, s.x, 2 * s.y));
      break;
    case Geom::Type::ellipsoid:
      put(shape, "ellipsoid", vector_node(at, s));
      break;
    case Geom::Type::box:
      put(shape, "box", vector_node(at, 2.0 * s));
      break;
    case Geom::Type::mesh: {
      const MeshAsset& mesh = *geom.mesh;
      const Vec3<double>& scale = mesh.scale;
      const bool is_moved = norm(mesh.reference.position) > 0 || mesh.reference.rotation.w != 1;
      const bool is_even = scale.x == scale.y && scale.x == scale.z;
      if (mesh.file.empty() || (is_moved && !is_even)) return std::nullopt;
      put(shape, "mesh",
          text_node(
              at,
              std::filesystem::path(mesh.file).lexically_relative(folder.empty() ? "." : folder).string()));
      if (!(scale == Vec3<double>{1, 1, 1}))
        put(shape, "scale", is_even ? number_node(at, scale.x) : vector_node(at, scale));
      SE3<double> back = inverse(mesh.reference);
      back.position = scale.x * back.position;
      pose = pose * back;
      break;
    }
    default:
      return std::nullopt;
  }
  YamlNode place = pose_node(at, pose);
  if (!place.entries.empty()) put(shape, "pose", place);
  return shape;
}

}  // namespace torsor::mjcf
