// From URDF to a model file of ours. Links that hang on fixed joints become part of what carries them, and stay as points; joints that
// carry no mass at all go the same way. Bodies and joints stand in the order in which Pinocchio goes through them.

#include <fmt/format.h>
#include <algorithm>

#include <filesystem>
#include <set>

#include "torsor/base/nearest.h"
#include "torsor/format/import.h"
#include "torsor/format/urdf.h"

namespace torsor {
namespace {

constexpr const char* kRootJoint = "root_joint";  ///< as Pinocchio calls it
constexpr double kStandardGravity = 9.81;
constexpr double kStep = 0.01, kDuration = 5;  ///< [s]; URDF says nothing

/// Where a link ends up: a body of the model, or the ground.
struct Place {
  int body = -1;     ///< index of the link that gives the body its name and frame; -1: the ground
  SE3<double> pose;  ///< of the link in the frame of the body
};

/// Names that the model file can carry, each once.
class Renaming {
 public:
  std::string operator()(const XmlElement& element, const std::string& name, Importing& importing) {
    std::string result = model_name(name);
    while (!taken_.insert(result).second) result += "_";
    if (result != name)
      importing.convert(element, "name with characters of key paths",
                        fmt::format("{} is {} here", in_quotes(name), in_quotes(result)));
    return result;
  }
  void reserve(const std::string& name) { taken_.insert(name); }

 private:
  std::set<std::string> taken_;
};

class UrdfImport {
 public:
  UrdfImport(const XmlElement& robot, const Urdf& urdf, Importing& importing)
      : robot_(robot),
        urdf_(urdf),
        importing_(importing),
        place_(urdf.links.size()),
        moves_(urdf.joints.size(), false) {}

  YamlNode run() {
    sort_links();
    find_massless_branches();
    place_links();
    name_all();
    YamlNode root = map_node(origin_of(robot_));
    const Origin origin = origin_of(robot_);
    put(root, "torsor", text_node(origin, "1"));
    const std::string file_stem = std::filesystem::path(robot_.file()).stem().string();
    put(root, "name", text_node(origin, urdf_.name.empty() ? file_stem : urdf_.name));
    put(root, "gravity", numbers_node(origin, {0, 0, -kStandardGravity}));
    add_world(root);
    section(root, "bodies");
    for (const int link : order_)
      if (place_[link].body == link) add_body(section(root, "bodies"), link);
    add_root_joint(root);
    for (const int link : order_)
      if (place_[link].body == link && link != urdf_.root)
        add_joint(section(root, "joints"), urdf_.links[link].carrier_joint);
    add_points(root);
    add_couplings(root);
    YamlNode& simulation = put(root, "simulation", map_node(origin));
    put(simulation, "step", number_node(origin, kStep));
    put(simulation, "duration", number_node(origin, kDuration));
    return root;
  }

 private:
  const UrdfLink& link(int i) const { return urdf_.links[i]; }
  const UrdfJoint& carrier(int i) const { return urdf_.joints[link(i).carrier_joint]; }
  Origin at(const XmlElement& element) const { return origin_of(element); }

  /// Depth first, children by the names of their joints.
  void sort_links() {
    std::vector<int> left{urdf_.root};
    while (!left.empty()) {
      const int at = left.back();
      left.pop_back();
      order_.push_back(at);
      const std::vector<int>& joints = link(at).joints;
      for (auto j = joints.rbegin(); j != joints.rend(); ++j) left.push_back(urdf_.joints[*j].child);
    }
  }

  static bool has_mass(const UrdfLink& link) {
    return link.inertial && (link.inertial->mass > 0 || !(link.inertial->tensor == Sym3<double>{}));
  }

  void find_massless_branches() {
    std::vector<bool> heavy(urdf_.links.size());
    for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
      heavy[*at] = heavy[*at] || has_mass(link(*at));
      if (*at == urdf_.root) continue;
      const UrdfJoint& joint = carrier(*at);
      heavy[joint.parent] = heavy[joint.parent] || heavy[*at];
      const bool is_free = joint.type != UrdfJoint::Type::fixed;
      moves_[link(*at).carrier_joint] = is_free && heavy[*at];
      if (is_free && !heavy[*at])
        importing_.leave_out(joint.element, "joint that carries no mass",
                             "fixed at zero: nothing would say how it moves");
    }
    if (!heavy[urdf_.root]) robot_.fail("a link with mass", "none");
    const bool any = std::find(moves_.begin(), moves_.end(), true) != moves_.end();
    root_is_body_ = importing_.options().floating_base || !any;
  }

  void place_links() {
    for (const int at : order_) {
      if (at == urdf_.root) {
        place_[at] = {root_is_body_ ? at : -1, {}};
      } else if (moves_[link(at).carrier_joint]) {
        place_[at] = {at, {}};
      } else {
        const Place& above = place_[carrier(at).parent];
        place_[at] = {above.body, above.pose * carrier(at).origin.pose()};
      }
    }
  }

  void name_all() {
    Renaming bodies, joints, points;
    bodies.reserve("world");
    if (root_is_body_) joints.reserve(kRootJoint);
    for (const int at : order_) {
      const bool is_body = place_[at].body == at;
      body_name_[at] = (is_body ? bodies : points)(link(at).element, link(at).name, importing_);
      if (is_body && at != urdf_.root)
        joint_name_[link(at).carrier_joint] = joints(carrier(at).element, carrier(at).name, importing_);
    }
  }

  std::string body_name(int body) const { return body < 0 ? "world" : body_name_.at(body); }

  /// Inertia of all that is part of a body, in its frame.
  Inertia<double> merged_inertia(int body, int& parts) const {
    Inertia<double> whole;
    for (const int at : order_) {
      if (place_[at].body != body || !link(at).inertial) continue;
      const UrdfInertial& own = *link(at).inertial;
      const Sym3<double> tensor = rotate(matrix(own.origin.pose().rotation), own.tensor);
      whole = whole + to_parent(pose(place_[at].pose), inertia_about_com(own.mass, own.origin.xyz, tensor));
      ++parts;
    }
    return whole;
  }

  YamlNode inertia_node(const Origin& origin, const Sym3<double>& J) const {
    std::vector<double> entries{J.xx, J.yy, J.zz, J.xy, J.xz, J.yz};
    if (J.xy == 0 && J.xz == 0 && J.yz == 0) entries.resize(3);
    return numbers_node(origin, entries);
  }

  void add_body(YamlNode& bodies, int body) {
    const Origin origin = at(link(body).element);
    YamlNode& node = put(bodies, body_name(body), map_node(origin));
    int parts = 0;
    const Inertia<double> whole = merged_inertia(body, parts);
    double mass = whole.mass;
    Vec3<double> centre = com(whole);
    Sym3<double> tensor = tensor_about_com(whole);
    Origin weight = origin;
    if (link(body).inertial) weight.line = link(body).inertial->line;
    if (parts == 1 && link(body).inertial) {  // as it is written
      const UrdfInertial& own = *link(body).inertial;
      centre = own.origin.xyz;
      tensor = own.origin.rpy == Vec3<double>{} ? own.tensor
                                                : rotate(matrix(own.origin.pose().rotation), own.tensor);
    }
    put(node, "mass", number_node(weight, mass));
    if (!(centre == Vec3<double>{})) put(node, "com", vector_node(weight, centre));
    put(node, "inertia", inertia_node(weight, tensor));
    const std::string fault = mass > 0 ? inertia_fault(mass, tensor) : "no mass";
    if (!fault.empty()) {
      put(node, "idealised", text_node(weight, "true"));
      importing_.convert(link(body).element, mass > 0 ? "inertia of no rigid body" : "body without mass",
                         mass > 0 ? "taken as it is; formulation joint only" : "formulation joint only");
    }
    importing_.convert(link(body).element, "link", "body");
    add_shapes(node, body);
  }

  void add_shapes(YamlNode& node, int body) {
    YamlNode shapes = list_node({node.file, node.line});
    for (const int part : order_) {
      if (place_[part].body != body) continue;
      for (const UrdfVisual& visual : link(part).visuals) {
        YamlNode shape = visual.shape;
        YamlNode where = pose_node({shape.file, shape.line}, place_[part].pose * visual.pose);
        if (!where.entries.empty()) put(shape, "pose", std::move(where));
        shapes.items.push_back(std::move(shape));
      }
    }
    if (!shapes.items.empty()) put(node, "shapes", std::move(shapes));
  }

  void add_world(YamlNode& root) {
    if (root_is_body_) return;
    YamlNode world = map_node(at(link(urdf_.root).element));
    add_shapes(world, -1);
    if (!world.entries.empty()) put(root, "world", std::move(world));
    importing_.convert(link(urdf_.root).element, "root link",
                       "fixed to the world; --floating-base lets it float");
  }

  void add_root_joint(YamlNode& root) {
    if (!root_is_body_) return;
    const Origin origin = at(link(urdf_.root).element);
    YamlNode& joint = put(section(root, "joints"), kRootJoint, map_node(origin));
    put(joint, "type", text_node(origin, importing_.options().floating_base ? "free" : "fixed"));
    put(joint, "parent", text_node(origin, "world"));
    put(joint, "child", text_node(origin, body_name(urdf_.root)));
  }

  YamlNode joint_frame(const Origin& origin, const UrdfJoint& joint) const {
    const Place& parent = place_[joint.parent];
    if (parent.body != joint.parent) return pose_node(origin, parent.pose * joint.origin.pose());
    YamlNode frame = map_node(origin);
    if (!(joint.origin.xyz == Vec3<double>{})) put(frame, "position", vector_node(origin, joint.origin.xyz));
    if (!(joint.origin.rpy == Vec3<double>{}))
      put(put(frame, "rotation", map_node(origin)), "rpy", vector_node(origin, joint.origin.rpy));
    return frame;
  }

  void add_joint(YamlNode& joints, int index) {
    const UrdfJoint& joint = urdf_.joints[index];
    const Origin origin = at(joint.element);
    constexpr const char* kTypes[] = {"revolute", "revolute", "prismatic", "fixed", "free", "planar"};
    const char* type = kTypes[static_cast<int>(joint.type)];
    YamlNode& node = put(joints, joint_name_.at(index), map_node(origin));
    put(node, "type", text_node(origin, type));
    put(node, "parent", text_node(origin, body_name(place_[joint.parent].body)));
    put(node, "child", text_node(origin, body_name(joint.child)));
    YamlNode frame = joint_frame(origin, joint);
    if (!frame.entries.empty()) put(node, "in_parent", std::move(frame));
    const bool is_free = joint.type == UrdfJoint::Type::floating,
               is_planar = joint.type == UrdfJoint::Type::planar;
    if (!is_free && !(joint.axis == Vec3<double>{0, 0, 1}))
      put(node, "axis", vector_node(origin, joint.axis));
    if (joint.range) put(node, "range", range_node(origin, joint));
    if (joint.damping > 0 || joint.friction > 0) add_friction(node, joint, is_free || is_planar);
    importing_.convert(joint.element, fmt::format("{} joint", joint.element.text("type", "")), type);
  }

  static YamlNode range_node(const Origin& origin, const UrdfJoint& joint) {
    const auto& [lower, upper] = *joint.range;
    if (!joint.stop_energy) return numbers_node(origin, {lower, upper});
    YamlNode range = map_node(origin);
    put(range, "lower", number_node(origin, lower));
    put(range, "upper", number_node(origin, upper));
    put(range, "energy", number_node(origin, *joint.stop_energy));
    return range;
  }

  void add_friction(YamlNode& node, const UrdfJoint& joint, bool several) {
    const XmlElement dynamics = *joint.element.first("dynamics");
    const Origin origin = at(dynamics);
    if (several) {
      importing_.leave_out(dynamics, "friction of a joint with several coordinates",
                           "URDF does not say along which");
      return;
    }
    YamlNode& friction = put(node, "friction", map_node(origin));
    if (joint.friction > 0) put(friction, "coulomb", number_node(origin, joint.friction));
    if (joint.damping > 0) put(friction, "viscous", number_node(origin, joint.damping));
    if (joint.damping > 0) importing_.convert(dynamics, "damping", "viscous friction");
    if (joint.friction > 0)
      importing_.approximate(dynamics, "friction", "Coulomb's, smooth below 0.01 rad/s, m/s");
  }

  void add_points(YamlNode& root) {
    for (const int part : order_) {
      const Place& place = place_[part];
      if (place.body == part) continue;
      const Origin origin = at(link(part).element);
      YamlNode& point = put(section(root, "points"), body_name_.at(part), map_node(origin));
      put(point, "body", text_node(origin, body_name(place.body)));
      put(point, "at", vector_node(origin, place.pose.position));
      if (part != urdf_.root)
        importing_.convert(link(part).element, "link on a fixed joint",
                           "part of the body that carries it, and a point");
    }
  }

  void add_couplings(YamlNode& root) {
    for (const int body : order_) {
      if (place_[body].body != body || body == urdf_.root) continue;
      const int index = link(body).carrier_joint;
      const UrdfJoint& joint = urdf_.joints[index];
      if (!joint.mimic) continue;
      const XmlElement element = *joint.element.first("mimic");
      const bool is_plain = joint.type != UrdfJoint::Type::floating && joint.type != UrdfJoint::Type::planar;
      const UrdfJoint& other = urdf_.joints[joint.mimic->joint];
      const bool other_plain =
          other.type != UrdfJoint::Type::floating && other.type != UrdfJoint::Type::planar;
      const auto leader = joint_name_.find(joint.mimic->joint);
      if (!is_plain || !other_plain || leader == joint_name_.end()) {
        importing_.leave_out_of_motion(element, "mimic", "mimic",
                                       fmt::format("between {} and {} there is no pair of coordinates",
                                                   in_quotes(joint.name), in_quotes(other.name)));
        continue;
      }
      const Origin origin = at(element);
      YamlNode& node = put(section(root, "couplings"), joint_name_.at(index), map_node(origin));
      YamlNode& terms = put(node, "joints", map_node(origin));
      put(terms, joint_name_.at(index), number_node(origin, 1));
      put(terms, leader->second, number_node(origin, -joint.mimic->multiplier));
      if (joint.mimic->offset != 0) put(node, "offset", number_node(origin, joint.mimic->offset));
      importing_.convert(element, "mimic", "coupling");
    }
  }

  const XmlElement& robot_;
  const Urdf& urdf_;
  Importing& importing_;
  std::vector<Place> place_;
  std::vector<bool> moves_;  ///< of each joint: whether it is one of the model
  std::vector<int> order_;   ///< links, depth first
  bool root_is_body_ = false;
  std::map<int, std::string> body_name_, joint_name_;
};

}  // namespace

YamlNode import_urdf(const XmlElement& robot, Importing& importing) {
  const Urdf urdf = read_urdf(robot, importing);
  return UrdfImport(robot, urdf, importing).run();
}

}  // namespace torsor
