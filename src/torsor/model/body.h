#pragma once
// A rigid body: what it weighs, how it is drawn, where it stands in the reference configuration.

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "torsor/base/vec.h"
#include "torsor/lie/inertia.h"
#include "torsor/lie/se3.h"

namespace torsor {

/// Index of the ground wherever a body index stands.
inline constexpr int kWorld = -1;

struct Box {
  Vec3<double> size;  ///< full edge lengths [m]
};
struct Cylinder {
  double radius, length;  ///< [m], along z
};
struct Sphere {
  double radius;  ///< [m]
};
struct Capsule {
  double radius, length;  ///< [m], of the cylindrical part, along z
};
struct Ellipsoid {
  Vec3<double> radii;  ///< half the axes [m]
};
/// Red, green, blue and opacity from 0 to 1.
using Color = std::array<double, 4>;

struct Mesh {
  /// Triangles from one on, up to those of the next part, in the colour that the file gives them.
  struct Part {
    std::size_t first = 0;
    Color color{};
  };
  std::string file;                           ///< as written in the model file
  std::vector<Vec3<double>> vertices;         ///< [m]
  std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise seen from outside
  std::vector<Part> parts{};                  ///< those before the first have no colour
  Vec3<double> scale{1, 1, 1};                ///< by which the vertices of the file have been multiplied
};

/// A solid that draws a body and, with a density or a mass, weighs it.
struct Shape {
  std::variant<Box, Cylinder, Sphere, Capsule, Ellipsoid, Mesh> solid;
  SE3<double> pose;               ///< of the shape in the body frame
  std::optional<double> density;  ///< [kg/m^3]
  std::optional<double> mass;     ///< [kg]
  std::optional<Color> color{};   ///< of all of it, whatever a mesh says itself
};

struct Body {
  std::string name;
  double mass = 0;       ///< [kg]
  Vec3<double> com;      ///< in the body frame [m]
  Sym3<double> inertia;  ///< about the centre of mass, in body axes [kg m^2]
  std::vector<Shape> shapes;
  std::optional<SE3<double>> pose;  ///< in the world, reference configuration
  /// Mass and inertia are taken as they are: none at all, or moments that no rigid body has. Dynamics of trees
  /// do not mind as long as every motion moves mass.
  bool idealised = false;
};

/// Throws ModelError at `key` unless sizes are positive and a mesh that weighs (by density or mass) is closed
/// and seen from outside.
void validate(const Shape&, const std::string& key);
/// Mass, centre and tensor of a valid solid of density 1 in its own frame.
Inertia<double> unit_density_inertia(const Shape&);
/// The sum of the valid shapes in the body frame; every shape must have a density or a mass.
Inertia<double> shape_inertia(const std::vector<Shape>&);

inline Inertia<double> body_inertia(const Body& body) {
  return inertia_about_com(body.mass, body.com, body.inertia);
}

}  // namespace torsor
