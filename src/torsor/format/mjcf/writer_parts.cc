#include "torsor/format/mjcf/writer_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/package_path.h"

namespace torsor::mjcf_writer {

std::string words(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : " ") + fmt::format("{}", value + 0.0);
  return text;
}
std::string words(const Vec3<double>& v) { return words(std::vector<double>{v.x, v.y, v.z}); }

void set(pugi::xml_node node, const char* name, const std::string& text) {
  node.append_attribute(name) = text.c_str();
}
void set(pugi::xml_node node, const char* name, double value) { set(node, name, fmt::format("{}", value)); }

void set_pose(pugi::xml_node node, const SE3<double>& X) {
  if (!(X.position == Vec3<double>{})) set(node, "pos", words(X.position));
  const SO3<double>& q = X.rotation;
  if (q.w != 1) set(node, "quat", words(std::vector<double>{q.w, q.x, q.y, q.z}));
}

ShapeWriter::ShapeWriter(pugi::xml_node assets, std::string model_folder, std::string folder)
    : assets_(assets), model_folder_(std::move(model_folder)), folder_(std::move(folder)) {}

void ShapeWriter::add(pugi::xml_node body, const std::vector<Shape>& shapes, const SE3<double>& X) {
  for (const Shape& shape : shapes) {
    pugi::xml_node geom = body.append_child("geom");
    std::visit([&](const auto& solid) { set_solid(geom, solid); }, shape.solid);
    set_pose(geom, X * shape.pose);
    for (const char* none : {"contype", "conaffinity", "mass"}) set(geom, none, 0.0);
    if (shape.color) set(geom, "rgba", words(std::vector<double>(shape.color->begin(), shape.color->end())));
  }
}

void ShapeWriter::set_solid(pugi::xml_node geom, const Box& box) {
  set(geom, "type", std::string("box"));
  set(geom, "size", words(0.5 * box.size));
}

void ShapeWriter::set_solid(pugi::xml_node geom, const Sphere& sphere) { set(geom, "size", sphere.radius); }

void ShapeWriter::set_solid(pugi::xml_node geom, const Cylinder& round) {
  set(geom, "type", std::string("cylinder"));
  set(geom, "size", words(std::vector<double>{round.radius, round.length / 2}));
}

void ShapeWriter::set_solid(pugi::xml_node geom, const Capsule& round) {
  set(geom, "type", std::string("capsule"));
  set(geom, "size", words(std::vector<double>{round.radius, round.length / 2}));
}

void ShapeWriter::set_solid(pugi::xml_node geom, const Ellipsoid& ellipsoid) {
  set(geom, "type", std::string("ellipsoid"));
  set(geom, "size", words(ellipsoid.radii));
}

void ShapeWriter::set_solid(pugi::xml_node geom, const Mesh& mesh) {
  const std::string name = fmt::format("mesh{}", ++meshes_);
  pugi::xml_node asset = assets_.append_child("mesh");
  set(asset, "name", name);
  set(asset, "file", path_from(folder_, (std::filesystem::path(model_folder_) / mesh.file).string()));
  if (!(mesh.scale == Vec3<double>{1, 1, 1})) set(asset, "scale", words(mesh.scale));
  set(geom, "type", std::string("mesh"));
  set(geom, "mesh", name);
}

void refuse(const std::string& key, const std::string& what) {
  throw ModelError(key,
                   "what MJCF has and this writes: trees and loops in 3D of all joints but helical ones, "
                   "springs and dampers of "
                   "coordinates, stops, friction, tendons, actuators, couplings",
                   what);
}

namespace {

/// A joint that closes a loop is an equality there, which has no coordinate to act on.
void refuse_on_loops(const Model& model) {
  const std::vector<int>& loops = model.topology().loop_joints;
  const auto require_tree = [&](int joint, const std::string& key) {
    if (std::find(loops.begin(), loops.end(), joint) != loops.end())
      refuse(key,
             fmt::format("something that acts in '{}', which closes a loop", model.joints()[joint].name));
  };
  const auto require_terms = [&](const std::vector<CoordinateTerm>& terms, const std::string& key) {
    for (const CoordinateTerm& term : terms) require_tree(term.joint, key);
  };
  for (const JointSpring& spring : model.joint_springs())
    require_tree(spring.joint, "joint_springs." + spring.name);
  for (const JointStop& stop : model.elements().stops)
    if (!stop.tendon) require_tree(stop.joint, "joints." + model.joints()[stop.joint].name + ".range");
  for (const JointFriction& friction : model.elements().friction)
    if (!friction.tendon)
      require_tree(friction.joint, "joints." + model.joints()[friction.joint].name + ".friction");
  for (const Actuator& actuator : model.actuators())
    if (!actuator.tendon) require_tree(actuator.joint, "actuators." + actuator.name);
  for (const Tendon& tendon : model.tendons()) require_terms(tendon.joints, "tendons." + tendon.name);
  for (const Coupling& coupling : model.couplings())
    require_terms(coupling.terms, "couplings." + coupling.name);
}

}  // namespace

void refuse_what_has_no_place(const Model& model) {
  if (model.dimension() != 3) refuse("dimension", "a plane model");
  for (const Joint& joint : model.joints()) {
    const std::string key = "joints." + joint.name;
    if (joint.type == JointType::helical) refuse(key, "a helical joint");
    if (joint.type == JointType::free && joint.parent != kWorld) refuse(key, "a free joint on a body");
  }
  for_each_kind(model.elements(), [&](const char* section, const auto& all) {
    const std::string kind = section;
    for (const char* known : {"tendons", "joint_springs", "stops", "friction", "actuators", "couplings"})
      if (kind == known) return;
    if (!all.empty()) refuse(kind, in_quotes(all.front().name));
  });
  for (const Tendon& tendon : model.tendons()) {
    const std::string key = "tendons." + tendon.name;
    if (tendon.muscle) refuse(key + ".muscle", "a muscle");
    if (tendon.is_wound()) refuse(key + ".rest_length", "a winch");
    if (!tendon.tension.vanishes()) refuse(key + ".tension", "a motor of its own");
  }
  for (const JointSpring& spring : model.joint_springs())
    if (spring.law == SpringLaw::euler321) refuse("joint_springs." + spring.name, "the law euler321");
  refuse_on_loops(model);
}

}  // namespace torsor::mjcf_writer
