#include "torsor/result/json_scene.h"

#include <algorithm>
#include <cmath>

#include "torsor/numerics/jacobi_eigen.h"
#include "torsor/result/base64.h"
#include "torsor/result/json_parts.h"
#include "torsor/result/thin_mesh.h"

namespace torsor {
namespace {

Json frame(const SE3<double>& X) {
  return {{"position", json_of(X.position)}, {"quaternion", json_of(X.rotation)}};
}

Json solid(const Box& box) { return {{"box", json_of(box.size)}}; }
Json solid(const Cylinder& c) { return {{"cylinder", {{"radius", c.radius}, {"length", c.length}}}}; }
Json solid(const Sphere& sphere) { return {{"sphere", {{"radius", sphere.radius}}}}; }
Json solid(const Capsule& c) { return {{"capsule", {{"radius", c.radius}, {"length", c.length}}}}; }
Json solid(const Ellipsoid& ellipsoid) { return {{"ellipsoid", json_of(ellipsoid.radii)}}; }
Json solid(const Mesh& mesh) {
  Json parts = Json::array();
  for (const Mesh::Part& part : mesh.parts) parts.push_back({{"first", part.first}, {"color", part.color}});
  std::vector<double> vertices;
  std::vector<std::int32_t> triangles;
  for (const Vec3<double>& v : mesh.vertices) vertices.insert(vertices.end(), {v.x, v.y, v.z});
  for (const auto& t : mesh.triangles) triangles.insert(triangles.end(), t.begin(), t.end());
  return {
      {"mesh",
       {{"vertices", base64_float32(vertices)}, {"triangles", base64_int32(triangles)}, {"parts", parts}}}};
}

/// Of all meshes that the page draws: robots come with millions.
constexpr double kMostSceneTriangles = 250'000;
constexpr std::size_t kFewestTriangles = 200;  ///< that a mesh is thinned to

/// The share of the triangles that may stay.
double kept_share(const Model& model) {
  double triangles = 0;
  const auto count = [&](const std::vector<Shape>& shapes) {
    for (const Shape& shape : shapes)
      if (const Mesh* mesh = std::get_if<Mesh>(&shape.solid))
        triangles += static_cast<double>(mesh->triangles.size());
  };
  count(model.world_shapes());
  for (const Body& body : model.bodies()) count(body.shapes);
  return triangles > kMostSceneTriangles ? kMostSceneTriangles / triangles : 1;
}

Json shapes_json(const std::vector<Shape>& all, double share) {
  Json shapes = Json::array();
  for (const Shape& shape : all) {
    const Mesh* mesh = std::get_if<Mesh>(&shape.solid);
    const auto most =
        mesh ? static_cast<std::size_t>(share * static_cast<double>(mesh->triangles.size())) : 0;
    Json entry = mesh && share < 1 ? solid(thinned(*mesh, std::max(most, kFewestTriangles)))
                                   : std::visit([](const auto& s) { return solid(s); }, shape.solid);
    entry.update(frame(shape.pose));
    if (shape.color) entry["color"] = *shape.color;
    shapes.push_back(entry);
  }
  return shapes;
}

/// The homogeneous box with the body's mass and inertia: I_x = m (b^2 + c^2) / 12 and so on, solved for the
/// edges. A planar body has only its turning about z, and becomes a square plate.
Json equal_box(const Body& body, int dimension) {
  if (!(body.mass > 0)) return nullptr;
  const auto edge = [&](double square) { return std::sqrt(6 * std::max(square, 0.0) / body.mass); };
  if (dimension == 2) {
    const double side = edge(body.inertia.zz);
    return {{"size", {side, side, 0.1 * side}}, {"quaternion", {1, 0, 0, 0}}};
  }
  const Sym3<double>& I = body.inertia;
  std::array<double, 9> matrix{I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}, axes{};
  jacobi_eigen(3, matrix, axes);
  const double a = matrix[0], b = matrix[4], c = matrix[8];
  const Vec3<double> x{axes[0], axes[1], axes[2]}, y{axes[3], axes[4], axes[5]}, z = cross(x, y);
  const SO3<double> turn = so3_from_matrix(Mat3<double>{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z});
  return {{"size", {edge(b + c - a), edge(c + a - b), edge(a + b - c)}}, {"quaternion", json_of(turn)}};
}

Json body_json(const Body& body, int dimension, double share) {
  return {{"name", body.name},
          {"mass", body.mass},
          {"com", json_of(body.com)},
          {"equal_box", equal_box(body, dimension)},
          {"shapes", shapes_json(body.shapes, share)}};
}

Json joint_json(const Joint& joint, bool closes_loop) {
  return {{"name", joint.name},
          {"type", name_of(joint.type)},
          {"parent", joint.parent},
          {"child", joint.child},
          {"closes_loop", closes_loop},
          {"implicit", joint.implicit},
          {"in_parent", frame(joint.in_parent)},
          {"in_child", frame(joint.in_child)}};
}

Json point_json(const Point& point) {
  return {{"name", point.name}, {"body", point.body}, {"at", json_of(point.p_B)}};
}

Json wrap_json(const Wrap& wrap) {
  static constexpr const char* kKinds[] = {"circle", "cylinder", "sphere"};
  Json json = frame({wrap.rotation, wrap.at.p_B});
  json["segment"] = wrap.segment;
  json["body"] = wrap.at.body;
  json["kind"] = kKinds[static_cast<int>(wrap.law.kind)];
  json["radius"] = wrap.law.radius;
  json["side"] = wrap.law.side ? json_of(*wrap.law.side) : Json();
  return json;
}

Json tendon_json(const Tendon& tendon) {
  Json path = Json::array(), wraps = Json::array();
  for (const Point& point : tendon.path) path.push_back(point_json(point));
  for (const Wrap& wrap : tendon.wraps) wraps.push_back(wrap_json(wrap));
  return {{"name", tendon.name},
          {"path", path},
          {"wraps", wraps},
          {"rest_length", tendon.rest_length.value(0)},
          {"tension_only", tendon.tension_only},
          {"stiff", tendon.stiffness > 0},
          {"damped", tendon.damping > 0},
          {"muscle", tendon.muscle.has_value()}};
}

/// What acts in joints and between bodies, as far as a picture has a sign for it.
Json joint_elements(const Model& model) {
  Json elements = Json::array();
  const auto add = [&](const char* kind, const std::string& name, int joint) {
    elements.push_back({{"kind", kind}, {"name", name}, {"joint", joint}});
  };
  for (const JointSpring& spring : model.elements().joint_springs) {
    if (!vanishes(spring.stiffness)) add("spring", spring.name, spring.joint);
    if (spring.is_damped()) add("damper", spring.name, spring.joint);
  }
  for (const JointFriction& friction : model.elements().friction) {
    if (!friction.tendon && friction.is_damped()) add("damper", friction.name, friction.joint);
  }
  for (const Actuator& actuator : model.actuators()) {
    if (!actuator.tendon) add("motor", actuator.name, actuator.joint);
  }
  for (const Controller& controller : model.controllers()) {
    if (controller.joint && controller.loads_joints()) add("motor", controller.name, *controller.joint);
  }
  return elements;
}

Json bushing_json(const Bushing& bushing) {
  return {{"name", bushing.name},
          {"parent", bushing.parent},
          {"child", bushing.child},
          {"in_parent", frame(bushing.in_parent)},
          {"in_child", frame(bushing.in_child)}};
}

Json load_json(const Load& load) {
  return {{"name", load.name},
          {"kind", load.kind == Load::Kind::force ? "force" : "moment"},
          {"body", load.at.body},
          {"at", json_of(load.at.p_B)},
          {"in_body_axes", load.in_body_axes}};
}

}  // namespace

std::string scene_json(const Model& model) {
  const std::vector<int>& loops = model.topology().loop_joints;
  Json bodies = Json::array(), joints = Json::array(), points = Json::array(), tendons = Json::array(),
       bushings = Json::array(), loads = Json::array();
  const double share = kept_share(model);
  for (const Body& body : model.bodies()) bodies.push_back(body_json(body, model.dimension(), share));
  for (std::size_t i = 0; i < model.joints().size(); ++i) {
    const bool closes_loop = std::find(loops.begin(), loops.end(), static_cast<int>(i)) != loops.end();
    joints.push_back(joint_json(model.joints()[i], closes_loop));
  }
  for (const Point& point : model.points()) points.push_back(point_json(point));
  for (const Tendon& tendon : model.tendons()) tendons.push_back(tendon_json(tendon));
  for (const Bushing& bushing : model.elements().bushings) bushings.push_back(bushing_json(bushing));
  for (const Load& load : model.loads()) loads.push_back(load_json(load));
  const Json scene{{"name", model.name()},
                   {"dimension", model.dimension()},
                   {"gravity", json_of(model.gravity())},
                   {"world_shapes", shapes_json(model.world_shapes(), share)},
                   {"bodies", bodies},
                   {"joints", joints},
                   {"points", points},
                   {"tendons", tendons},
                   {"joint_elements", joint_elements(model)},
                   {"bushings", bushings},
                   {"loads", loads}};
  return json_text(scene);
}

}  // namespace torsor
