#include <algorithm>
#include <numbers>
#include <utility>

#include "torsor/model/body.h"
#include "torsor/model/check.h"

namespace torsor {
namespace {

constexpr double kPi = std::numbers::pi;

Inertia<double> centred(double mass, double xx, double yy, double zz) {
  return {mass, {}, {xx, yy, zz, 0, 0, 0}};
}

Inertia<double> solid_inertia(const Box& box) {
  const auto [a, b, c] = box.size;
  const double m = a * b * c;
  return centred(m, m / 12 * (b * b + c * c), m / 12 * (a * a + c * c), m / 12 * (a * a + b * b));
}

Inertia<double> solid_inertia(const Cylinder& cylinder) {
  const double rr = cylinder.radius * cylinder.radius, l = cylinder.length, m = kPi * rr * l;
  const double across = m * (rr / 4 + l * l / 12);
  return centred(m, across, across, m * rr / 2);
}

Inertia<double> solid_inertia(const Sphere& sphere) {
  const double rr = sphere.radius * sphere.radius, m = 4.0 / 3 * kPi * rr * sphere.radius;
  return centred(m, 0.4 * m * rr, 0.4 * m * rr, 0.4 * m * rr);
}

/// A cylinder, and a sphere cut in two whose halves have moved by l/2: their centres lie 3r/8 from the cut.
Inertia<double> solid_inertia(const Capsule& capsule) {
  const double r = capsule.radius, l = capsule.length;
  const Inertia<double> sphere = solid_inertia(Sphere{r});
  const double steiner_term = sphere.mass * (l * l / 4 + 3.0 / 8 * r * l);
  return solid_inertia(Cylinder{r, l}) + sphere + centred(0, steiner_term, steiner_term, 0);
}

/// A sphere of radius 1, stretched along its axes.
Inertia<double> solid_inertia(const Ellipsoid& ellipsoid) {
  const auto [a, b, c] = ellipsoid.radii;
  const double m = 4.0 / 3 * kPi * a * b * c;
  return centred(m, m / 5 * (b * b + c * c), m / 5 * (a * a + c * c), m / 5 * (a * a + b * b));
}

/// Sum over the signed tetrahedra between each triangle and a point near the middle, where
///   int x x^T dV = V/20 (sum_k x_k x_k^T + s s^T), s = sum_k x_k.
Inertia<double> solid_inertia(const Mesh& mesh) {
  Vec3<double> middle;
  for (const Vec3<double>& vertex : mesh.vertices) middle += (1.0 / mesh.vertices.size()) * vertex;
  double volume = 0;
  Vec3<double> first;
  Mat3<double> second;
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3<double> a = mesh.vertices[i] - middle, b = mesh.vertices[j] - middle,
                       c = mesh.vertices[k] - middle, sum = a + b + c;
    const double V = dot(a, cross(b, c)) / 6;
    volume += V;
    first += (V / 4) * sum;
    second = second + (V / 20) * (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum));
  }
  const Inertia<double> about_middle{volume, first, inertia_tensor(symmetric(second))};
  return to_parent(Pose<double>{Mat3<double>::identity(), middle}, about_middle);
}

void validate_solid(const Box& box, const std::string& key) {
  for (const double edge : {box.size.x, box.size.y, box.size.z}) require_positive(edge, key + ".box");
}
void validate_solid(const Cylinder& cylinder, const std::string& key) {
  require_positive(cylinder.radius, key + ".cylinder.radius");
  require_positive(cylinder.length, key + ".cylinder.length");
}
void validate_solid(const Sphere& sphere, const std::string& key) {
  require_positive(sphere.radius, key + ".sphere.radius");
}
void validate_solid(const Ellipsoid& ellipsoid, const std::string& key) {
  for (const double radius : {ellipsoid.radii.x, ellipsoid.radii.y, ellipsoid.radii.z})
    require_positive(radius, key + ".ellipsoid");
}
void validate_solid(const Capsule& capsule, const std::string& key) {
  require_positive(capsule.radius, key + ".capsule.radius");
  require_nonnegative(capsule.length, key + ".capsule.length");
}

/// Closed and consistently turned: every edge is run through once in each direction.
void validate_closed(const Mesh& mesh, const std::string& key) {
  std::vector<std::pair<int, int>> runs;
  for (const auto& triangle : mesh.triangles) {
    for (int e = 0; e < 3; ++e) runs.emplace_back(triangle[e], triangle[(e + 1) % 3]);
  }
  std::sort(runs.begin(), runs.end());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto [from, to] = runs[i];
    const bool is_open = !std::binary_search(runs.begin(), runs.end(), std::pair(to, from));
    if (!is_open && (i == 0 || runs[i - 1] != runs[i])) continue;
    throw ModelError(key, "a closed surface whose triangles all turn the same way",
                     fmt::format("the edge between vertices {} and {} {}", from, to,
                                 is_open ? "open" : "used twice in one direction"));
  }
}

void validate_solid(const Mesh& mesh, const std::string& shape_key) {
  const std::string key = shape_key + ".mesh";
  require(!mesh.triangles.empty(), key, "a mesh with triangles", "none");
  for (const Vec3<double>& v : mesh.vertices) {  // robots have millions: no words before one is bad
    if (!(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z))) require_vector(v, 3, key);
  }
  const int count = static_cast<int>(mesh.vertices.size());
  for (const auto& triangle : mesh.triangles) {
    for (const int vertex : triangle) {
      if (vertex < 0 || vertex >= count)
        throw ModelError(key, fmt::format("vertices below {}", count), std::to_string(vertex));
    }
  }
}

/// A surface that only draws may be open; one that weighs has an inside.
void validate_weight(const Mesh& mesh, const std::string& key) {
  validate_closed(mesh, key);
  const double volume = solid_inertia(mesh).mass;
  require(volume > 0, key, "a positive volume: triangles counter-clockwise seen from outside", shown(volume));
}

Inertia<double> scaled(double factor, const Inertia<double>& I) {
  return {factor * I.mass, factor * I.first_moment, factor * I.about_origin};
}

}  // namespace

void validate(const Shape& shape, const std::string& key) {
  std::visit([&](const auto& solid) { validate_solid(solid, key); }, shape.solid);
  if (shape.density) require_positive(*shape.density, key + ".density");
  if (shape.mass) require_positive(*shape.mass, key + ".mass");
  require(!(shape.density && shape.mass), key, "a density or a mass", "both");
  const Mesh* mesh = std::get_if<Mesh>(&shape.solid);
  if (mesh && (shape.density || shape.mass)) validate_weight(*mesh, key + ".mesh");
}

Inertia<double> unit_density_inertia(const Shape& shape) {
  return std::visit([](const auto& solid) { return solid_inertia(solid); }, shape.solid);
}

Inertia<double> shape_inertia(const std::vector<Shape>& shapes) {
  Inertia<double> total;
  for (const Shape& shape : shapes) {
    const Inertia<double> unit = unit_density_inertia(shape);
    const double density = shape.mass ? *shape.mass / unit.mass : shape.density.value();
    total = total + to_parent(pose(shape.pose), scaled(density, unit));
  }
  return total;
}

}  // namespace torsor
