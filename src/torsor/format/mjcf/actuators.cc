// Actuators: a force p = gain * input + bias along a length that joints, tendons or sites make. Its command is the `u` of the program
// that the model has of it.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "torsor/base/nearest.h"
#include "torsor/format/mjcf/general.h"
#include "torsor/format/mjcf/reference_inertia.h"

namespace torsor::mjcf {
namespace {

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
      r_.importing.leave_out_of_motion(xml, "actuators", "<" + xml.name() + ">",
                                       "there is no such actuator here");
      r_.commands.emplace_back();
      return;
    }
    General g = general_of(a);
    r_.commands.emplace_back();
    refuse_extras(a);
    r_.commands.back().has_activation = g.dynamics != Dynamics::none;
    const std::string own = xml.text("name", "");
    name_ = r_.unique_name("actuator", own.empty() ? xml.name() : own);
    at_ = origin_of(xml);
    gear_ = a.merged("gear", {1, 0, 0, 0, 0, 0});
    if (g.gain_law == Law::user || g.bias_law == Law::user || g.dynamics == Dynamics::user) {
      r_.importing.leave_out_of_motion(xml, "actuators", "an actuator of the user's own code",
                                       "it is not in the file");
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
      if (!given || given->front() == 0 || (std::string(attribute) == "actdim" && given->front() <= 1))
        continue;
      r_.importing.leave_out_of_motion(*a.layer_with(attribute), "actuators",
                                       fmt::format("{} of an actuator", attribute),
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
    r_.importing.convert(a.own(), "activation of an actuator",
                         "exact for a constant `u`, from the activation `a` at the start");
    std::string activation;
    if (g.dynamics == Dynamics::integrator) {
      activation = fmt::format("(a + {}*t)", u);
    } else {
      const double tau = std::max(g.dynamics_of[0], 1e-10);
      activation = fmt::format("(a + ({} - a)*(1 - exp(-t/{})))", u, number_text(tau));
    }
    if (const auto range = limits(a, "actlimited", "actrange"))
      activation = fmt::format("min(max({}, {}), {})", activation, number_text(range->first),
                               number_text(range->second));
    return activation;
  }

  std::optional<std::pair<double, double>> limits(const Attributes& a, const char* switched,
                                                  const char* range) const {
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
    if (g.bias_law == Law::affine && g.bias[0] != 0)
      force = fmt::format("({} + {})", force, number_text(g.bias[0]));
    if (const auto range = limits(a, "forcelimited", "forcerange")) {
      if (depends_on_state(g)) {
        r_.importing.approximate(*a.layer_with("forcerange"), "forcerange of an actuator with feedback",
                                 "its force is not cut");
      } else {
        force =
            fmt::format("min(max({}, {}), {})", force, number_text(range->first), number_text(range->second));
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

  static void require_holding(const Attributes& a, const General& g) {
    if (g.bias[1] > 0 || g.bias[2] > 0)
      a.own().fail("a bias that holds: no positive feedback", "biasprm > 0");
  }

  /// A positive third number of the bias of a position servo is its damping ratio.
  static double damping_ratio(const General& g) {
    const bool is_servo = g.gain_law == Law::fixed && g.bias_law == Law::affine && g.gain[0] == -g.bias[1];
    return is_servo && g.bias[2] > 0 ? g.bias[2] : 0;
  }
  /// kv = 2 ratio sqrt(kp m) with the inertia m in the reference configuration, seen through the transmission.
  void set_damping(const Attributes& a, General& g, std::vector<std::pair<int, double>> terms) {
    const double ratio = damping_ratio(g);
    if (ratio == 0) return;
    if (g.gain[0] < 0) a.own().fail("kp >= 0 beside dampratio", "a negative one");
    for (auto& [joint, factor] : terms) factor *= gear_[0];
    const double inertia = inertia_along(r_.world, terms);
    g.bias[2] = std::isfinite(inertia) ? -2 * ratio * std::sqrt(g.gain[0] * inertia) : 0;
    r_.importing.convert(
        a.own(), "dampratio",
        fmt::format("kv {:.6g} from the inertia in the reference configuration", -g.bias[2]));
  }

  void note(const char* in_section, const std::string& name) {
    r_.commands.back().entries.emplace_back(in_section, name);
  }

  void put_effort(const std::string& name, const char* kind, const std::string& target, int coordinate,
                  const YamlNode& effort) {
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
    require_holding(a, g);
    YamlNode node = map_node(at_);
    put(node, "joint", text_node(at_, joint.name));
    put(node, "stiffness", number_node(at_, -g.bias[1] * factor * factor));
    put(node, "damping", number_node(at_, -g.bias[2] * factor * factor));
    put(section(r_.root, "joint_springs"), r_.unique_name("spring", name_), node);
  }

  void put_transmission(const Attributes& a, General& g) {
    const XmlElement& own = a.own();
    if (g.gain_law != Law::fixed) {
      r_.importing.leave_out_of_motion(own, "actuators", "a gain that depends on the state",
                                       "efforts are programs of time");
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
      r_.importing.leave_out_of_motion(own, "actuators", "an actuator on a slider-crank or body",
                                       "there is no such transmission here");
    }
  }

  void put_on_joint(const Attributes& a, General& g, const JointData& joint) {
    if (joint.is_scalar()) {
      set_damping(a, g, {{static_cast<int>(&joint - r_.world.joints.data()), 1.0}});
      put_effort(name_, "joint", joint.name, 0, effort(a, g, gear_[0]));
      put_feedback(a, g, joint, gear_[0]);
      return;
    }
    if (depends_on_state(g)) {
      r_.importing.leave_out_of_motion(a.own(), "actuators", "feedback on a ball or free joint",
                                       "there is no such law here");
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
    if (!section(r_.root, "tendons").find(tendon.name)) return;  // a sum that vanishes
    if (tendon.is_fixed) {
      set_damping(a, g, tendon.terms);
    } else if (damping_ratio(g) > 0) {
      r_.importing.leave_out_of_motion(a.own(), "actuators", "dampratio on a spatial tendon",
                                       "kv is not computed from it");
      g.bias[2] = 0;
    }
    // A positive effort shortens the tendon here, and lengthens it there.
    put_effort(name_, "tendon", tendon.name, 0, effort(a, g, -gear_[0]));
    if (!depends_on_state(g)) return;
    require_holding(a, g);
    YamlNode spring = map_node(at_);
    put(spring, "stiffness", number_node(at_, -g.bias[1] * gear_[0] * gear_[0]));
    put(spring, "rest_length", number_node(at_, 0));
    put(spring, "damping", number_node(at_, -g.bias[2] * gear_[0] * gear_[0]));
    put_beside(r_, tendon, name_, spring);
  }

  void put_on_site(const Attributes& a, General& g, const SiteData& site) {
    if (a.own().has("refsite") || depends_on_state(g)) {
      r_.importing.leave_out_of_motion(a.own(), "actuators",
                                       "an actuator between sites or with feedback on a site",
                                       "there is no such law here");
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

  void put_force(const Attributes& a, const General& g, const std::string& body, const Vec3<double>& place,
                 const char* what, const Vec3<double>& direction, bool in_body_axes) {
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

  void put_muscle(const Attributes& a, const General& g) {
    const XmlElement& own = a.own();
    const auto lengths = a.numbers("lengthrange", 2, 2);
    std::optional<TendonData> along = path_of_muscle(a);
    if (g.gain_law != Law::muscle || g.bias_law != Law::muscle || g.dynamics != Dynamics::muscle || !along ||
        !lengths || !((*lengths)[0] < (*lengths)[1])) {
      r_.importing.leave_out_of_motion(
          own, "muscles", "muscle",
          "muscles here pull at hinges and slides, along fixed tendons or along a "
          "spatial tendon with gear 1, with a lengthrange that is given");
      return;
    }
    const double force = g.gain[2];
    if (force < 0) {
      r_.importing.leave_out_of_motion(own, "muscles", "muscle without `force`",
                                       "its scale takes the inertia of the whole model");
      return;
    }
    YamlNode muscle = map_node(at_);
    put(muscle, "law", text_node(at_, "mujoco"));
    put(muscle, "excitation", number_node(at_, 0));
    put(muscle, "initial", number_node(at_, 0));
    put(muscle, "max_force", number_node(at_, force));
    put(muscle, "length_range", numbers_node(at_, {(*lengths)[0], (*lengths)[1]}));
    put(muscle, "range", numbers_node(at_, {g.gain[0], g.gain[1]}));
    put(muscle, "activation_time", number_node(at_, g.dynamics_of[0]));
    put(muscle, "deactivation_time", number_node(at_, g.dynamics_of[1]));
    if (g.dynamics_of[2] > 0) put(muscle, "smoothing", number_node(at_, g.dynamics_of[2]));
    put(muscle, "least_length", number_node(at_, g.gain[4]));
    put(muscle, "greatest_length", number_node(at_, g.gain[5]));
    put(muscle, "max_velocity", number_node(at_, g.gain[6]));
    put(muscle, "passive_force", number_node(at_, g.gain[7]));
    put(muscle, "lengthening_force", number_node(at_, g.gain[8]));
    YamlEntry* tendon = section(r_.root, "tendons").find(along->name);
    if (along->name.empty() || !tendon || tendon->value.find("muscle")) {
      YamlNode parts = map_node(at_);
      put(parts, "muscle", muscle);
      note("tendons", put_beside(r_, *along, name_, parts));
      return;
    }
    put(tendon->value, "muscle", muscle);
    note("tendons", along->name);
  }

  /// A tendon of the model, or without a name one that is made for it: of a joint, or times a gear.
  std::optional<TendonData> path_of_muscle(const Attributes& a) const {
    const XmlElement& own = a.own();
    if (own.has("joint")) {
      const int joint = named(r_.world.joint_of, a, "joint", "the name of a joint");
      if (!r_.world.joints[joint].is_scalar() || gear_[0] == 0) return std::nullopt;
      TendonData made{a};
      made.path = sum_node(r_, at_, {{joint, gear_[0]}});
      return made;
    }
    const auto found = r_.tendons.find(own.text("tendon", ""));
    if (found == r_.tendons.end()) return std::nullopt;
    TendonData along = found->second;
    if (gear_[0] == 1) return along;
    if (!along.is_fixed || gear_[0] == 0) return std::nullopt;
    for (auto& [joint, factor] : along.terms) factor *= gear_[0];
    along.name.clear();
    along.path = sum_node(r_, at_, along.terms);
    return along;
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
    constexpr const char* kKnown[] = {"general", "motor",    "position", "velocity", "intvelocity",
                                      "damper",  "cylinder", "muscle",   "adhesion", "orientation",
                                      "pid",     "dcmotor",  "plugin"};
    if (std::none_of(std::begin(kKnown), std::end(kKnown),
                     [&](const char* name) { return element.is(name); }))
      element.xml.fail("an actuator", "<" + element.xml.name() + ">");
    reader.read(element.xml);
  }
}

}  // namespace torsor::mjcf
