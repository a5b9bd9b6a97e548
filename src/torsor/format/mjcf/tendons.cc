// Tendons: through sites and round geoms, or sums of joint coordinates.

#include <fmt/format.h>

#include <map>

#include "torsor/base/nearest.h"
#include "torsor/format/mjcf/world.h"
#include "torsor/model/wrap_law.h"

namespace torsor::mjcf {
namespace {

constexpr double kNowhere = 1e10;  ///< a length that no sum of coordinates has

/// A geom that a segment goes round.
struct Round {
  std::size_t segment;
  YamlNode node;
  int body;
  SE3<double> in_body;
  WrapLaw law;
};

struct Path {
  std::vector<int> sites;
  std::vector<Round> rounds;
};

Round read_round(Reading& r, const XmlElement& xml, std::size_t segment, const std::string& before) {
  const World& w = r.world;
  const Attributes a(xml);
  const auto found = w.geom_of.find(xml.required_text("geom", "a sphere or cylinder to go round"));
  if (found == w.geom_of.end()) xml.fail_at("geom", "the name of a geom");
  const Geom& geom = w.geom(found->second);
  const int body = found->second.first;
  if (geom.type != Geom::Type::sphere && geom.type != Geom::Type::cylinder)
    xml.fail_at("geom", "a sphere or a cylinder to go round");
  const Origin at = origin_of(xml);
  const SE3<double> in_carrier = w.in_carrier(body) * geom.pose;
  Round round{segment, map_node(at), body, geom.pose, {}};
  const bool is_sphere = geom.type == Geom::Type::sphere;
  round.law.kind = is_sphere ? WrapLaw::Kind::sphere : WrapLaw::Kind::cylinder;
  round.law.radius = geom.size.x;
  YamlNode between = list_node(at);
  between.items.push_back(text_node(at, before));
  put(round.node, "between", between);
  put(round.node, "body", text_node(at, carrier_name(r, body)));
  put(round.node, "at", vector_node(at, in_carrier.position));
  put(round.node, is_sphere ? "sphere" : "cylinder", number_node(at, geom.size.x));
  if (!is_sphere) put(round.node, "axis", vector_node(at, act(in_carrier.rotation, Vec3<double>{0, 0, 1})));
  const int side = named(w.site_of, a, "sidesite", "the name of a site");
  if (side >= 0) {
    const SiteData& site = w.sites[side];
    const Vec3<double> in_world = act(w.in_world(site.body), site.pose.position);
    const Vec3<double> from = act(inverse(w.in_world(body) * geom.pose), in_world);
    const double distance = is_sphere ? norm(from) : std::hypot(from.x, from.y);
    if (distance < geom.size.x)
      r.importing.leave_out_of_motion(xml, "inside-wrapping", "sidesite inside of the geom",
                                      "tendons go round outside");
    else if (w.carrier(site.body) != w.carrier(body))
      xml.fail_at("sidesite", "a site on the body of the geom");
    else {
      round.law.side = from;
      r.importing.approximate(xml, "sidesite",
                              "by the half-plane it lies in, as MuJoCo had it before version 4");
      put(round.node, "side", text_node(at, site.name));
    }
  }
  return round;
}

Path read_path(Reading& r, const Element& spatial) {
  Path path;
  bool open_round = false;
  for (const Element& step : spatial.children) {
    const XmlElement& xml = step.xml;
    if (step.is("site")) {
      const int site = named(r.world.site_of, Attributes(xml), "site", "the name of a site");
      if (site < 0) xml.fail("the attribute site", "none");
      const SiteData& data = r.world.sites[site];
      if (open_round) put_between(path.rounds.back().node, data.name, origin_of(xml));
      open_round = false;
      path.sites.push_back(site);
    } else if (step.is("geom")) {
      if (path.sites.empty() || open_round) xml.fail("a geom between two sites", "one that is not");
      path.rounds.push_back(read_round(r, xml, path.sites.size() - 1, r.world.sites[path.sites.back()].name));
      open_round = true;
    } else if (step.is("pulley")) {
      xml.fail("a tendon without pulleys", "a pulley: there is nothing like it here");
    } else {
      xml.fail("site, geom or pulley", "<" + xml.name() + ">");
    }
  }
  if (path.sites.size() < 2 || open_round) spatial.xml.fail("a path from a site to a site", "another");
  return path;
}

/// Of all bodies where every hinge and slide is at its springref.
std::vector<SE3<double>> spring_poses(const World& world) {
  std::vector<SE3<double>> poses;
  for (const BodyData& body : world.bodies) {
    SE3<double> X = (body.parent == kWorld ? SE3<double>{} : poses[body.parent]) * body.in_parent;
    for (const int j : body.joints) {
      const JointData& joint = world.joints[j];
      const double way = joint.is_scalar() ? joint.spring_reference - joint.reference : 0;
      const SO3<double> turn =
          joint.type == JointData::Type::hinge ? exp_so3(way * joint.axis) : SO3<double>{1, 0, 0, 0};
      const Vec3<double> slide = joint.type == JointData::Type::slide ? way * joint.axis : Vec3<double>{};
      X = X * SE3<double>{turn, joint.position - act(turn, joint.position) + slide};
    }
    poses.push_back(X);
  }
  return poses;
}

/// At poses of the bodies.
double length_at(const Reading& r, const Path& path, const std::vector<SE3<double>>& poses) {
  const auto pose_of = [&](int body) { return body == kWorld ? SE3<double>{} : poses[body]; };
  const auto at = [&](int site) {
    const SiteData& data = r.world.sites[site];
    return act(pose_of(data.body), data.pose.position);
  };
  double length = 0;
  for (std::size_t i = 0; i + 1 < path.sites.size(); ++i) {
    const Vec3<double> P = at(path.sites[i]), Q = at(path.sites[i + 1]);
    const Round* round = nullptr;
    for (const Round& one : path.rounds)
      if (one.segment == i) round = &one;
    if (round) {
      const SE3<double> X = inverse(pose_of(round->body) * round->in_body);
      length += wrapped_length<double>(round->law, act(X, P), act(X, Q)).length;
    } else {
      length += norm(Q - P);
    }
  }
  return length;
}

void read_springs(Reading& r, const Attributes& a, double& stiffness, double& damping) {
  const auto first = [&](const char* attribute, double& out) {
    const auto given = a.numbers(attribute, 1, 10);
    if (!given) return;
    out = given->front();
    if (out < 0) a.fail_at(attribute, "a number >= 0");
    for (std::size_t i = 1; i < given->size(); ++i)
      if ((*given)[i] != 0)
        r.importing.leave_out_of_motion(*a.layer_with(attribute), "polynomials", attribute,
                                        "coefficients after the first have no counterpart");
  };
  first("stiffness", stiffness);
  first("damping", damping);
  if (!r.flags.spring) stiffness = 0;
  if (!r.flags.damper) damping = 0;
  if (a.number("armature", 0) != 0)
    r.importing.leave_out_of_motion(*a.layer_with("armature"), "tendon-armature", "armature of a tendon",
                                    "rotor inertia is that of joints");
  if (a.number("springyield", 0) != 0)
    r.importing.leave_out_of_motion(*a.layer_with("springyield"), "plasticity", "springyield",
                                    "tendons stay elastic");
}

std::optional<std::pair<double, double>> read_range(const Reading& r, const Attributes& a) {
  const auto range = a.numbers("range", 2, 2);
  const std::size_t limited = a.choice("limited", {"false", "true", "auto"}, 2);
  if (limited == 0 || (limited == 2 && !(range && r.compiler.auto_limits))) return std::nullopt;
  if (!range) a.own().fail("a range, since it is limited", "none");
  if (!((*range)[0] < (*range)[1])) a.fail_at("range", "two numbers that increase");
  return std::pair{(*range)[0], (*range)[1]};
}

/// Spring, damper, stops and friction of its length. Between the two lengths of a spring with two nothing pulls: there it is
/// one from the second on, or a tendon beside it with stops at both.
void put_tendon(Reading& r, TendonData& tendon, YamlNode node) {
  const Attributes& a = tendon.attributes;
  const Origin at = origin_of(a.own());
  double stiffness = 0, damping = 0;
  read_springs(r, a, stiffness, damping);
  std::optional<YamlNode> band;
  if (stiffness > 0) {
    const std::vector<double> rest = a.merged("springlength", {-1, -1});
    const bool is_band =
        a.has("springlength") && a.numbers("springlength", 1, 2)->size() == 2 && rest[1] > rest[0];
    const double least = tendon.is_fixed ? -kNowhere : 0;
    if (is_band && rest[0] > least) {
      YamlNode range = map_node(at);
      put(range, "lower", number_node(at, rest[0]));
      put(range, "upper", number_node(at, rest[1]));
      put(range, "stiffness", number_node(at, stiffness));
      band = map_node(at);
      put(*band, "range", range);
    } else {
      put(node, "stiffness", number_node(at, stiffness));
      put(node, "rest_length",
          number_node(at, is_band         ? rest[1]
                          : rest[0] == -1 ? tendon.spring_length
                                          : rest[0]));
      if (is_band) put(node, "tension_only", text_node(at, "true"));
    }
  }
  if (damping > 0) {
    // A damper acts on either side of the spring's rest.
    if (node.find("tension_only")) {
      YamlNode damper = map_node(at);
      put(damper, "damping", number_node(at, damping));
      put_beside(r, tendon, tendon.name + "_damper", damper);
    } else {
      put(node, "damping", number_node(at, damping));
    }
  }
  if (const auto range = read_range(r, a); range && r.flags.limit) {
    r.importing.approximate(*a.layer_with("range"), "range of a tendon",
                            "a stop with a spring; MuJoCo has a soft constraint");
    put(node, "range", numbers_node(at, {range->first, range->second}));
  }
  if (const double friction = a.number("frictionloss", 0); friction > 0 && r.flags.friction) {
    r.importing.approximate(*a.layer_with("frictionloss"), "frictionloss of a tendon",
                            "smooth friction; MuJoCo has a constraint");
    put(node, "friction", number_node(at, friction));
  }
  put(section(r.root, "tendons"), tendon.name, node);
  if (band) put_beside(r, tendon, tendon.name + "_band", *band);
}

void read_spatial(Reading& r, const Element& element, TendonData& tendon) {
  const Origin at = origin_of(element.xml);
  const Path path = read_path(r, element);
  std::vector<SE3<double>> reference;
  for (const BodyData& body : r.world.bodies) reference.push_back(body.in_world);
  tendon.length = length_at(r, path, reference);
  tendon.spring_length = length_at(r, path, spring_poses(r.world));
  tendon.path = map_node(at);
  YamlNode sites = list_node(at), rounds = list_node(at);
  for (const int site : path.sites) sites.items.push_back(text_node(at, r.world.sites[site].name));
  put(tendon.path, "path", sites);
  for (const Round& round : path.rounds) rounds.items.push_back(round.node);
  if (!rounds.items.empty()) put(tendon.path, "wrap", rounds);
}

void read_fixed(Reading& r, const Element& element, TendonData& tendon) {
  tendon.is_fixed = true;
  for (const Element& child : element.children) {
    if (!child.is("joint")) child.xml.fail("joint", "<" + child.xml.name() + ">");
    const int joint = named(r.world.joint_of, Attributes(child.xml), "joint", "the name of a joint");
    if (joint < 0) child.xml.fail("the attribute joint", "none");
    if (!r.world.joints[joint].is_scalar()) child.xml.fail_at("joint", "a hinge or slide joint");
    const double factor = child.xml.required_number("coef", "of the joint");
    tendon.terms.emplace_back(joint, factor);
    tendon.length += factor * r.world.joints[joint].reference;
    tendon.spring_length += factor * r.world.joints[joint].spring_reference;
  }
  if (tendon.terms.empty()) element.xml.fail("joints", "none");
  tendon.path = sum_node(r, origin_of(element.xml), tendon.terms);
}

}  // namespace

void put_between(YamlNode& wrap, const std::string& site, const Origin& at) {
  wrap.find("between")->value.items.push_back(text_node(at, site));
}

YamlNode sum_node(const Reading& r, const Origin& at, const std::vector<std::pair<int, double>>& terms) {
  YamlNode node = map_node(at), joints = map_node(at);
  std::map<int, double> factors;
  for (const auto& [joint, factor] : terms) factors[joint] += factor;
  for (const auto& [joint, factor] : factors)
    if (factor != 0) put(joints, r.world.joints[joint].name, number_node(at, factor));
  put(node, "joints", joints);
  return node;
}

std::string put_beside(Reading& r, const TendonData& tendon, const std::string& name, const YamlNode& parts) {
  YamlNode node = tendon.path;
  for (const YamlEntry& entry : parts.entries) put(node, entry.key, entry.value);
  const std::string own = r.unique_name("tendon", name);
  put(section(r.root, "tendons"), own, node);
  return own;
}

void put_tendons(Reading& r) {
  for (const Element& element : r.section("tendon")) {
    const XmlElement& xml = element.xml;
    if (!element.is("spatial") && !element.is("fixed")) xml.fail("spatial or fixed", "<" + xml.name() + ">");
    TendonData tendon{r.defaults.of(xml)};
    const std::string name = xml.text("name", "");
    tendon.name = r.unique_name("tendon", name.empty() ? "tendon" : name);
    if (element.is("fixed")) {
      read_fixed(r, element, tendon);
    } else {
      read_spatial(r, element, tendon);
    }
    // A sum whose factors vanish is no tendon: nothing that acts on it does anything.
    if (element.is("spatial") || !tendon.path.find("joints")->value.entries.empty())
      put_tendon(r, tendon, tendon.path);
    if (!name.empty() && !r.tendons.emplace(name, tendon).second) xml.fail_at("name", "each name once");
  }
}

}  // namespace torsor::mjcf
