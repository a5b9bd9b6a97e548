#include "torsor/format/mjcf/world.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>

#include "torsor/base/nearest.h"
#include "torsor/format/import.h"
#include "torsor/numerics/dense.h"

namespace torsor::mjcf {
namespace {

constexpr int kMostBodies = 20'000;

/// Where elements stand: the frame, the class and what copies add to names.
struct Place {
  int body = kWorld;
  SE3<double> frame;
  std::string child_class, suffix;
};

Sym3<double> at_least(const Sym3<double>& J, double least, bool balance) {
  Eigen::Matrix3d tensor;
  tensor << J.xx, J.xy, J.xz, J.xy, J.yy, J.yz, J.xz, J.yz, J.zz;
  PrincipalAxes<3> axes = principal_axes<3>(tensor);
  for (int i = 0; i < 3; ++i) axes.values[i] = std::max(axes.values[i], least);
  if (balance && axes.values[0] + axes.values[1] < axes.values[2]) axes.values.setConstant(axes.values.mean());
  Sym3<double> result{};
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d n = axes.vectors.col(i);
    const double v = axes.values[i];
    result = result + Sym3<double>{v * n[0] * n[0], v * n[1] * n[1], v * n[2] * n[2],
                                   v * n[0] * n[1], v * n[0] * n[2], v * n[1] * n[2]};
  }
  return result;
}

class WorldReader {
 public:
  explicit WorldReader(Reading& r) : r_(r), w_(r.world), geoms_(r_.compiler, r_.meshes) {}

  void read() {
    for (const Element& section : r_.mujoco().children)
      if (section.is("worldbody")) read_content(section, {});
    order_joints();
    scale_masses();
    merge();
  }

 private:
  void read_content(const Element& element, const Place& place) {
    for (const Element& child : element.children) {
      const XmlElement& xml = child.xml;
      if (child.is("body")) {
        read_body(child, place);
      } else if (child.is("frame")) {
        Place inner = place;
        inner.frame = place.frame * pose_of(Attributes(xml), r_.compiler);
        set_class(xml, inner);
        read_content(child, inner);
      } else if (child.is("replicate")) {
        replicate(child, place);
      } else if (child.is("geom")) {
        read_geom(xml, place);
      } else if (child.is("site")) {
        read_site(xml, place);
      } else if (child.is("joint") || child.is("freejoint")) {
        read_joint(xml, place);
      } else if (child.is("inertial")) {
        if (place.body == kWorld) xml.fail("an inertial of a body", "one of the world");
      } else if (child.is("camera") || child.is("light")) {
        r_.importing.leave_out(xml, "<" + xml.name() + ">", "no part of the motion");
      } else if (child.is("attach") || child.is("composite") || child.is("flexcomp") || child.is("plugin")) {
        r_.importing.leave_out_of_motion(xml, "elements", "<" + xml.name() + ">", "there is nothing like it here");
      } else {
        xml.fail("body, joint, freejoint, geom, site, inertial, frame, replicate, camera, light, attach, composite or flexcomp",
                 "<" + xml.name() + ">");
      }
    }
  }

  void set_class(const XmlElement& xml, Place& place) const {
    const auto name = xml.text("childclass");
    if (!name) return;
    if (!r_.defaults.has(*name)) xml.fail_at("childclass", "the name of a default class");
    place.child_class = *name;
  }

  void replicate(const Element& element, const Place& place) {
    const XmlElement& xml = element.xml;
    const long count = xml.integer("count", 1, 10'000).value_or(0);
    if (count == 0) xml.fail("the attribute count", "none");
    const auto offset = xml.numbers("offset", 3);
    const auto euler = xml.numbers("euler", 3);
    const std::string parted = xml.text("sep", "");
    const SE3<double> step{euler ? euler_rotation(*euler, r_.compiler) : SO3<double>{},
                           offset ? vector_of(*offset) : Vec3<double>{}};
    const int digits = static_cast<int>(std::to_string(count - 1).size());
    SE3<double> moved;
    for (long i = 0; i < count; ++i) {
      Place copy = place;
      copy.frame = place.frame * moved;
      copy.suffix += parted + fmt::format("{:0{}}", i, digits);
      set_class(xml, copy);
      read_content(element, copy);
      // Each copy is turned by the sum of the turns so far, and shifted in the axes of the one before.
      moved = moved * step;
      moved.rotation = normalized(moved.rotation);
    }
  }

  template <class Map>
  std::string name_of(const XmlElement& xml, const Place& place, const char* kind, const std::string& otherwise,
                      Map& names, const typename Map::mapped_type& index) {
    const auto own = xml.text("name");
    if (own && !own->empty()) {
      if (!names.emplace(*own + place.suffix, index).second) xml.fail_at("name", "each name once", in_quotes(*own + place.suffix) + " twice");
    }
    return r_.unique_name(kind, own && !own->empty() ? *own + place.suffix : otherwise);
  }

  void read_body(const Element& element, const Place& place) {
    const XmlElement& xml = element.xml;
    if (w_.bodies.size() >= kMostBodies) xml.fail(fmt::format("at most {} bodies", kMostBodies), "more");
    const int index = static_cast<int>(w_.bodies.size());
    BodyData body{xml};
    body.name = name_of(xml, place, "body", fmt::format("body{}", index + 1), w_.body_of, index);
    body.parent = place.body;
    body.in_parent = place.frame * pose_of(Attributes(xml), r_.compiler);
    body.in_world = w_.in_world(body.parent) * body.in_parent;
    body.gravity_compensation = xml.number("gravcomp", 0);
    if (xml.boolean("mocap", false))
      r_.importing.approximate(xml, "mocap", "stands still where it is in the file");
    for (const Element& child : element.children)
      if (child.is("inertial")) body.inertial = child.xml;
    w_.bodies.push_back(std::move(body));
    Place inner{index, {}, place.child_class, place.suffix};
    set_class(xml, inner);
    read_content(element, inner);
    weigh(index);
  }

  void read_geom(const XmlElement& xml, const Place& place) {
    const Attributes a = r_.defaults.of(xml, place.child_class);
    const bool weighs = place.body != kWorld && (r_.compiler.inertia_from_geom == Compiler::FromGeom::always ||
                                                 (r_.compiler.inertia_from_geom == Compiler::FromGeom::where_missing &&
                                                  !w_.bodies[place.body].inertial));
    std::vector<Geom>& list = place.body == kWorld ? w_.ground : w_.bodies[place.body].geoms;
    Geom geom = geoms_.read(a, place.frame, weighs);
    if (!geom.name.empty()) {
      geom.name += place.suffix;
      if (!w_.geom_of.emplace(geom.name, std::pair{place.body, static_cast<int>(list.size())}).second)
        xml.fail_at("name", "each name once", in_quotes(geom.name) + " twice");
    }
    if (a.text("fluidshape", "none") != "none") a.fail_at("fluidshape", "no fluid");
    list.push_back(std::move(geom));
  }

  void read_site(const XmlElement& xml, const Place& place) {
    const Attributes a = r_.defaults.of(xml, place.child_class);
    SiteData site{xml};
    SE3<double> pose = pose_of(a, r_.compiler);
    if (const auto ends = a.numbers("fromto", 6, 6)) {
      const Vec3<double> from{(*ends)[0], (*ends)[1], (*ends)[2]}, to{(*ends)[3], (*ends)[4], (*ends)[5]};
      const double length = norm(from - to);
      if (!(length > 1e-14)) a.fail_at("fromto", "two points that differ", "one");
      pose = {rotation_to((1 / length) * (from - to)), 0.5 * (from + to)};
    }
    const int index = static_cast<int>(w_.sites.size());
    site.name = name_of(xml, place, "site", fmt::format("site{}", index + 1), w_.site_of, index);
    site.body = place.body;
    site.pose = place.frame * pose;
    w_.sites.push_back(std::move(site));
  }

  void read_joint(const XmlElement& xml, const Place& place) {
    if (place.body == kWorld) xml.fail("a joint of a body", "one of the world");
    const bool is_free = xml.is("freejoint");
    JointData joint{is_free ? Attributes(xml) : r_.defaults.of(xml, place.child_class)};
    const Attributes& a = joint.attributes;
    joint.type = is_free ? JointData::Type::free
                         : static_cast<JointData::Type>(a.choice("type", {"free", "ball", "slide", "hinge"}, 3));
    BodyData& body = w_.bodies[place.body];
    const int index = static_cast<int>(w_.joints.size());
    joint.name = name_of(xml, place, "joint", body.joints.empty() ? body.name : fmt::format("{}_{}", body.name, body.joints.size() + 1),
                         w_.joint_of, index);
    joint.body = place.body;
    if (joint.type == JointData::Type::free) {
      if (body.parent != kWorld) xml.fail("a free joint of a body of the world", "one of a body on another");
      if (!body.joints.empty()) xml.fail("a free joint alone", "one beside others");
    } else {
      for (const int other : body.joints)
        if (w_.joints[other].type == JointData::Type::free) xml.fail("a free joint alone", "one beside others");
      joint.position = act(place.frame, position_of(a));
    }
    if (joint.is_scalar()) {
      if (const auto axis = a.numbers("axis", 3, 3)) joint.axis = vector_of(*axis);
      const double length = norm(joint.axis);
      if (!(length > 1e-14)) a.fail_at("axis", "a direction", "none");
      joint.axis = act(place.frame.rotation, (1 / length) * joint.axis);
      joint.reference = a.number("ref", 0) * joint.unit(r_.compiler);
      joint.spring_reference = a.number("springref", 0) * joint.unit(r_.compiler);
    }
    read_numbers(joint);
    body.joints.push_back(index);
    w_.joints.push_back(std::move(joint));
  }

  void read_numbers(JointData& joint) const {
    const Attributes& a = joint.attributes;
    const auto first = [&](const char* attribute, double& out) {
      const auto given = a.numbers(attribute, 1, 10);
      if (!given) return;
      for (std::size_t i = 1; i < given->size(); ++i)
        if ((*given)[i] != 0)
          r_.importing.leave_out_of_motion(*a.layer_with(attribute), "polynomials", attribute,
                                           "coefficients after the first have no counterpart");
      out = given->front();
      if (out < 0) a.fail_at(attribute, "a number >= 0");
    };
    first("armature", joint.armature);
    first("stiffness", joint.stiffness);
    first("damping", joint.damping);
    first("frictionloss", joint.friction);
    if (const auto yield = a.numbers("springyield", 1, 1); yield && yield->front() != 0)
      r_.importing.leave_out_of_motion(*a.layer_with("springyield"), "plasticity", "springyield",
                                       "springs of joints stay elastic");
    if (const auto both = a.numbers("actuatorfrcrange", 2, 2); both && a.text("actuatorfrclimited", "auto") != "false")
      r_.importing.approximate(*a.layer_with("actuatorfrcrange"), "actuatorfrcrange", "efforts are not cut");
    const auto range = a.numbers("range", 2, 2);
    const std::size_t limited = a.choice("limited", {"false", "true", "auto"}, 2);
    if (limited == 0 || (limited == 2 && !(range && r_.compiler.auto_limits)) || joint.type == JointData::Type::free) return;
    if (!range) a.own().fail("a range, since it is limited", "none");
    if (!((*range)[0] < (*range)[1]) && !(limited == 2 && (*range)[0] == 0 && (*range)[1] == 0))
      a.fail_at("range", "two numbers that increase");
    const double unit = joint.unit(r_.compiler);
    if ((*range)[0] < (*range)[1]) joint.range = std::pair{(*range)[0] * unit, (*range)[1] * unit};
  }

  void weigh(int index) {
    BodyData& body = w_.bodies[index];
    const std::optional<XmlElement>& inertial = body.inertial;
    if (inertial && r_.compiler.inertia_from_geom != Compiler::FromGeom::always) {
      const Attributes a(*inertial);
      const double mass = inertial->required_number("mass", "of the body");
      if (mass < 0) inertial->fail_at("mass", "a mass >= 0");
      SE3<double> pose = pose_of(a, r_.compiler);
      Sym3<double> J{};
      if (const auto full = inertial->numbers("fullinertia", 6)) {
        J = {(*full)[0], (*full)[1], (*full)[2], (*full)[3], (*full)[4], (*full)[5]};
      } else if (const auto diagonal_entries = inertial->numbers("diaginertia", 3)) {
        J = {(*diagonal_entries)[0], (*diagonal_entries)[1], (*diagonal_entries)[2], 0, 0, 0};
      }
      body.inertia = inertia_about_com(mass, pose.position, rotate(matrix(pose.rotation), J));
    } else {
      for (const Geom& geom : body.geoms) body.inertia = body.inertia + geom.inertia;
    }
    const Compiler& c = r_.compiler;
    if (c.least_mass > 0 || c.least_inertia > 0 || c.balance_inertia) {
      const Sym3<double> J = at_least(tensor_about_com(body.inertia), c.least_inertia, c.balance_inertia);
      body.inertia = inertia_about_com(std::max(body.inertia.mass, c.least_mass), com(body.inertia), J);
    }
  }

  /// Body by body, as MuJoCo counts coordinates: in the file a joint may stand after the bodies that it carries.
  void order_joints() {
    std::vector<JointData> ordered;
    std::vector<int> place(w_.joints.size());
    for (BodyData& body : w_.bodies) {
      for (int& joint : body.joints) {
        place[joint] = static_cast<int>(ordered.size());
        ordered.push_back(std::move(w_.joints[joint]));
        joint = place[joint];
      }
    }
    w_.joints = std::move(ordered);
    for (auto& [name, joint] : w_.joint_of) joint = place[joint];
  }

  void scale_masses() {
    if (!(r_.compiler.total_mass > 0)) return;
    double all = 0;
    for (const BodyData& body : w_.bodies) all += body.inertia.mass;
    if (!(all > 0)) return;
    const double factor = r_.compiler.total_mass / all;
    for (BodyData& body : w_.bodies) {
      const Sym3<double>& J = body.inertia.about_origin;
      body.inertia = {factor * body.inertia.mass, factor * body.inertia.first_moment,
                      {factor * J.xx, factor * J.yy, factor * J.zz, factor * J.xy, factor * J.xz, factor * J.yz}};
    }
  }

  void merge() {
    for (std::size_t i = 0; i < w_.bodies.size(); ++i) {
      BodyData& body = w_.bodies[i];
      if (!body.joints.empty()) {
        body.carrier = static_cast<int>(i);
      } else {
        body.carrier = w_.carrier(body.parent);
        body.in_carrier = w_.in_carrier(body.parent) * body.in_parent;
      }
      if (body.carrier != kWorld) {
        BodyData& carrier = w_.bodies[body.carrier];
        carrier.merged = carrier.merged + to_parent(pose(body.in_carrier), body.inertia);
      }
    }
  }

  Reading& r_;
  World& w_;
  GeomReader geoms_;
};

}  // namespace

std::vector<Element> Reading::section(const char* name) const {
  std::vector<Element> all;
  for (const Element& one : mujoco().children)
    if (one.is(name)) all.insert(all.end(), one.children.begin(), one.children.end());
  return all;
}

std::string Reading::unique_name(const std::string& kind, const std::string& wanted) {
  const std::string base = model_name(wanted);
  std::string name = base;
  for (int i = 2; !used.emplace(kind + "\n" + name, 0).second; ++i) name = fmt::format("{}_{}", base.substr(0, 190), i);
  return name;
}

int named(const std::map<std::string, int>& all, const Attributes& a, const char* attribute, const char* what) {
  const auto name = a.text(attribute);
  if (!name) return -1;
  const auto found = all.find(*name);
  if (found == all.end()) {
    std::vector<std::string> names;
    for (const auto& [known, index] : all) names.push_back(known);
    a.fail_at(attribute, what, did_you_mean(*name, names));
  }
  return found->second;
}

std::string carrier_name(const Reading& r, int body) {
  const int carrier = r.world.carrier(body);
  return carrier == kWorld ? "world" : r.world.bodies[carrier].name;
}

void read_world(Reading& r) { WorldReader(r).read(); }

}  // namespace torsor::mjcf
