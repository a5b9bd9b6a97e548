// Tendons: through sites and round geoms, or sums of joint coordinates.

#include <fmt/format.h>

#include "torsor/base/nearest.h"
#include "torsor/format/mjcf/world.h"
#include "torsor/model/wrap_law.h"

namespace torsor::mjcf {
namespace {

/// A geom that a segment goes round.
struct Round {
  std::size_t segment;
  YamlNode node;
  SE3<double> in_world;
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
  Round round{segment, map_node(at), w.in_world(body) * geom.pose, {}};
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
    const Vec3<double> from = act(inverse(round.in_world), in_world);
    const double distance = is_sphere ? norm(from) : std::hypot(from.x, from.y);
    if (distance < geom.size.x)
      r.importing.leave_out_of_motion(xml, "inside-wrapping", "sidesite inside of the geom", "tendons go round outside");
    else if (w.carrier(site.body) != w.carrier(body))
      xml.fail_at("sidesite", "a site on the body of the geom");
    else {
      round.law.side = from;
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

double reference_length(const Reading& r, const Path& path) {
  const auto at = [&](int site) {
    const SiteData& data = r.world.sites[site];
    return act(r.world.in_world(data.body), data.pose.position);
  };
  double length = 0;
  for (std::size_t i = 0; i + 1 < path.sites.size(); ++i) {
    const Vec3<double> P = at(path.sites[i]), Q = at(path.sites[i + 1]);
    const Round* round = nullptr;
    for (const Round& one : path.rounds)
      if (one.segment == i) round = &one;
    if (round) {
      const SE3<double> X = inverse(round->in_world);
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
    r.importing.leave_out_of_motion(*a.layer_with("springyield"), "plasticity", "springyield", "tendons stay elastic");
}

std::optional<std::pair<double, double>> read_range(const Reading& r, const Attributes& a) {
  const auto range = a.numbers("range", 2, 2);
  const std::size_t limited = a.choice("limited", {"false", "true", "auto"}, 2);
  if (limited == 0 || (limited == 2 && !(range && r.compiler.auto_limits))) return std::nullopt;
  if (!range) a.own().fail("a range, since it is limited", "none");
  if (!((*range)[0] < (*range)[1])) a.fail_at("range", "two numbers that increase");
  return std::pair{(*range)[0], (*range)[1]};
}

void put_spatial(Reading& r, const Element& element, TendonData& tendon) {
  const Attributes& a = tendon.attributes;
  const Origin at = origin_of(element.xml);
  const Path path = read_path(r, element);
  tendon.length = reference_length(r, path);
  YamlNode node = map_node(at), sites = list_node(at), rounds = list_node(at);
  for (const int site : path.sites) sites.items.push_back(text_node(at, r.world.sites[site].name));
  put(node, "path", sites);
  for (const Round& round : path.rounds) rounds.items.push_back(round.node);
  if (!rounds.items.empty()) put(node, "wrap", rounds);
  double stiffness = 0, damping = 0;
  read_springs(r, a, stiffness, damping);
  if (stiffness > 0) {
    const std::vector<double> rest = a.merged("springlength", {-1, -1});
    const bool is_band = rest[1] > rest[0] && rest[0] >= 0 && a.numbers("springlength", 1, 2)->size() == 2;
    double length = rest[0] < 0 ? tendon.length : rest[0];
    if (is_band && rest[0] > 0)
      r.importing.leave_out_of_motion(*a.layer_with("springlength"), "dead-band", "springlength with two numbers",
                                      "the spring starts at the longer one and pulls only");
    if (is_band) {
      length = rest[1];
      put(node, "tension_only", text_node(at, "true"));
    }
    put(node, "stiffness", number_node(at, stiffness));
    put(node, "rest_length", number_node(at, length));
  }
  if (damping > 0) put(node, "damping", number_node(at, damping));
  if (const auto range = read_range(r, a); range && r.flags.limit) {
    r.importing.approximate(*a.layer_with("range"), "range of a tendon", "a stop with a spring; MuJoCo has a soft constraint");
    put(node, "range", numbers_node(at, {range->first, range->second}));
  }
  if (const double friction = a.number("frictionloss", 0); friction > 0 && r.flags.friction) {
    r.importing.approximate(*a.layer_with("frictionloss"), "frictionloss of a tendon", "smooth friction; MuJoCo has a constraint");
    put(node, "friction", number_node(at, friction));
  }
  put(section(r.root, "tendons"), tendon.name, node);
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
  }
  if (tendon.terms.empty()) element.xml.fail("joints", "none");
  const Attributes& a = tendon.attributes;
  double stiffness = 0, damping = 0;
  read_springs(r, a, stiffness, damping);
  if (stiffness > 0 || damping > 0)
    put_sum_spring(r, tendon, element.xml, tendon.name, stiffness, damping, [&] {
      const std::vector<double> rest = a.merged("springlength", {-1, -1});
      if (rest[1] > rest[0] && rest[1] >= 0 && a.has("springlength") && a.numbers("springlength", 1, 2)->size() == 2)
        r.importing.leave_out_of_motion(*a.layer_with("springlength"), "dead-band", "springlength with two numbers",
                                        "the spring acts from the first one on");
      return rest[0] == -1 ? tendon.length : rest[0];
    }());
  if (read_range(r, a) && r.flags.limit)
    r.importing.leave_out(*a.layer_with("range"), "range of a fixed tendon", "there are no stops of sums of coordinates");
  if (a.number("frictionloss", 0) > 0 && r.flags.friction)
    r.importing.leave_out_of_motion(*a.layer_with("frictionloss"), "fixed-tendons", "frictionloss of a fixed tendon",
                                    "there is no friction of sums of coordinates");
}

}  // namespace

void put_between(YamlNode& wrap, const std::string& site, const Origin& at) {
  wrap.find("between")->value.items.push_back(text_node(at, site));
}

void put_sum_spring(Reading& r, const TendonData& tendon, const XmlElement& at, const std::string& name, double stiffness,
                    double damping, double rest) {
  if (tendon.terms.size() > 1) {
    r.importing.leave_out_of_motion(at, "fixed-tendons", "spring or damper on a fixed tendon of several joints",
                                    "springs act on one coordinate each");
    return;
  }
  const auto& [joint, factor] = tendon.terms.front();
  const Origin origin = origin_of(at);
  YamlNode node = map_node(origin);
  put(node, "joint", text_node(origin, r.world.joints[joint].name));
  put(node, "stiffness", number_node(origin, stiffness * factor * factor));
  if (rest != 0) put(node, "rest", number_node(origin, rest / factor));
  put(node, "damping", number_node(origin, damping * factor * factor));
  put(section(r.root, "joint_springs"), r.unique_name("spring", name), node);
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
      put_spatial(r, element, tendon);
    }
    if (!name.empty() && !r.tendons.emplace(name, tendon).second) xml.fail_at("name", "each name once");
  }
}

}  // namespace torsor::mjcf
