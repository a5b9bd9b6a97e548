// A model as URDF. A link's frame is that of its joint, as URDF wants it: the body's own, shifted to the joint.

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/convert.h"
#include "torsor/format/model_reader_parts.h"
#include "torsor/format/package_path.h"
#include "torsor/format/urdf.h"
#include "torsor/model/topology.h"

namespace torsor {
namespace {

std::string triple(const Vec3<double>& v) { return fmt::format("{} {} {}", v.x + 0.0, v.y + 0.0, v.z + 0.0); }

/// Angles about the fixed axes x, y, z; at a pitch of 90 degrees the yaw is 0.
Vec3<double> rpy_of(const SO3<double>& rotation) {
  const Mat3<double> R = matrix(rotation);
  const double across = std::hypot(R.xx, R.yx);
  if (across < 1e-12) return {std::atan2(-R.yz, R.yy), std::atan2(-R.zx, across), 0};
  return {std::atan2(R.zy, R.zz), std::atan2(-R.zx, across), std::atan2(R.yx, R.xx)};
}

void add_origin(pugi::xml_node owner, const SE3<double>& X) {
  pugi::xml_node origin = owner.append_child("origin");
  origin.append_attribute("xyz") = triple(X.position).c_str();
  origin.append_attribute("rpy") = triple(rpy_of(X.rotation)).c_str();
}

void set_number(pugi::xml_node node, const char* name, double value) {
  node.append_attribute(name) = fmt::format("{}", value).c_str();
}

class UrdfWriter {
 public:
  UrdfWriter(const Model& model, std::string model_folder, std::string folder)
      : model_(model), model_folder_(std::move(model_folder)), folder_(std::move(folder)) {}

  std::string text() {
    refuse_what_urdf_lacks();
    frames_.resize(model_.bodies().size());
    for (const Joint& joint : model_.joints()) frames_[joint.child] = link_frame(joint);
    pugi::xml_document document;
    robot_ = document.append_child("robot");
    robot_.append_attribute("name") = model_.name().c_str();
    pugi::xml_node world = add_link("world");
    add_visuals(world, model_.world_shapes(), {});
    for (std::size_t b = 0; b < model_.bodies().size(); ++b) add_body(static_cast<int>(b));
    for (std::size_t j = 0; j < model_.joints().size(); ++j) add_joint(static_cast<int>(j));
    for (const Point& point : model_.points()) add_point(point);
    std::ostringstream stream;
    document.save(stream, "  ", pugi::format_default, pugi::encoding_utf8);
    return stream.str();
  }

 private:
  [[noreturn]] static void refuse(const std::string& key, const std::string& what) {
    throw ModelError(
        key,
        "what URDF has: a tree of fixed, revolute, prismatic, planar and free joints in 3D under gravity "
        "[0, 0, -9.81], with friction, ranges, points and couplings of two coordinates",
        what);
  }

  void refuse_what_urdf_lacks() const {
    if (model_.dimension() != 3) refuse("dimension", "a plane model");
    const Vec3<double>& g = model_.gravity();
    if (!(g == Vec3<double>{0, 0, -9.81})) refuse("gravity", fmt::format("[{}, {}, {}]", g.x, g.y, g.z));
    for (const int j : model_.topology().loop_joints)
      refuse("joints." + model_.joints()[j].name, "a joint that closes a loop");
    for (const Joint& joint : model_.joints()) {
      const bool known = joint.type == JointType::fixed || joint.type == JointType::revolute ||
                         joint.type == JointType::prismatic || joint.type == JointType::planar ||
                         joint.type == JointType::free;
      if (!known) refuse("joints." + joint.name, fmt::format("a {} joint", name_of(joint.type)));
    }
    for_each_kind(model_.elements(), [&](const char* section, const auto& all) {
      const std::string kind = section;
      if (kind == "stops" || kind == "friction" || kind == "couplings") return;
      if (!all.empty()) refuse(kind, in_quotes(all.front().name));
    });
    for (const Coupling& coupling : model_.couplings()) {
      if (coupling.terms.size() != 2 || has_several(coupling.terms[0].joint) ||
          has_several(coupling.terms[1].joint))
        refuse("couplings." + coupling.name, "one of other than two coordinates");
    }
    for (const JointStop& stop : model_.elements().stops) {
      const std::string key = "joints." + model_.joints()[stop.joint].name + ".range";
      if (has_several(stop.joint)) refuse(key, "ranges of several coordinates");
      const JointStop::Range& range = stop.ranges[0];
      if (!std::isfinite(range.lower) || !std::isfinite(range.upper)) refuse(key, "a range with one bound");
      if (range.damping > 0) refuse(key, "a stop with damping");
    }
    for (const JointFriction& friction : model_.elements().friction) {
      const std::string key = "joints." + model_.joints()[friction.joint].name + ".friction";
      if (has_several(friction.joint)) refuse(key, "friction of several coordinates");
      if (friction.laws[0].smooth_velocity != FrictionLaw{}.smooth_velocity)
        refuse(key + ".velocity", "a velocity of its own");
      if (friction.laws[0].breakaway != friction.laws[0].coulomb)
        refuse(key + ".stribeck", "a Stribeck effect");
    }
  }

  bool has_several(int joint) const { return rate_count(model_.joints()[joint].type, 3) > 1; }

  static bool is_turned(const Joint& joint) {
    return joint.type == JointType::planar || joint.type == JointType::free;
  }

  /// X_BL.
  static SE3<double> link_frame(const Joint& joint) {
    return is_turned(joint) ? joint.in_child : SE3<double>{{}, joint.in_child.position};
  }
  SE3<double> from_link(int body) const { return body == kWorld ? SE3<double>{} : inverse(frames_[body]); }
  std::string link_name(int body) const { return body == kWorld ? "world" : model_.bodies()[body].name; }

  pugi::xml_node add_link(const std::string& name) {
    names_.insert(name);
    pugi::xml_node link = robot_.append_child("link");
    link.append_attribute("name") = name.c_str();
    return link;
  }

  void add_body(int b) {
    const Body& body = model_.bodies()[b];
    pugi::xml_node link = add_link(body.name);
    pugi::xml_node inertial = link.append_child("inertial");
    const SE3<double> X_LB = from_link(b);
    add_origin(inertial, X_LB * SE3<double>{{}, body.com});
    set_number(inertial.append_child("mass"), "value", body.mass);
    pugi::xml_node inertia = inertial.append_child("inertia");
    const Sym3<double>& J = body.inertia;
    for (const auto& [name, entry] :
         {std::pair{"ixx", J.xx}, {"ixy", J.xy}, {"ixz", J.xz}, {"iyy", J.yy}, {"iyz", J.yz}, {"izz", J.zz}})
      set_number(inertia, name, entry);
    add_visuals(link, body.shapes, X_LB);
  }

  void add_visuals(pugi::xml_node link, const std::vector<Shape>& shapes, const SE3<double>& X_LB) {
    for (const Shape& shape : shapes) {
      pugi::xml_node visual = link.append_child("visual");
      add_origin(visual, X_LB * shape.pose);
      pugi::xml_node geometry = visual.append_child("geometry");
      std::visit([&](const auto& solid) { add_solid(geometry, solid); }, shape.solid);
      if (!shape.color) continue;
      pugi::xml_node material = visual.append_child("material");
      const Color& c = *shape.color;
      const std::string rgba = fmt::format("{} {} {} {}", c[0], c[1], c[2], c[3]);
      const auto [known, is_new] = materials_.emplace(rgba, fmt::format("color_{}", materials_.size() + 1));
      material.append_attribute("name") = known->second.c_str();
      material.append_child("color").append_attribute("rgba") = rgba.c_str();
    }
  }

  static void add_solid(pugi::xml_node geometry, const Box& box) {
    geometry.append_child("box").append_attribute("size") = triple(box.size).c_str();
  }
  static void add_solid(pugi::xml_node geometry, const Sphere& sphere) {
    set_number(geometry.append_child("sphere"), "radius", sphere.radius);
  }
  template <class Round>
  static void add_round(pugi::xml_node geometry, const char* name, const Round& round) {
    pugi::xml_node node = geometry.append_child(name);
    set_number(node, "radius", round.radius);
    set_number(node, "length", round.length);
  }
  static void add_solid(pugi::xml_node geometry, const Cylinder& cylinder) {
    add_round(geometry, "cylinder", cylinder);
  }
  static void add_solid(pugi::xml_node geometry, const Capsule& capsule) {
    add_round(geometry, "capsule", capsule);
  }
  /// URDF has none: the box around it.
  static void add_solid(pugi::xml_node geometry, const Ellipsoid& ellipsoid) {
    add_solid(geometry, Box{2.0 * ellipsoid.radii});
  }
  void add_solid(pugi::xml_node geometry, const Mesh& mesh) const {
    pugi::xml_node node = geometry.append_child("mesh");
    const std::string file = (std::filesystem::path(model_folder_) / mesh.file).string();
    node.append_attribute("filename") = path_from(folder_, file).c_str();
    if (!(mesh.scale == Vec3<double>{1, 1, 1})) node.append_attribute("scale") = triple(mesh.scale).c_str();
  }

  void connect(pugi::xml_node joint, const std::string& parent, const std::string& child) {
    joint.append_child("parent").append_attribute("link") = parent.c_str();
    joint.append_child("child").append_attribute("link") = child.c_str();
  }

  /// From which reading makes the same stop.
  static double effort_of_stop(const JointStop::Range& range) {
    const double width = range.upper - range.lower, usual = default_stop_stiffness(width);
    return std::abs(range.stiffness - usual) > 1e-9 * usual ? range.stiffness / usual * kStopEnergy / width
                                                            : kUrdfUnbounded;
  }

  void add_joint(int j) {
    const Joint& joint = model_.joints()[j];
    const JointStop::Range* range = nullptr;
    for (const JointStop& stop : model_.elements().stops)
      if (stop.joint == j) range = &stop.ranges[0];
    const bool bounded = range != nullptr;
    pugi::xml_node node = robot_.append_child("joint");
    node.append_attribute("name") = joint.name.c_str();
    node.append_attribute("type") = type_of(joint.type, bounded);
    const SE3<double> X_LK = inverse(frames_[joint.child]) * joint.in_child;
    add_origin(node, from_link(joint.parent) * joint.in_parent * inverse(X_LK));
    connect(node, link_name(joint.parent), link_name(joint.child));
    if (has_axis(joint.type))
      node.append_child("axis").append_attribute("xyz") = triple(axis_in_link(X_LK)).c_str();
    if (bounded || joint.type == JointType::prismatic) {
      pugi::xml_node limit = node.append_child("limit");
      set_number(limit, "lower", bounded ? range->lower : -kUrdfUnbounded);
      set_number(limit, "upper", bounded ? range->upper : kUrdfUnbounded);
      set_number(limit, "effort", bounded ? effort_of_stop(*range) : kUrdfUnbounded);
      set_number(limit, "velocity", kUrdfUnbounded);
    }
    for (const JointFriction& friction : model_.elements().friction) {
      if (friction.joint != j) continue;
      pugi::xml_node dynamics = node.append_child("dynamics");
      set_number(dynamics, "damping", friction.laws[0].viscous);
      set_number(dynamics, "friction", friction.laws[0].coulomb);
    }
    add_mimic(node, j);
  }

  static Vec3<double> axis_in_link(const SE3<double>& X_LK) {
    return act(X_LK.rotation, Vec3<double>{0, 0, 1});
  }

  static const char* type_of(JointType type, bool bounded) {
    switch (type) {
      case JointType::revolute:
        return bounded ? "revolute" : "continuous";
      case JointType::prismatic:
        return "prismatic";
      case JointType::planar:
        return "planar";
      case JointType::free:
        return "floating";
      default:
        return "fixed";
    }
  }

  /// q_j = multiplier q_other + offset: a joint copies once.
  void add_mimic(pugi::xml_node node, int j) {
    for (const Coupling& coupling : model_.couplings()) {
      const Coupling::Term &first = coupling.terms[0], &second = coupling.terms[1];
      if (first.joint != j) continue;
      if (node.child("mimic")) refuse("couplings." + coupling.name, "a second coupling of a joint");
      pugi::xml_node mimic = node.append_child("mimic");
      mimic.append_attribute("joint") = model_.joints()[second.joint].name.c_str();
      set_number(mimic, "multiplier", -second.factor / first.factor);
      set_number(mimic, "offset", coupling.offset / first.factor);
    }
  }

  void add_point(const Point& point) {
    std::string name = point.name;
    while (names_.contains(name)) name += "_";
    add_link(name);
    pugi::xml_node joint = robot_.append_child("joint");
    std::string joint_name = name + "_fixed";
    for (const Joint& other : model_.joints())
      if (other.name == joint_name) joint_name += "_";
    joint.append_attribute("name") = joint_name.c_str();
    joint.append_attribute("type") = "fixed";
    add_origin(joint, from_link(point.body) * SE3<double>{{}, point.p_B});
    connect(joint, link_name(point.body), name);
  }

  const Model& model_;
  std::string model_folder_, folder_;
  std::vector<SE3<double>> frames_;  ///< X_BL of each body
  std::set<std::string> names_;      ///< of links
  std::map<std::string, std::string> materials_;
  pugi::xml_node robot_;
};

}  // namespace

std::string urdf_text(const Model& model, const std::string& model_folder, const std::string& folder) {
  return UrdfWriter(model, model_folder, folder).text();
}

}  // namespace torsor
