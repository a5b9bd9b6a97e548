// Equalities: soft constraints in MuJoCo, exact ones here. Bodies are held by joints that close loops, coordinates by couplings.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/format/mjcf/world.h"

namespace torsor::mjcf {
namespace {

constexpr const char* kSoft = "exact; MuJoCo has a soft constraint";

/// A frame on a body, of the model.
struct Held {
  int body = kWorld;  ///< of the file
  SE3<double> in_body;
};

class EqualityReader {
 public:
  explicit EqualityReader(Reading& r) : r_(r) {}

  void read(const XmlElement& xml) {
    const Attributes a = r_.defaults.of(xml, "", "equality");
    if (!a.boolean("active", true)) {
      r_.importing.leave_out(xml, "equality that is not active",
                             "it does nothing until someone switches it on");
      return;
    }
    name_ = r_.unique_name("joint", xml.text("name", xml.name()));
    if (xml.is("connect") || xml.is("weld")) {
      put_closing_joint(a, xml.is("weld"));
    } else if (xml.is("joint")) {
      put_joint_coupling(a);
    } else if (xml.is("tendon")) {
      put_tendon_coupling(a);
    } else if (xml.is("flex") || xml.is("flexstrain")) {
      r_.importing.leave_out_of_motion(xml, "elements", "<" + xml.name() + ">",
                                       "there is nothing like it here");
    } else {
      xml.fail("connect, weld, joint, tendon or flex", "<" + xml.name() + ">");
    }
  }

 private:
  Held site(const Attributes& a, const char* attribute) const {
    const SiteData& data = r_.world.sites[named(r_.world.site_of, a, attribute, "the name of a site")];
    return {data.body, data.pose};
  }
  int body(const Attributes& a, const char* attribute) const {
    const std::string name = a.own().text(attribute, "world");
    return name == "world" ? kWorld : named(r_.world.body_of, a, attribute, "the name of a body");
  }

  void put_closing_joint(const Attributes& a, bool weld) {
    const XmlElement& own = a.own();
    Held first, second;
    if (own.has("site1") || own.has("site2")) {
      if (!own.has("site1") || !own.has("site2")) own.fail("site1 and site2", "one of them");
      first = site(a, "site1"), second = site(a, "site2");
    } else {
      if (!own.has("body1")) own.fail("body1 or site1", "neither");
      first.body = body(a, "body1"), second.body = body(a, "body2");
      if (!weld) {
        const auto anchor = own.numbers("anchor", 3);
        if (!anchor) own.fail("the attribute anchor", "none");
        first.in_body.position = vector_of(*anchor);
      }
      const SE3<double> reference = inverse(r_.world.in_world(second.body)) * r_.world.in_world(first.body);
      second.in_body = reference * first.in_body;
      const auto relative = own.numbers("relpose", 7);
      if (weld && relative &&
          ((*relative)[3] != 0 || (*relative)[4] != 0 || (*relative)[5] != 0 || (*relative)[6] != 0)) {
        const SO3<double> q =
            normalized(SO3<double>{(*relative)[3], (*relative)[4], (*relative)[5], (*relative)[6]});
        first.in_body = {q, {(*relative)[0], (*relative)[1], (*relative)[2]}};
        second.in_body = {};
      }
    }
    if (r_.world.carrier(first.body) == r_.world.carrier(second.body)) {
      r_.importing.convert(own, "<" + own.name() + ">", "of bodies that are one: nothing to hold");
      return;
    }
    if (r_.world.carrier(first.body) == kWorld) std::swap(first, second);  // the world is nobody's child
    const Origin at = origin_of(own);
    YamlNode node = map_node(at);
    put(node, "type", text_node(at, weld ? "fixed" : "spherical"));
    put(node, "parent", text_node(at, carrier_name(r_, second.body)));
    put(node, "child", text_node(at, carrier_name(r_, first.body)));
    put(node, "in_parent", pose_node(at, r_.world.in_carrier(second.body) * second.in_body));
    put(node, "in_child", pose_node(at, r_.world.in_carrier(first.body) * first.in_body));
    put(section(r_.root, "joints"), name_, node);
    r_.has_loops = true;
    r_.importing.approximate(own, weld ? "weld" : "connect", kSoft);
  }

  using Terms = std::vector<std::pair<int, double>>;

  void put_coupling(const Attributes& a, const Terms& all, double offset, const char* what) {
    Terms terms;  // a joint may stand in both tendons
    for (const auto& [joint, factor] : all) {
      const auto same = std::find_if(terms.begin(), terms.end(),
                                     [&name = joint](const auto& term) { return term.first == name; });
      if (same == terms.end())
        terms.emplace_back(joint, factor);
      else
        same->second += factor;
    }
    std::erase_if(terms, [](const auto& term) { return term.second == 0; });
    if (terms.size() < 2) {
      r_.importing.leave_out_of_motion(a.own(), "locked-joints", std::string(what) + " of one coordinate",
                                       "couplings are of two or more");
      return;
    }
    const Origin at = origin_of(a.own());
    YamlNode node = map_node(at), joints = map_node(at);
    for (const auto& [joint, factor] : terms)
      put(joints, r_.world.joints[joint].name, number_node(at, factor));
    put(node, "joints", joints);
    if (offset != 0) put(node, "offset", number_node(at, offset));
    put(section(r_.root, "couplings"), r_.unique_name("coupling", name_), node);
    r_.importing.approximate(a.own(), what, kSoft);
  }

  /// Constant and slope of the polynomial; others are refused.
  std::pair<double, double> line(const Attributes& a) {
    const std::vector<double> c = a.merged("polycoef", {0, 1, 0, 0, 0});
    if (c[2] != 0 || c[3] != 0 || c[4] != 0)
      r_.importing.leave_out_of_motion(a.own(), "polynomials", "polycoef",
                                       "couplings are linear: the powers above the first");
    return {c[0], c[1]};
  }

  void put_joint_coupling(const Attributes& a) {
    const int first = named(r_.world.joint_of, a, "joint1", "the name of a joint");
    const int second = named(r_.world.joint_of, a, "joint2", "the name of a joint");
    if (first < 0) a.own().fail("the attribute joint1", "none");
    for (const int joint : {first, second})
      if (joint >= 0 && !r_.world.joints[joint].is_scalar())
        a.own().fail("hinge and slide joints", "another");
    const auto [constant, slope] = line(a);
    Terms terms{{first, 1}};
    double offset = r_.world.joints[first].reference + constant;
    if (second >= 0) {
      terms.emplace_back(second, -slope);
      offset -= slope * r_.world.joints[second].reference;
    }
    put_coupling(a, terms, offset, "equality of joints");
  }

  void put_tendon_coupling(const Attributes& a) {
    const auto tendon = [&](const char* attribute) -> const TendonData* {
      if (!a.own().has(attribute)) return nullptr;
      const auto found = r_.tendons.find(a.own().text(attribute, ""));
      if (found == r_.tendons.end()) a.fail_at(attribute, "the name of a tendon");
      return &found->second;
    };
    const TendonData *first = tendon("tendon1"), *second = tendon("tendon2");
    if (!first) a.own().fail("the attribute tendon1", "none");
    if (!first->is_fixed || (second && !second->is_fixed)) {
      r_.importing.leave_out_of_motion(a.own(), "tendon-equality", "equality of spatial tendons",
                                       "couplings are of coordinates");
      return;
    }
    const auto [constant, slope] = line(a);
    Terms terms = first->terms;
    double offset = first->length + constant;
    if (second) {
      for (const auto& [joint, factor] : second->terms) terms.emplace_back(joint, -slope * factor);
      offset -= slope * second->length;
    }
    put_coupling(a, terms, offset, "equality of tendons");
  }

  Reading& r_;
  std::string name_;
};

}  // namespace

void put_equalities(Reading& r) {
  if (!r.flags.equality) return;
  EqualityReader reader(r);
  for (const Element& element : r.section("equality")) reader.read(element.xml);
}

}  // namespace torsor::mjcf
