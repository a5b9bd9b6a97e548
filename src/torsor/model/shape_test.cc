#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "torsor/base/error.h"
#include "torsor/model/body.h"

namespace torsor {
namespace {

constexpr double kPi = std::numbers::pi;

void expect_near(const Inertia<double>& a, const Inertia<double>& b, double tolerance) {
  const double size = b.about_origin.xx + b.about_origin.yy + b.about_origin.zz;
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  EXPECT_LT(norm(a.first_moment - b.first_moment), tolerance * std::sqrt(b.mass * size));
  const Sym3<double> d = a.about_origin - b.about_origin;
  for (const double entry : {d.xx, d.yy, d.zz, d.xy, d.xz, d.yz})
    EXPECT_LT(std::abs(entry), tolerance * size);
}

Mesh box_mesh(const Vec3<double>& size, const Vec3<double>& at) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.push_back(at + Vec3<double>{(i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y,
                                              (i & 4 ? 0.5 : -0.5) * size.z});
  }
  const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                           {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces) {
    mesh.triangles.push_back({f[0], f[1], f[2]});
    mesh.triangles.push_back({f[0], f[2], f[3]});
  }
  return mesh;
}

/// An octahedron whose triangles are divided in four, with the vertices pushed onto the sphere.
Mesh sphere_mesh(double radius, int divisions) {
  Mesh mesh;
  mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int d = 0; d < divisions; ++d) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [at, fresh] = middles.try_emplace(std::minmax(a, b), static_cast<int>(mesh.vertices.size()));
      if (fresh) {
        const Vec3<double> m = mesh.vertices[a] + mesh.vertices[b];
        mesh.vertices.push_back((1 / norm(m)) * m);
      }
      return at->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh.triangles = finer;
  }
  for (Vec3<double>& vertex : mesh.vertices) vertex = radius * vertex;
  return mesh;
}

Inertia<double> unit(const Shape& shape) { return unit_density_inertia(shape); }

TEST(Shape, KnownSolids) {
  const Inertia<double> box = unit({Box{{1, 2, 3}}, {}, {}, {}});
  EXPECT_DOUBLE_EQ(box.mass, 6);
  EXPECT_DOUBLE_EQ(box.about_origin.xx, 6.5);
  EXPECT_DOUBLE_EQ(box.about_origin.yy, 5);
  EXPECT_DOUBLE_EQ(box.about_origin.zz, 2.5);
  const Inertia<double> cylinder = unit({Cylinder{2, 3}, {}, {}, {}});
  EXPECT_DOUBLE_EQ(cylinder.mass, 12 * kPi);
  EXPECT_DOUBLE_EQ(cylinder.about_origin.zz, 24 * kPi);
  EXPECT_DOUBLE_EQ(cylinder.about_origin.xx, 12 * kPi * (4 / 4.0 + 9 / 12.0));
  const Inertia<double> sphere = unit({Sphere{2}, {}, {}, {}});
  EXPECT_DOUBLE_EQ(sphere.mass, 32 * kPi / 3);
  EXPECT_DOUBLE_EQ(sphere.about_origin.yy, 0.4 * 4 * 32 * kPi / 3);
}

/// Each moment of second order of a sphere goes with the square of the stretch along its axis.
TEST(Shape, EllipsoidIsAStretchedSphere) {
  expect_near(unit({Ellipsoid{{0.7, 0.7, 0.7}}, {}, {}, {}}), unit({Sphere{0.7}, {}, {}, {}}), 1e-15);
  const Vec3<double> radii{0.3, 0.5, 1.1};
  const Inertia<double> sphere = unit({Sphere{1}, {}, {}, {}});
  const double along = sphere.about_origin.xx / 2, stretch = radii.x * radii.y * radii.z;  // int x^2 dV
  const auto moment = [&](double b, double c) { return stretch * along * (b * b + c * c); };
  expect_near(unit({Ellipsoid{radii}, {}, {}, {}}),
              {stretch * sphere.mass,
               {},
               {moment(radii.y, radii.z), moment(radii.x, radii.z), moment(radii.x, radii.y), 0, 0, 0}},
              1e-14);  // measured 0
}

TEST(Shape, CapsuleBetweenItsLimits) {
  expect_near(unit({Capsule{0.7, 1e-15}, {}, {}, {}}), unit({Sphere{0.7}, {}, {}, {}}), 1e-14);
  // Slices of thickness dz: dI_xx = (r^2/4 + z^2) dm, dI_zz = r^2/2 dm; by Simpson's rule.
  const double r = 0.7, l = 1.9;
  double mass = 0, xx = 0, zz = 0;
  const auto add = [&](double z0, double z1, auto radius2) {
    const int n = 200;
    for (int i = 0; i < n; ++i) {
      const double a = z0 + (z1 - z0) * i / n, b = z0 + (z1 - z0) * (i + 1) / n;
      const double z[3] = {a, (a + b) / 2, b}, w[3] = {1, 4, 1};
      for (int k = 0; k < 3; ++k) {
        const double rr = radius2(z[k]), dm = w[k] * (b - a) / 6 * kPi * rr;
        mass += dm, xx += dm * (rr / 4 + z[k] * z[k]), zz += dm * rr / 2;
      }
    }
  };
  const auto cap = [&](double z) { return r * r - (std::abs(z) - l / 2) * (std::abs(z) - l / 2); };
  add(-l / 2 - r, -l / 2, cap);
  add(-l / 2, l / 2, [&](double) { return r * r; });
  add(l / 2, l / 2 + r, cap);
  expect_near(unit({Capsule{r, l}, {}, {}, {}}), {mass, {}, {xx, xx, zz, 0, 0, 0}}, 1e-11);  // measured 5e-13
}

TEST(Shape, MeshOfABoxIsTheBox) {
  const Vec3<double> size{0.3, 1.1, 2.5}, at{40, -3, 7};
  const SE3<double> away{{}, at};
  expect_near(unit({box_mesh(size, {}), {}, {}, {}}), unit({Box{size}, {}, {}, {}}), 1e-14);
  const Inertia<double> moved = to_parent(pose(away), unit({Box{size}, {}, {}, {}}));
  expect_near(unit({box_mesh(size, at), {}, {}, {}}), moved, 1e-13);  // measured 1e-14: the vertices round
}

TEST(Shape, MeshOfASphereConvergesWithTheSquareOfTheEdge) {
  const Inertia<double> exact = unit({Sphere{1.5}, {}, {}, {}});
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const Shape shape{sphere_mesh(1.5, 4 + i), {}, {}, {}};
    EXPECT_NO_THROW(validate(shape, "shape"));
    error[i] = std::abs(unit(shape).about_origin.xx / exact.about_origin.xx - 1);
  }
  EXPECT_LT(error[1], 3e-3);
  EXPECT_NEAR(error[0] / error[1], 4, 0.05);  // measured 3.98
}

TEST(Shape, ShapesAddInTheBodyFrame) {
  // Two halves of a box, one of them turned by a half turn, make the box.
  const SE3<double> left{{}, {-0.5, 0, 0}}, right{{0, 0, 0, 1}, {0.5, 0, 0}};
  const Shape half_left{Box{{1, 1, 3}}, left, 2.0, {}}, half_right{Box{{1, 1, 3}}, right, {}, 6.0};
  const Shape whole{Box{{2, 1, 3}}, {}, 2.0, {}};
  expect_near(shape_inertia({half_left, half_right}), shape_inertia({whole}), 1e-14);
}

TEST(Shape, FaultyShapesAreRefused) {
  Mesh open = box_mesh({1, 1, 1}, {}), inside_out = open, twisted = open, wild = open;
  open.triangles.pop_back();
  for (auto& triangle : inside_out.triangles) std::swap(triangle[0], triangle[1]);
  std::swap(twisted.triangles[3][0], twisted.triangles[3][1]);
  wild.triangles[0][0] = 8;
  const std::vector<std::pair<Shape, std::string>> table = {
      {{Box{{1, 0, 1}}, {}, {}, {}}, "s.box"},
      {{Box{{1, -1, 1}}, {}, {}, {}}, "s.box"},
      {{Sphere{std::nan("")}, {}, {}, {}}, "s.sphere.radius"},
      {{Cylinder{1, 0}, {}, {}, {}}, "s.cylinder.length"},
      {{Capsule{0, 1}, {}, {}, {}}, "s.capsule.radius"},
      {{Ellipsoid{{1, 0, 1}}, {}, {}, {}}, "s.ellipsoid"},
      {{Sphere{1}, {}, -1.0, {}}, "s.density"},
      {{Sphere{1}, {}, {}, 0.0}, "s.mass"},
      {{Sphere{1}, {}, 1.0, 1.0}, "s"},
      {{Mesh{}, {}, {}, {}}, "s.mesh"},
      {{open, {}, 1.0, {}}, "s.mesh"},
      {{inside_out, {}, {}, 1.0}, "s.mesh"},
      {{twisted, {}, 1.0, {}}, "s.mesh"},
      {{wild, {}, {}, {}}, "s.mesh"}};
  EXPECT_NO_THROW(validate({open, {}, {}, {}}, "s"));  // it only draws
  for (const auto& [shape, key] : table) {
    try {
      validate(shape, "s");
      ADD_FAILURE() << "accepted: " << key;
    } catch (const ModelError& error) {
      EXPECT_EQ(error.key, key) << error.what();
    }
  }
}

}  // namespace
}  // namespace torsor
