// `bodies`: what they weigh, given as numbers or through shapes.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>

#include "torsor/base/error.h"
#include "torsor/format/mesh_reader.h"
#include "torsor/format/model_reader_parts.h"

namespace torsor {
namespace {

double read_positive(const YamlView& view, const Quantity& quantity) {
  const double value = view.number(quantity);
  if (!(value > 0)) view.fail(fmt::format("{} above zero", described(quantity)));
  return value;
}

template <class Round>
Round read_round(const YamlView& view) {
  view.allow_keys({"radius", "length"});
  return {read_positive(view.at("radius", described(kLength)), kLength),
          read_positive(view.at("length", described(kLength)), kLength)};
}

/// In 2D `[a, b]` is a plate of unit thickness: a density counts per area.
Box read_box(const YamlView& view, int dimension) {
  const bool is_plate = dimension == 2 && view.is_list() && view.list().size() == 2;
  view.numbers(is_plate ? 2 : 3, kLength);
  std::array<double, 3> edge{1, 1, 1};
  const auto items = view.list();
  for (std::size_t i = 0; i < items.size(); ++i) edge[i] = read_positive(items[i], kLength);
  return {{edge[0], edge[1], edge[2]}};
}

/// One factor, or one along each axis; a mirrored mesh turns its triangles round, so that they are seen from outside again.
void scale_mesh(const YamlView& view, Mesh& mesh) {
  std::array<double, 3> factor{};
  if (view.is_list()) {
    const std::vector<double> three = view.numbers(3, kNumber);
    std::copy(three.begin(), three.end(), factor.begin());
  } else {
    factor.fill(view.number(kNumber));
  }
  for (const double one : factor)
    if (one == 0) view.fail("factors that are not zero");
  mesh.scale = {factor[0], factor[1], factor[2]};
  for (Vec3<double>& v : mesh.vertices) v = {factor[0] * v.x, factor[1] * v.y, factor[2] * v.z};
  if (factor[0] * factor[1] * factor[2] > 0) return;
  for (auto& [a, b, c] : mesh.triangles) std::swap(b, c);
}

/// `[r, g, b]` or `[r, g, b, opacity]`, from 0 to 1.
Color read_color(const YamlView& view) {
  const std::size_t count = view.is_list() && view.list().size() == 4 ? 4 : 3;
  const std::vector<double> values = view.numbers(count, kNumber);
  Color color{0, 0, 0, 1};
  for (std::size_t i = 0; i < count; ++i) {
    if (!(values[i] >= 0 && values[i] <= 1))
      view.fail("a colour [r, g, b] or [r, g, b, opacity] from 0 to 1");
    color[i] = values[i];
  }
  return color;
}

Mesh read_mesh_shape(const YamlView& view, const ModelReading& reading) {
  const std::string& file = view.text();
  Mesh mesh = read_mesh((std::filesystem::path(reading.folder) / file).string(), view.path());
  mesh.file = file;
  reading.triangles += mesh.triangles.size();
  if (reading.triangles > kMostTrianglesInAll)
    view.fail(fmt::format("at most {} triangles in all shapes of a model", kMostTrianglesInAll), "more");
  return mesh;
}

Shape read_shape(const YamlView& view, const ModelReading& reading) {
  view.allow_keys({"box", "cylinder", "sphere", "capsule", "ellipsoid", "mesh", "density", "mass", "pose",
                   "scale", "color"});
  const int solids = view.has("box") + view.has("cylinder") + view.has("sphere") + view.has("capsule") +
                     view.has("ellipsoid") + view.has("mesh");
  if (solids != 1) view.fail("one of box, cylinder, sphere, capsule, ellipsoid, mesh");
  Shape shape;
  if (const auto box = view.find("box")) shape.solid = read_box(*box, reading.dimension());
  if (const auto cylinder = view.find("cylinder")) shape.solid = read_round<Cylinder>(*cylinder);
  if (const auto capsule = view.find("capsule")) shape.solid = read_round<Capsule>(*capsule);
  if (const auto sphere = view.find("sphere")) {
    sphere->allow_keys({"radius"});
    shape.solid = Sphere{read_positive(sphere->at("radius", described(kLength)), kLength)};
  }
  if (const auto ellipsoid = view.find("ellipsoid")) {
    const std::vector<double> radii = ellipsoid->numbers(3, kLength);
    shape.solid = Ellipsoid{{radii[0], radii[1], radii[2]}};
  }
  if (const auto mesh = view.find("mesh")) shape.solid = read_mesh_shape(*mesh, reading);
  if (const auto scale = view.find("scale")) {
    Mesh* mesh = std::get_if<Mesh>(&shape.solid);
    if (!mesh) scale->fail("a scale only of a mesh");
    scale_mesh(*scale, *mesh);
  }
  if (const auto color = view.find("color")) shape.color = read_color(*color);
  if (const auto pose = view.find("pose")) shape.pose = read_pose(*pose, reading.dimension());
  if (const auto density = view.find("density")) shape.density = read_positive(*density, kDensity);
  if (const auto mass = view.find("mass")) shape.mass = read_positive(*mass, kMass);
  if (shape.density && shape.mass) view.at("mass", "").fail("either a density or a mass", "both");
  return shape;
}

std::vector<Shape> read_shapes(const YamlView& body, const ModelReading& reading) {
  std::vector<Shape> shapes;
  if (const auto one = body.find("shape")) shapes.push_back(read_shape(*one, reading));
  if (const auto several = body.find("shapes")) {
    if (!shapes.empty()) several->fail("either `shape` or `shapes`", "both");
    for (const YamlView& view : several->list()) shapes.push_back(read_shape(view, reading));
    if (shapes.empty()) several->fail("at least one shape");
  }
  return shapes;
}

/// An inertia tensor whose Euler tensor has no part across the plane: nothing else acts in planar motion.
Sym3<double> planar(const Sym3<double>& tensor) {
  Sym3<double> euler = euler_tensor(tensor);
  euler.zz = euler.xz = euler.yz = 0;
  return inertia_tensor(euler);
}

Sym3<double> read_inertia(const YamlView& view, int dimension) {
  if (dimension == 2 && view.is_map()) {
    view.allow_keys({"euler"});
    const auto E = view.at("euler", "the two principal Euler moments").numbers(2, kInertia);
    return inertia_tensor(Sym3<double>{E[0], E[1], 0, 0, 0, 0});
  }
  if (dimension == 2) {
    if (!view.is_scalar()) view.fail(described(kInertia) + " or {euler: [E1, E2]}");
    const double J = view.number(kInertia);
    return {J / 2, J / 2, J, 0, 0, 0};
  }
  const bool is_full = view.is_list() && view.list().size() == 6;
  if (!is_full && !(view.is_list() && view.list().size() == 3))
    view.fail("a list [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]");
  auto I = view.numbers(is_full ? 6 : 3, kInertia);
  I.resize(6, 0);
  return {I[0], I[1], I[2], I[3], I[4], I[5]};
}

/// Gives every shape that has none the density of the body, or the one that spreads the body's mass evenly.
void share_out(const YamlView& view, std::vector<Shape>& shapes) {
  const auto density = view.find("density"), mass = view.find("mass");
  if (density && mass) mass->fail("either a density or a mass", "both");
  double shared = density ? read_positive(*density, kDensity) : 0;
  if (mass) {
    double volume = 0;
    for (const Shape& shape : shapes) {
      if (shape.density || shape.mass) mass->fail("the mass of the body or those of its shapes", "both");
      volume += unit_density_inertia(shape).mass;
    }
    shared = read_positive(*mass, kMass) / volume;
  }
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    Shape& shape = shapes[i];
    if (!shape.density && !shape.mass && shared > 0) shape.density = shared;
    if (!shape.density && !shape.mass)
      throw ModelError(view.path(), "a density or mass for every shape, or mass and inertia of the body",
                       "neither");
    validate(shape,
             shapes.size() == 1 ? view.path() + ".shape" : fmt::format("{}.shapes[{}]", view.path(), i));
  }
}

void weigh_by_shapes(const YamlView& view, int dimension, Body& body) {
  if (const auto com = view.find("com"))
    com->fail("no centre of mass where the shapes give it, or `inertia` as well",
              "a centre without `inertia`");
  share_out(view, body.shapes);
  const Inertia<double> whole = shape_inertia(body.shapes);
  body.mass = whole.mass;
  body.com = com(whole);
  body.inertia = tensor_about_com(whole);
  if (dimension == 2) {
    body.com.z = 0;
    body.inertia = planar(body.inertia);
  }
}

void weigh_by_numbers(const YamlView& view, int dimension, Body& body) {
  if (const auto density = view.find("density"))
    density->fail("a density only with a shape and without `inertia`");
  for (const Shape& shape : body.shapes)
    if (shape.density || shape.mass)
      view.at("inertia", "").fail("no inertia where the shapes have a density or a mass", "both");
  body.mass = view.at("mass", described(kMass) + ", or a shape with a density").number(kMass);
  if (const auto com = view.find("com")) body.com = read_vector(*com, dimension, kLength);
  body.inertia = read_inertia(
      view.at("inertia", "the moment of inertia about the centre of mass (0 for a point mass)"), dimension);
}

Body read_body(const std::string& name, const YamlView& view, const ModelReading& reading) {
  view.allow_keys({"mass", "com", "inertia", "shape", "shapes", "density", "pose", "idealised"});
  Body body;
  body.name = name;
  if (const auto idealised = view.find("idealised")) body.idealised = idealised->boolean();
  body.shapes = read_shapes(view, reading);
  if (const auto pose = view.find("pose")) body.pose = read_pose(*pose, reading.dimension());
  if (!body.shapes.empty() && !view.has("inertia")) {
    weigh_by_shapes(view, reading.dimension(), body);
  } else {
    weigh_by_numbers(view, reading.dimension(), body);
  }
  return body;
}

}  // namespace

void read_world(const YamlView& section, ModelReading& reading) {
  section.allow_keys({"shape", "shapes"});
  reading.d.world_shapes = read_shapes(section, reading);
  for (std::size_t i = 0; i < reading.d.world_shapes.size(); ++i)
    validate(reading.d.world_shapes[i],
             section.has("shape") ? "world.shape" : fmt::format("world.shapes[{}]", i));
}

void read_bodies(const std::string& name, const YamlView& view, ModelReading& reading) {
  reading.d.bodies.push_back(read_body(name, view, reading));
  reading.bodies.add(name);
}

}  // namespace torsor
