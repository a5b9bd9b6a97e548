#include "torsor/format/urdf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/base/nearest.h"

namespace torsor {
namespace {

using Names = std::map<std::string, int>;

int resolve(const XmlElement& element, const char* attribute, const char* kind, const Names& names) {
  const std::string name = element.required_text(attribute, fmt::format("the name of a {}", kind));
  const auto found = names.find(name);
  if (found != names.end()) return found->second;
  std::vector<std::string> all;
  for (const auto& [one, index] : names) all.push_back(one);
  element.fail_at(attribute, fmt::format("the name of a {}", kind), did_you_mean(name, all));
}

UrdfInertial read_inertial(const XmlElement& element, Importing& importing) {
  UrdfInertial inertial;
  inertial.line = element.line();
  inertial.origin = urdf_origin(element);
  const XmlElement mass = element.required("mass", "the mass of the link");
  inertial.mass = mass.required_number("value", "a mass [kg]");
  if (inertial.mass < 0) mass.fail_at("value", "a mass >= 0");
  const XmlElement tensor = element.required("inertia", "the inertia of the link");
  const auto entry = [&](const char* name) {
    return tensor.required_number(name, "an entry of the tensor [kg m^2]");
  };
  inertial.tensor = {entry("ixx"), entry("iyy"), entry("izz"), entry("ixy"), entry("ixz"), entry("iyz")};
  importing.leave_out_unknown(element, {}, {"origin", "mass", "inertia"});
  importing.leave_out_unknown(mass, {"value"}, {});
  importing.leave_out_unknown(tensor, {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"}, {});
  return inertial;
}

UrdfLink read_link(const XmlElement& element, UrdfDrawing& drawing, Importing& importing) {
  UrdfLink link{element.required_text("name", "the name of the link"), element, {}, {}};
  if (const auto inertial = element.only("inertial")) link.inertial = read_inertial(*inertial, importing);
  link.visuals = drawing.visuals_of(element);
  for (const XmlElement& collision : element.children("collision"))
    importing.leave_out(collision, "collision geometry", "contact is not simulated");
  for (const char* name : {"contact", "collision_checking", "surface", "self_filter"})
    for (const XmlElement& one : element.children(name))
      importing.leave_out(one, fmt::format("<{}>", name), "contact is not simulated");
  importing.leave_out_unknown(
      element, {"name", "type"},
      {"inertial", "visual", "collision", "contact", "collision_checking", "surface", "self_filter"});
  return link;
}

/// The work of the largest effort all along the range: what a motor may bring to a stop. Limits that only stand for
/// `none` say nothing of it.
std::optional<double> urdf_stop_energy(double effort, double width) {
  constexpr double kMost = 1000;  // [J]
  if (!(effort > 0) || effort >= kUrdfUnbounded) return std::nullopt;
  return std::min(effort * width, kMost);
}

void read_limit(const XmlElement& element, UrdfJoint& joint, Importing& importing) {
  const bool ranged = joint.type == UrdfJoint::Type::revolute || joint.type == UrdfJoint::Type::prismatic;
  const double lower = element.number("lower", 0), upper = element.number("upper", 0);
  if (ranged && lower > upper)
    element.fail_at("lower", fmt::format("a lower limit up to the upper one, {}", upper));
  if (ranged && lower < upper) {
    if (importing.options().limits) {
      joint.range = {lower, upper};
      joint.stop_energy = urdf_stop_energy(element.number("effort", 0), upper - lower);
      importing.convert(element, "position limits", "stops");
    } else {
      importing.leave_out(element, "position limits",
                          "they do not act unless `--limits` makes stops of them");
    }
  }
  for (const char* bound : {"effort", "velocity"})
    if (element.number(bound))
      importing.leave_out(element, fmt::format("limits of {}", bound),
                          "for controllers: nothing bounds the motion by them");
  importing.leave_out_unknown(element, {"lower", "upper", "effort", "velocity"}, {});
}

UrdfJoint read_joint_element(const XmlElement& element, const Names& links, Importing& importing) {
  UrdfJoint joint{element.required_text("name", "the name of the joint"), element};
  element.required_text("type", "the type of the joint");
  joint.type = static_cast<UrdfJoint::Type>(
      *element.choice("type", {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"}));
  joint.parent =
      resolve(element.required("parent", "the link that carries the joint"), "link", "link", links);
  joint.child = resolve(element.required("child", "the link that the joint carries"), "link", "link", links);
  joint.origin = urdf_origin(element);
  const bool has_axis = joint.type != UrdfJoint::Type::fixed && joint.type != UrdfJoint::Type::floating;
  if (const auto axis = element.only("axis"); axis && has_axis) {
    const auto xyz = axis->numbers("xyz", 3);
    if (!xyz) axis->fail("the attribute xyz, the axis", "none");
    joint.axis = {(*xyz)[0], (*xyz)[1], (*xyz)[2]};
    if (!(norm(joint.axis) > 0)) axis->fail_at("xyz", "an axis that is not zero");
    importing.leave_out_unknown(*axis, {"xyz"}, {});
  }
  if (const auto limit = element.only("limit")) read_limit(*limit, joint, importing);
  if (const auto dynamics = element.only("dynamics")) {
    joint.damping = dynamics->number("damping", 0);
    joint.friction = dynamics->number("friction", 0);
    if (joint.damping < 0) dynamics->fail_at("damping", "a damping >= 0");
    if (joint.friction < 0) dynamics->fail_at("friction", "a friction >= 0");
    importing.leave_out_unknown(*dynamics, {"damping", "friction"}, {});
  }
  for (const char* name : {"safety_controller", "calibration"})
    if (const auto one = element.only(name))
      importing.leave_out(*one, fmt::format("<{}>", name), "for controllers");
  importing.leave_out_unknown(element, {"name", "type", "dont_collapse"},
                              {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic",
                               "safety_controller", "calibration"});
  return joint;
}

void read_mimic(UrdfJoint& joint, int own, const Names& joints, Importing& importing) {
  const auto mimic = joint.element.only("mimic");
  if (!mimic) return;
  const std::string leader = mimic->required_text("joint", "the name of a joint");
  const double multiplier = mimic->number("multiplier", 1), offset = mimic->number("offset", 0);
  importing.leave_out_unknown(*mimic, {"joint", "multiplier", "offset"}, {});
  if (!joints.contains(leader)) {
    importing.leave_out_of_motion(*mimic, "mimic", "mimic",
                                  fmt::format("no joint {} to copy: it moves on its own", in_quotes(leader)));
    return;
  }
  joint.mimic = UrdfJoint::Mimic{joints.at(leader), multiplier, offset, mimic->line()};
  if (joint.mimic->joint == own) mimic->fail_at("joint", "another joint than itself");
  if (multiplier == 0) mimic->fail_at("multiplier", "a multiplier that is not zero");
}

template <class Part>
void add_named(std::vector<Part>& all, Names& names, Part part, const char* kind) {
  const auto [known, is_new] = names.emplace(part.name, static_cast<int>(all.size()));
  if (!is_new)
    part.element.fail_at("name", "every name once",
                         fmt::format("{} of a {} at line {}, too", in_quotes(part.name), kind,
                                     all[known->second].element.line()));
  all.push_back(std::move(part));
}

/// Carriers, children in the order of their joints' names (as urdfdom and Pinocchio go through them), and the one root.
void connect(Urdf& urdf, const XmlElement& robot) {
  for (std::size_t j = 0; j < urdf.joints.size(); ++j) {
    const UrdfJoint& joint = urdf.joints[j];
    UrdfLink& child = urdf.links[joint.child];
    if (child.carrier_joint >= 0)
      joint.element.fail("a link that no other joint carries: URDF knows no loops",
                         fmt::format("the link {}, which {} carries", in_quotes(child.name),
                                     in_quotes(urdf.joints[child.carrier_joint].name)));
    child.carrier_joint = static_cast<int>(j);
    urdf.links[joint.parent].joints.push_back(static_cast<int>(j));
  }
  for (UrdfLink& link : urdf.links)
    std::sort(link.joints.begin(), link.joints.end(),
              [&](int a, int b) { return urdf.joints[a].name < urdf.joints[b].name; });
  std::vector<std::string> roots;
  for (std::size_t i = 0; i < urdf.links.size(); ++i) {
    if (urdf.links[i].carrier_joint >= 0) continue;
    if (roots.empty()) urdf.root = static_cast<int>(i);
    roots.push_back(urdf.links[i].name);
  }
  if (roots.size() != 1)
    robot.fail("one root link, which no joint carries",
               roots.empty() ? "none: the joints lead round in a circle" : listed(roots));
  std::vector<int> left{urdf.root};
  std::size_t reached = 0;
  while (!left.empty()) {
    const int link = left.back();
    left.pop_back();
    ++reached;
    for (const int j : urdf.links[link].joints) left.push_back(urdf.joints[j].child);
  }
  if (reached == urdf.links.size()) return;
  for (const UrdfLink& link : urdf.links) {  // a circle beside the tree: each of it has a carrier
    int at = link.carrier_joint, steps = 0;
    while (at >= 0 && steps++ <= static_cast<int>(urdf.links.size()))
      at = urdf.links[urdf.joints[at].parent].carrier_joint;
    if (at >= 0) link.element.fail("a link that hangs on the root", "one in a circle of joints");
  }
}

}  // namespace

SE3<double> UrdfOrigin::pose() const {
  const auto about = [](const Vec3<double>& axis, double angle) { return exp_so3(angle * axis); };
  return {about({0, 0, 1}, rpy.z) * about({0, 1, 0}, rpy.y) * about({1, 0, 0}, rpy.x), xyz};
}

UrdfOrigin urdf_origin(const XmlElement& owner) {
  UrdfOrigin result;
  const auto origin = owner.only("origin");
  if (!origin) return result;
  if (const auto xyz = origin->numbers("xyz", 3)) result.xyz = {(*xyz)[0], (*xyz)[1], (*xyz)[2]};
  if (const auto rpy = origin->numbers("rpy", 3)) result.rpy = {(*rpy)[0], (*rpy)[1], (*rpy)[2]};
  return result;
}

Urdf read_urdf(const XmlElement& robot, Importing& importing) {
  Urdf urdf;
  urdf.name = robot.text("name", "");
  UrdfDrawing drawing(robot, importing);
  Names links, joints;
  for (const XmlElement& element : robot.children("link"))
    add_named(urdf.links, links, read_link(element, drawing, importing), "link");
  if (urdf.links.empty()) robot.fail("links", "none");
  for (const XmlElement& element : robot.children("joint"))
    add_named(urdf.joints, joints, read_joint_element(element, links, importing), "joint");
  for (std::size_t j = 0; j < urdf.joints.size(); ++j)
    read_mimic(urdf.joints[j], static_cast<int>(j), joints, importing);
  connect(urdf, robot);
  for (const XmlElement& element : robot.children()) {
    if (element.is("transmission")) importing.leave_out(element, "transmission", "for controllers");
    if (element.is("gazebo")) importing.leave_out(element, "<gazebo>", "of that simulator alone");
    if (element.is("ros2_control")) importing.leave_out(element, "<ros2_control>", "for controllers");
    if (element.is("sensor")) importing.leave_out(element, "sensor", "nothing is sensed");
  }
  importing.leave_out_unknown(
      robot, {"name", "version"},
      {"link", "joint", "material", "transmission", "gazebo", "ros2_control", "sensor"});
  return urdf;
}

}  // namespace torsor
