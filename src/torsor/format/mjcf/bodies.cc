// Bodies and joints of the model: a chain of joints with links that weigh nothing where a body has several.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/format/mjcf/reference_inertia.h"
#include "torsor/format/mjcf/world.h"

namespace torsor::mjcf {
namespace {

using Type = JointData::Type;

YamlNode inertia_node(const Origin& at, const Sym3<double>& J) {
  const bool is_diagonal = J.xy == 0 && J.xz == 0 && J.yz == 0;
  std::vector<double> entries{J.xx, J.yy, J.zz};
  if (!is_diagonal) entries.insert(entries.end(), {J.xy, J.xz, J.yz});
  return numbers_node(at, entries);
}

/// The link between joint `i` of a body and the next one; the body itself after the last.
std::string link_name(const Reading& r, const BodyData& body, std::size_t i) {
  return i + 1 == body.joints.size() ? body.name : r.links.at(body.joints[i]);
}

void put_body(Reading& r, int index) {
  const BodyData& body = r.world.bodies[index];
  const Origin at = origin_of(body.element);
  YamlNode& bodies = section(r.root, "bodies");
  for (std::size_t i = 0; i + 1 < body.joints.size(); ++i) {
    const std::string name = r.unique_name("body", body.name + ":" + r.world.joints[body.joints[i]].name);
    r.links[body.joints[i]] = name;
    YamlNode link = map_node(at);
    put(link, "mass", number_node(at, 0));
    put(link, "inertia", numbers_node(at, {0, 0, 0}));
    put(link, "idealised", text_node(at, "true"));
    put(bodies, name, link);
  }
  YamlNode node = map_node(at);
  const Inertia<double>& I = body.merged;
  put(node, "mass", number_node(at, I.mass));
  if (const Vec3<double> c = com(I); c != Vec3<double>{}) put(node, "com", vector_node(at, c));
  put(node, "inertia", inertia_node(at, tensor_about_com(I)));
  YamlNode shapes = list_node(at);
  for (const BodyData& other : r.world.bodies) {
    if (other.carrier != index) continue;
    for (Geom geom : other.geoms) {
      geom.pose = other.in_carrier * geom.pose;
      if (const auto shape = drawn(r, geom)) shapes.items.push_back(*shape);
    }
  }
  if (!shapes.items.empty()) put(node, "shapes", shapes);
  put(bodies, body.name, node);
}

std::string type_name(Type type) {
  constexpr const char* kNames[] = {"free", "spherical", "prismatic", "revolute"};
  return kNames[static_cast<int>(type)];
}

/// Both frames of joint `i`: J in what the joint before moves (the parent for the first), K in what it moves. K is
/// moved by the reference coordinate, so that coordinates are those of the file.
void put_joint(Reading& r, const BodyData& body, std::size_t i) {
  const JointData& joint = r.world.joints[body.joints[i]];
  const Origin at = origin_of(joint.attributes.own());
  YamlNode node = map_node(at);
  put(node, "type", text_node(at, type_name(joint.type)));
  const bool is_first = i == 0;
  put(node, "parent", text_node(at, is_first ? carrier_name(r, body.parent) : link_name(r, body, i - 1)));
  put(node, "child", text_node(at, link_name(r, body, i)));
  SE3<double> J, K;
  if (joint.type != Type::free) {
    const SE3<double> place{{}, joint.position};
    J = is_first ? r.world.in_carrier(body.parent) * body.in_parent * place : place;
    K = place;
    if (joint.type == Type::hinge) K.rotation = exp_so3(joint.reference * joint.axis);
    if (joint.type == Type::slide) K.position = K.position + joint.reference * joint.axis;
  }
  if (const YamlNode frame = pose_node(at, J); !frame.entries.empty()) put(node, "in_parent", frame);
  if (const YamlNode frame = pose_node(at, K); !frame.entries.empty()) put(node, "in_child", frame);
  if (joint.is_scalar() && !(joint.axis == Vec3<double>{0, 0, 1}))
    put(node, "axis", vector_node(at, joint.axis));
  if (joint.armature > 0) put(node, "armature", number_node(at, joint.armature));
  if (joint.range && r.flags.limit) {
    const XmlElement& own = *joint.attributes.layer_with("range");
    if (joint.is_scalar()) {
      put(node, "range", numbers_node(at, {joint.range->first, joint.range->second}));
      r.importing.approximate(own, "range of a joint", "a stop with a spring; MuJoCo has a soft constraint");
    } else {
      r.importing.leave_out(own, "range of a ball joint", "there are no stops of cones");
    }
  }
  if (joint.friction > 0 && r.flags.friction) {
    const XmlElement& own = *joint.attributes.layer_with("frictionloss");
    if (joint.is_scalar()) {
      put(node, "friction", number_node(at, joint.friction));
      r.importing.approximate(own, "frictionloss",
                              "smooth friction that creeps below 0.01 rad/s or m/s; MuJoCo has a constraint");
    } else {
      r.importing.leave_out_of_motion(own, "ball-friction", "frictionloss of a ball or free joint",
                                      "friction is that of coordinates which are angles and lengths");
    }
  }
  put(section(r.root, "joints"), joint.name, node);
}

/// timeconst, dampratio -> stiffness, damping with the inertia that the joint moves in the reference configuration.
void apply_spring_dampers(World& world) {
  std::vector<double> inertias;
  for (std::size_t i = 0; i < world.joints.size(); ++i) {
    JointData& joint = world.joints[i];
    const auto both = joint.attributes.numbers("springdamper", 2, 2);
    if (!both || !((*both)[0] > 0 && (*both)[1] > 0)) continue;
    if (!joint.is_scalar()) joint.attributes.fail_at("springdamper", "a hinge or slide joint");
    if (inertias.empty()) inertias = free_inertias(world);
    const double T = (*both)[0], ratio = (*both)[1];
    joint.stiffness = inertias[i] / (T * T * ratio * ratio);
    joint.damping = 2 * inertias[i] / T;
  }
}

void put_spring(Reading& r, JointData joint) {
  if (!r.flags.spring) joint.stiffness = 0;
  if (!r.flags.damper) joint.damping = 0;
  if (joint.stiffness == 0 && joint.damping == 0) return;
  const Origin at = origin_of(joint.attributes.own());
  if (joint.type == Type::free) {
    if (joint.stiffness > 0)
      r.importing.leave_out_of_motion(*joint.attributes.layer_with("stiffness"), "free-stiffness",
                                      "stiffness of a free joint",
                                      "springs are those of joints that hold something");
    if (joint.damping == 0) return;
    // The rates are the velocity of the frame's origin and the angular velocity: drag.
    const std::string& body = r.world.bodies[joint.body].name;
    const std::string point = r.unique_name("site", body + ":origin");
    YamlNode place = map_node(at), drag = map_node(at);
    put(place, "body", text_node(at, body));
    put(place, "at", numbers_node(at, {0, 0, 0}));
    put(section(r.root, "points"), point, place);
    put(drag, "point", text_node(at, point));
    put(drag, "linear", number_node(at, joint.damping));
    put(drag, "angular", number_node(at, joint.damping));
    put(section(r.root, "drag"), r.unique_name("drag", joint.name), drag);
    return;
  }
  YamlNode node = map_node(at);
  put(node, "joint", text_node(at, joint.name));
  if (joint.type == Type::ball) put(node, "law", text_node(at, "log"));
  put(node, "stiffness", number_node(at, joint.stiffness));
  if (joint.is_scalar() && joint.spring_reference != 0 && joint.stiffness > 0)
    put(node, "rest", number_node(at, joint.spring_reference));
  if (joint.damping > 0) put(node, "damping", number_node(at, joint.damping));
  put(section(r.root, "joint_springs"), r.unique_name("spring", joint.name), node);
}

void put_gravity_compensation(Reading& r, const BodyData& body) {
  if (body.gravity_compensation == 0 || body.carrier == kWorld || r.gravity == Vec3<double>{}) return;
  const Origin at = origin_of(body.element);
  const std::string point = r.unique_name("site", body.name + ":gravcomp");
  YamlNode place = map_node(at), load = map_node(at);
  put(place, "body", text_node(at, r.world.bodies[body.carrier].name));
  put(place, "at", vector_node(at, act(body.in_carrier, com(body.inertia))));
  put(section(r.root, "points"), point, place);
  put(load, "point", text_node(at, point));
  put(load, "force", vector_node(at, -(body.gravity_compensation * body.inertia.mass) * r.gravity));
  put(section(r.root, "loads"), r.unique_name("load", body.name + ":gravcomp"), load);
}

}  // namespace

std::optional<YamlNode> drawn(const Reading& r, const Geom& geom) {
  constexpr int kLastShown = 2;  // of the groups that MuJoCo draws at first
  if (geom.group > kLastShown || (geom.type == Geom::Type::mesh && !r.importing.options().meshes))
    return std::nullopt;
  std::optional<YamlNode> shape = shape_node(geom, r.document.folder);
  std::optional<std::vector<double>> color = geom.rgba;
  if (const auto material = r.materials.find(geom.material); !color && material != r.materials.end())
    color = material->second;
  if (!shape || !color) return shape;
  if ((*color)[3] == 0) return std::nullopt;
  for (double& one : *color) one = std::clamp(one, 0.0, 1.0);
  put(*shape, "color", numbers_node(origin_of(geom.element), *color));
  return shape;
}

void put_bodies(Reading& r) {
  for (std::size_t i = 0; i < r.world.bodies.size(); ++i) {
    const BodyData& body = r.world.bodies[i];
    if (body.joints.empty()) {
      r.importing.convert(
          body.element, "body without joints",
          body.carrier == kWorld ? "part of the world" : "merged into the body that carries it");
    } else {
      put_body(r, static_cast<int>(i));
    }
  }
  YamlNode shapes = list_node(origin_of(r.mujoco().xml));
  const auto add = [&](Geom geom, const SE3<double>& frame) {
    geom.pose = frame * geom.pose;
    if (const auto shape = drawn(r, geom)) shapes.items.push_back(*shape);
  };
  for (const Geom& geom : r.world.ground) add(geom, {});
  for (const BodyData& body : r.world.bodies)
    if (body.carrier == kWorld)
      for (const Geom& geom : body.geoms) add(geom, body.in_carrier);
  if (!shapes.items.empty()) put(section(r.root, "world"), "shapes", shapes);
}

void put_joints(Reading& r) {
  for (const BodyData& body : r.world.bodies)
    for (std::size_t i = 0; i < body.joints.size(); ++i) put_joint(r, body, i);
  for (const SiteData& site : r.world.sites) {
    const Origin at = origin_of(site.element);
    YamlNode point = map_node(at);
    put(point, "body", text_node(at, carrier_name(r, site.body)));
    put(point, "at", vector_node(at, act(r.world.in_carrier(site.body), site.pose.position)));
    put(section(r.root, "points"), site.name, point);
  }
  apply_spring_dampers(r.world);
  for (const JointData& joint : r.world.joints) put_spring(r, joint);
  for (const BodyData& body : r.world.bodies) put_gravity_compensation(r, body);
}

}  // namespace torsor::mjcf
