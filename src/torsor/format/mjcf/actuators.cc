// Actuators: a force p = gain * input + bias along a length that joints, tendons or sites make. Its command is the `u` of the program
// that the model has of it.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "torsor/base/nearest.h"
#include "torsor/format/mjcf/world.h"

namespace torsor::mjcf {
namespace {

enum class Dynamics { none, integrator, filter, filter_exact, muscle, user };
enum class Law { fixed, affine, muscle, user };  ///< of gain and bias; a bias has `none` for fixed

using Ten = std::array<double, 10>;

/// What the format makes of every kind of actuator.
struct General {
  Dynamics dynamics = Dynamics::none;
  Law gain_law = Law::fixed, bias_law = Law::fixed;
  Ten dynamics_of{1}, gain{1}, bias{};
  double damping_ratio = 0;  ///< of position servos, where it is given instead of kv
  bool is_dc_motor = false;
};

void overwrite(const XmlElement& xml, const char* attribute, Ten& values) {
  if (const auto given = xml.numbers(attribute, 1, 10)) std::copy(given->begin(), given->end(), values.begin());
}

/// One element, of a class or the actuator's own, in the order from the outside in.
void apply(const XmlElement& xml, General& g) {
  const std::string kind = xml.name();
  if (kind == "general") {
    if (const auto d = xml.choice("dyntype", {"none", "integrator", "filter", "filterexact", "muscle", "user"}))
      g.dynamics = static_cast<Dynamics>(*d);
    if (const auto law = xml.choice("gaintype", {"fixed", "affine", "muscle", "user"})) g.gain_law = static_cast<Law>(*law);
    if (const auto law = xml.choice("biastype", {"none", "affine", "muscle", "user"})) g.bias_law = static_cast<Law>(*law);
    overwrite(xml, "dynprm", g.dynamics_of);
    overwrite(xml, "gainprm", g.gain);
    overwrite(xml, "biasprm", g.bias);
  } else if (kind == "motor") {
    g = General{};
  } else if (kind == "position" || kind == "intvelocity") {
    const double kp = xml.number("kp", g.gain[0]), kv = xml.number("kv", -g.bias[2]);
    const double ratio = xml.number("dampratio", g.damping_ratio);
    const double time = xml.number("timeconst", 0);
    g.gain_law = Law::fixed, g.bias_law = Law::affine;
    g.gain[0] = kp, g.bias[1] = -kp, g.bias[2] = -kv;
    g.damping_ratio = ratio;
    g.dynamics = kind == "intvelocity" ? Dynamics::integrator : time > 0 ? Dynamics::filter_exact : Dynamics::none;
    g.dynamics_of = Ten{kind == "intvelocity" ? 1 : time};
  } else if (kind == "velocity") {
    const double kv = xml.number("kv", g.gain[0]);
    g = General{};
    g.bias_law = Law::affine, g.gain = Ten{kv}, g.bias = Ten{0, 0, -kv};
  } else if (kind == "damper") {
    const double kv = xml.number("kv", 0);
    g = General{};
    g.gain_law = Law::affine, g.gain = Ten{0, 0, -kv};
  } else if (kind == "cylinder") {
    g.dynamics = Dynamics::filter, g.gain_law = Law::fixed, g.bias_law = Law::affine;
    g.dynamics_of = Ten{xml.number("timeconst", 1)};
    double area = xml.number("area", 1);
    if (const auto diameter = xml.number("diameter")) area = 3.14159265358979323846 / 4 * *diameter * *diameter;
    g.gain = Ten{area}, g.bias = Ten{};
    overwrite(xml, "bias", g.bias);
  } else if (kind == "muscle") {
    if (g.gain_law != Law::muscle) {
      g.gain = Ten{0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2, 0};
      g.dynamics_of = Ten{0.01, 0.04, 0};
    }
    g.dynamics = Dynamics::muscle, g.gain_law = g.bias_law = Law::muscle;
    overwrite(xml, "timeconst", g.dynamics_of);
    if (const auto smooth = xml.number("tausmooth")) g.dynamics_of[2] = *smooth;
    if (const auto range = xml.numbers("range", 2)) g.gain[0] = (*range)[0], g.gain[1] = (*range)[1];
    constexpr const char* kNames[] = {"force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"};
    for (int i = 0; i < 7; ++i) g.gain[2 + i] = xml.number(kNames[i], g.gain[2 + i]);
    g.bias = g.gain;
  }
}

std::string number_text(double value) { return number_node({}, value).text; }

/// `factor*` before something, left out where it is 1.
std::string times(double factor, const std::string& text) {
  return factor == 1 ? text : fmt::format("{}*{}", number_text(factor), text);
}

class ActuatorReader {
 public:
  explicit ActuatorReader(Reading& r) : r_(r) {}

  void read(const XmlElement& xml) {
    if (xml.is("adhesion")) {
      r_.importing.leave_out(xml, "<adhesion>", "acts at contacts alone");
      r_.commands.emplace_back();
      return;
    }
    const Attributes a = r_.defaults.of(xml);
    for (const char* unknown : {"orientation", "pid", "dcmotor", "plugin"}) {
      if (!xml.is(unknown)) continue;
      r_.importing.leave_out_of_motion(xml, "actuators", "<" + xml.name() + ">", "there is no such actuator here");
      r_.commands.emplace_back();
      return;
    }
    General g;
    r_.commands.emplace_back();
    for (auto layer = a.layers().rbegin(); layer != a.layers().rend(); ++layer) apply(*layer, g);
    refuse_extras(a);
    r_.commands.back().has_activation = g.dynamics != Dynamics::none;
    const std::string own = xml.text("name", "");
    name_ = r_.unique_name("actuator", own.empty() ? xml.name() : own);
    at_ = origin_of(xml);
    gear_ = a.merged("gear", {1, 0, 0, 0, 0, 0});
    if (g.gain_law == Law::user || g.bias_law == Law::user || g.dynamics == Dynamics::user) {
      r_.importing.leave_out_of_motion(xml, "actuators", "an actuator of the user's own code", "it is not in the file");
      return;
    }
    if (g.gain_law == Law::muscle || g.bias_law == Law::muscle || g.dynamics == Dynamics::muscle) {
      put_muscle(a, g);
      return;
    }
    put_transmission(a, g);
  }

 private:
  void refuse_extras(const Attributes& a) const {
    for (const char* attribute : {"damping", "armature", "delay", "actdim"}) {
      const auto given = a.numbers(attribute, 1, 10);
      if (!given || given->front() == 0 || (std::string(attribute) == "actdim" && given->front() <= 1)) continue;
      r_.importing.leave_out_of_motion(*a.layer_with(attribute), "actuators", fmt::format("{} of an actuator", attribute),
                                       "there is nothing like it here");
    }
    if (a.text("jointinparent")) a.fail_at("jointinparent", "a joint, site or tendon");
  }

  /// What the format calls ctrl, cut to its range, filtered.
  std::string input(const Attributes& a, const General& g, YamlNode& program) {
    std::string u = "u";
    put(program, "u", number_node(at_, 0));
    if (const auto range = limits(a, "ctrllimited", "ctrlrange"); range && r_.flags.clamp)
      u = fmt::format("min(max(u, {}), {})", number_text(range->first), number_text(range->second));
    if (g.dynamics == Dynamics::none) return u;
    put(program, "a", number_node(at_, 0));
    r_.importing.take_over(a.own(), "activation of an actuator",
                           "exact for a constant `u`, from the activation `a` at the start");
    std::string activation;
    if (g.dynamics == Dynamics::integrator) {
      activation = fmt::format("(a + {}*t)", u);
    } else {
      const double tau = std::max(g.dynamics_of[0], 1e-10);
      activation = fmt::format("(a + ({} - a)*(1 - exp(-t/{})))", u, number_text(tau));
    }
    if (const auto range = limits(a, "actlimited", "actrange"))
      activation = fmt::format("min(max({}, {}), {})", activation, number_text(range->first), number_text(range->second));
    return activation;
  }

  std::optional<std::pair<double, double>> limits(const Attributes& a, const char* switched, const char* range) const {
    const auto both = a.numbers(range, 2, 2);
    const std::size_t limited = a.choice(switched, {"false", "true", "auto"}, 2);
    if (limited == 0 || (limited == 2 && !(both && r_.compiler.auto_limits))) return std::nullopt;
    if (!both) a.own().fail(fmt::format("{}, since it is limited", range), "none");
    if (!((*both)[0] < (*both)[1])) {
      if (limited == 2) return std::nullopt;
      a.fail_at(range, "two numbers that increase");
    }
    return std::pair{(*both)[0], (*both)[1]};
  }

  /// The part of the force that is a function of time alone, times `factor`.
  YamlNode effort(const Attributes& a, const General& g, double factor) {
    YamlNode program = map_node(at_);
    std::string force = times(g.gain[0], input(a, g, program));
    if (g.bias_law == Law::affine && g.bias[0] != 0) force = fmt::format("({} + {})", force, number_text(g.bias[0]));
    if (const auto range = limits(a, "forcelimited", "forcerange")) {
      if (depends_on_state(g)) {
        r_.importing.approximate(*a.layer_with("forcerange"), "forcerange of an actuator with feedback", "its force is not cut");
      } else {
        force = fmt::format("min(max({}, {}), {})", force, number_text(range->first), number_text(range->second));
      }
    }
    YamlNode whole = map_node(at_);
    put(whole, "expression", text_node(at_, times(factor, force)));
    for (const YamlEntry& entry : program.entries) put(whole, entry.key, entry.value);
    return whole;
  }

  static bool depends_on_state(const General& g) {
    return g.bias_law == Law::affine && (g.bias[1] != 0 || g.bias[2] != 0);
  }

  void note(const char* in_section, const std::string& name) { r_.commands.back().entries.emplace_back(in_section, name); }

  void put_effort(const std::string& name, const char* kind, const std::string& target, int coordinate, const YamlNode& effort) {
    YamlNode node = map_node(at_);
    put(node, kind, text_node(at_, target));
    if (coordinate > 0) put(node, "coordinate", number_node(at_, coordinate));
    put(node, "effort", effort);
    put(section(r_.root, "actuators"), name, node);
    note("actuators", name);
  }

  /// Spring and damper of an affine bias along a length whose change is `factor` times that of a coordinate.
  void put_feedback(const Attributes& a, const General& g, const JointData& joint, double factor) {
    if (!depends_on_state(g)) return;
    if (g.bias[1] > 0 || g.bias[2] > 0) a.own().fail("a bias that holds: no positive feedback", "biasprm > 0");
    YamlNode node = map_node(at_);
    put(node, "joint", text_node(at_, joint.name));
    put(node, "stiffness", number_node(at_, -g.bias[1] * factor * factor));
    put(node, "damping", number_node(at_, -g.bias[2] * factor * factor));
    put(section(r_.root, "joint_springs"), r_.unique_name("spring", name_), node);
  }

  void put_transmission(const Attributes& a, General& g) {
    const XmlElement& own = a.own();
    if (g.gain_law != Law::fixed) {
      r_.importing.leave_out_of_motion(own, "actuators", "a gain that depends on the state", "efforts are programs of time");
      return;
    }
    if (own.has("joint")) {
      const int index = named(r_.world.joint_of, a, "joint", "the name of a joint");
      put_on_joint(a, g, r_.world.joints[index]);
    } else if (own.has("tendon")) {
      const auto found = r_.tendons.find(own.text("tendon", ""));
      if (found == r_.tendons.end()) own.fail_at("tendon", "the name of a tendon");
      put_on_tendon(a, g, found->second);
    } else if (own.has("site")) {
      const int index = named(r_.world.site_of, a, "site", "the name of a site");
      put_on_site(a, g, r_.world.sites[index]);
    } else {
      r_.importing.leave_out_of_motion(own, "actuators", "an actuator on a slider-crank or body", "there is no such transmission here");
    }
  }

  void put_on_joint(const Attributes& a, General& g, const JointData& joint) {
    if (joint.is_scalar()) {
      damp(a, g, joint, gear_[0]);
      put_effort(name_, "joint", joint.name, 0, effort(a, g, gear_[0]));
      put_feedback(a, g, joint, gear_[0]);
      return;
    }
    if (depends_on_state(g)) {
      r_.importing.leave_out_of_motion(a.own(), "actuators", "feedback on a ball or free joint", "there is no such law here");
      return;
    }
    const bool is_free = joint.type == JointData::Type::free;
    for (int i = 0; i < 3; ++i) {
      const double turn = gear_[is_free ? 3 + i : i];
      if (turn != 0) put_effort(numbered(), "joint", joint.name, i, effort(a, g, turn));
    }
    if (is_free && (gear_[0] != 0 || gear_[1] != 0 || gear_[2] != 0))
      put_force(a, g, r_.world.bodies[joint.body].name, {}, "force", {gear_[0], gear_[1], gear_[2]}, false);
  }

  void put_on_tendon(const Attributes& a, General& g, const TendonData& tendon) {
    if (!tendon.is_fixed) {
      if (depends_on_state(g)) {
        r_.importing.leave_out_of_motion(a.own(), "actuators", "feedback on a spatial tendon", "efforts of tendons are programs of time");
        return;
      }
      // A positive effort shortens the tendon here, and lengthens it there.
      put_effort(name_, "tendon", tendon.name, 0, effort(a, g, -gear_[0]));
      return;
    }
    for (const auto& [joint, factor] : tendon.terms)
      put_effort(numbered(), "joint", r_.world.joints[joint].name, 0, effort(a, g, gear_[0] * factor));
    if (!depends_on_state(g)) return;
    if (g.bias[1] > 0 || g.bias[2] > 0) a.own().fail("a bias that holds: no positive feedback", "biasprm > 0");
    put_sum_spring(r_, tendon, a.own(), name_, -g.bias[1] * gear_[0] * gear_[0], -g.bias[2] * gear_[0] * gear_[0], 0);
  }

  void put_on_site(const Attributes& a, General& g, const SiteData& site) {
    if (a.own().has("refsite") || depends_on_state(g)) {
      r_.importing.leave_out_of_motion(a.own(), "actuators", "an actuator between sites or with feedback on a site", "there is no such law here");
      return;
    }
    const std::string body = carrier_name(r_, site.body);
    if (body == "world") return;
    const SE3<double> X = r_.world.in_carrier(site.body) * site.pose;
    const Vec3<double> force = act(X.rotation, Vec3<double>{gear_[0], gear_[1], gear_[2]});
    const Vec3<double> moment = act(X.rotation, Vec3<double>{gear_[3], gear_[4], gear_[5]});
    if (norm(force) > 0) put_force(a, g, body, X.position, "force", force, true);
    if (norm(moment) > 0) put_force(a, g, body, X.position, "moment", moment, true);
  }

  void put_force(const Attributes& a, const General& g, const std::string& body, const Vec3<double>& place, const char* what,
                 const Vec3<double>& direction, bool in_body_axes) {
    YamlNode load = map_node(at_), components = list_node(at_);
    if (std::string(what) == "force") {
      const std::string point = r_.unique_name("site", name_);
      YamlNode node = map_node(at_);
      put(node, "body", text_node(at_, body));
      put(node, "at", vector_node(at_, place));
      put(section(r_.root, "points"), point, node);
      put(load, "point", text_node(at_, point));
    } else {
      put(load, "body", text_node(at_, body));
    }
    for (int i = 0; i < 3; ++i)
      components.items.push_back(direction[i] == 0 ? number_node(at_, 0) : effort(a, g, direction[i]));
    put(load, what, components);
    if (in_body_axes) put(load, "axes", text_node(at_, "body"));
    const std::string name = r_.unique_name("load", name_);
    put(section(r_.root, "loads"), name, load);
    note("loads", name);
  }

  /// kv from a damping ratio: critical damping of a position servo with the inertia that it moves.
  void damp(const Attributes& a, General& g, const JointData& joint, double gear) {
    if (!(g.damping_ratio > 0)) return;
    (void)joint, (void)gear;
    r_.importing.leave_out_of_motion(a.own(), "actuators", "dampratio", "kv is not computed from it");
  }

  void put_muscle(const Attributes& a, const General& g) {
    const XmlElement& own = a.own();
    const auto found = r_.tendons.find(own.text("tendon", ""));
    const auto lengths = a.numbers("lengthrange", 2, 2);
    if (g.gain_law != Law::muscle || g.bias_law != Law::muscle || g.dynamics != Dynamics::muscle || found == r_.tendons.end() ||
        found->second.is_fixed || gear_[0] != 1 || !lengths || !((*lengths)[0] < (*lengths)[1])) {
      r_.importing.leave_out_of_motion(own, "muscles", "muscle",
                                       "muscles here pull along a spatial tendon with gear 1 and a lengthrange that is given");
      return;
    }
    double force = g.gain[2];
    if (force < 0) {
      r_.importing.leave_out_of_motion(own, "muscles", "muscle without `force`", "its scale takes the inertia of the whole model");
      return;
    }
    YamlNode muscle = map_node(at_), excitation = map_node(at_);
    put(muscle, "law", text_node(at_, "mujoco"));
    put(muscle, "excitation", number_node(at_, 0));
    put(muscle, "initial", number_node(at_, 0));
    put(muscle, "max_force", number_node(at_, force));
    put(muscle, "length_range", numbers_node(at_, {(*lengths)[0] - 0.0, (*lengths)[1]}));
    put(muscle, "range", numbers_node(at_, {g.gain[0], g.gain[1]}));
    put(muscle, "activation_time", number_node(at_, g.dynamics_of[0]));
    put(muscle, "deactivation_time", number_node(at_, g.dynamics_of[1]));
    if (g.dynamics_of[2] > 0) put(muscle, "smoothing", number_node(at_, g.dynamics_of[2]));
    put(muscle, "least_length", number_node(at_, g.gain[4]));
    put(muscle, "greatest_length", number_node(at_, g.gain[5]));
    put(muscle, "max_velocity", number_node(at_, g.gain[6]));
    put(muscle, "passive_force", number_node(at_, g.gain[7]));
    put(muscle, "lengthening_force", number_node(at_, g.gain[8]));
    YamlEntry* tendon = section(r_.root, "tendons").find(found->second.name);
    if (tendon->value.find("muscle")) own.fail("one muscle on a tendon", "a second one");
    put(tendon->value, "muscle", muscle);
    note("tendons", found->second.name);
  }

  /// The first part of an actuator has its name, further ones numbers.
  std::string numbered() {
    if (!used_.emplace(name_).second) return r_.unique_name("actuator", name_);
    return name_;
  }

  Reading& r_;
  std::string name_;
  Origin at_;
  std::vector<double> gear_;
  std::set<std::string> used_;
};

}  // namespace

void put_actuators(Reading& r) {
  if (!r.flags.actuation) return;
  ActuatorReader reader(r);
  for (const Element& element : r.section("actuator")) {
    constexpr const char* kKnown[] = {"general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder",
                                      "muscle", "adhesion", "orientation", "pid", "dcmotor", "plugin"};
    if (std::none_of(std::begin(kKnown), std::end(kKnown), [&](const char* name) { return element.is(name); }))
      element.xml.fail("an actuator", "<" + element.xml.name() + ">");
    reader.read(element.xml);
  }
}

}  // namespace torsor::mjcf
