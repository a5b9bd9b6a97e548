// Options and keyframes: gravity, how it is simulated, where it starts.

#include <fmt/format.h>

#include "torsor/base/nearest.h"
#include "torsor/format/mjcf/world.h"

namespace torsor::mjcf {
namespace {

using Numbers = std::vector<double>;

void read_flags(const XmlElement& xml, Flags& flags) {
  const auto read = [&](const char* attribute, std::initializer_list<bool*> all) {
    const auto chosen = xml.choice(attribute, {"disable", "enable"});
    if (!chosen) return;
    for (bool* flag : all) *flag = *chosen == 1;
  };
  read("constraint", {&flags.equality, &flags.limit, &flags.friction, &flags.contact});
  read("equality", {&flags.equality});
  read("frictionloss", {&flags.friction});
  read("limit", {&flags.limit});
  read("contact", {&flags.contact});
  read("passive", {&flags.spring, &flags.damper});
  read("spring", {&flags.spring});
  read("damper", {&flags.damper});
  read("gravity", {&flags.gravity});
  read("clampctrl", {&flags.clamp});
  read("actuation", {&flags.actuation});
}

/// The coordinates of the reference configuration, in the order of the file.
Numbers reference_coordinates(const World& world) {
  Numbers q;
  for (const JointData& joint : world.joints) {
    const SE3<double>& X = world.bodies[joint.body].in_world;
    if (joint.type == JointData::Type::free)
      q.insert(q.end(), {X.position.x, X.position.y, X.position.z, X.rotation.w, X.rotation.x, X.rotation.y, X.rotation.z});
    else if (joint.type == JointData::Type::ball)
      q.insert(q.end(), {1, 0, 0, 0});
    else
      q.push_back(joint.reference);
  }
  return q;
}

/// In our order: a rotation before a position; rates of a free body in its own axes.
void put_start(Reading& r, const Origin& at, const Numbers& q, const Numbers& v) {
  YamlNode joints = map_node(at), rates = map_node(at);
  std::size_t i = 0, k = 0;
  for (const JointData& joint : r.world.joints) {
    const auto moves = [&](int count) {
      for (int n = 0; n < count; ++n)
        if (v[k + n] != 0) return true;
      return false;
    };
    if (joint.is_scalar()) {
      if (q[i] != 0) put(joints, joint.name, number_node(at, q[i]));
      if (v[k] != 0) put(rates, joint.name, number_node(at, v[k]));
    } else {
      const std::size_t turn = joint.type == JointData::Type::free ? i + 3 : i;
      const SO3<double> rotation = normalized(SO3<double>{q[turn], q[turn + 1], q[turn + 2], q[turn + 3]});
      if (joint.type == JointData::Type::free) {
        const YamlNode pose = pose_node(at, {rotation, {q[i], q[i + 1], q[i + 2]}});
        if (!pose.entries.empty()) put(joints, joint.name, pose);
        const Vec3<double> linear = act(inverse(rotation), Vec3<double>{v[k], v[k + 1], v[k + 2]});
        if (moves(6)) put(rates, joint.name, numbers_node(at, {v[k + 3], v[k + 4], v[k + 5], linear.x, linear.y, linear.z}));
      } else {
        if (!(rotation.w == 1)) put(joints, joint.name, numbers_node(at, {rotation.w, rotation.x, rotation.y, rotation.z}));
        if (moves(3)) put(rates, joint.name, numbers_node(at, {v[k], v[k + 1], v[k + 2]}));
      }
    }
    i += joint.coordinates();
    k += joint.rates();
  }
  YamlNode initial = map_node(at);
  if (!joints.entries.empty()) put(initial, "joints", joints);
  if (!rates.entries.empty()) put(initial, "rates", rates);
  if (r.has_loops || r.root.find("couplings")) put(initial, "assemble", text_node(at, "true"));
  if (!initial.entries.empty()) put(r.root, "initial", initial);
}

void set_command(YamlNode& node, const char* letter, double value) {
  if (node.kind == YamlNode::Kind::map) {
    if (YamlEntry* entry = node.find(letter)) entry->value.text = number_node({}, value).text;
    for (YamlEntry& entry : node.entries) set_command(entry.value, letter, value);
  }
  for (YamlNode& item : node.items) set_command(item, letter, value);
}

void command(Reading& r, const XmlElement& key) {
  const std::size_t count = r.commands.size();
  std::size_t active = 0;
  for (const Command& one : r.commands) active += one.has_activation;
  const auto u = key.numbers("ctrl", count), a = key.numbers("act", active);
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Command& one = r.commands[i];
    const double activation = one.has_activation && a ? (*a)[next] : 0;
    next += one.has_activation;
    for (const auto& [in_section, name] : one.entries) {
      YamlNode& node = section(r.root, in_section).find(name)->value;
      if (u) set_command(node, in_section == "tendons" ? "excitation" : "u", (*u)[i]);
      if (one.has_activation) set_command(node, in_section == "tendons" ? "initial" : "a", activation);
    }
  }
}

std::optional<XmlElement> chosen_key(const Reading& r) {
  const std::string& wanted = r.importing.options().keyframe;
  std::vector<std::string> names;
  std::optional<XmlElement> chosen;
  for (const Element& key : r.section("keyframe")) {
    if (!key.is("key")) key.xml.fail("key", "<" + key.xml.name() + ">");
    const std::string name = key.xml.text("name", fmt::format("{}", names.size()));
    names.push_back(name);
    if (name == wanted) chosen = key.xml;
    if (name != wanted) r.importing.leave_out(key.xml, "keyframe " + in_quotes(name), "start there with --keyframe " + name);
  }
  if (!wanted.empty() && !chosen)
    r.mujoco().xml.fail("a keyframe of the name " + in_quotes(wanted), names.empty() ? "none" : did_you_mean(wanted, names));
  return chosen;
}

}  // namespace

void read_options(Reading& r) {
  for (const Element& element : r.mujoco().children) {
    if (!element.is("option")) continue;
    const XmlElement& xml = element.xml;
    if (const auto gravity = xml.numbers("gravity", 3)) r.gravity = vector_of(*gravity);
    const auto wind = xml.numbers("wind", 3);
    for (const char* attribute : {"density", "viscosity"})
      if (xml.number(attribute, 0) != 0)
        r.importing.leave_out_of_motion(xml, "fluid", attribute, "bodies move through nothing here");
    for (const Element& flag : element.children) {
      if (!flag.is("flag")) flag.xml.fail("flag", "<" + flag.xml.name() + ">");
      read_flags(flag.xml, r.flags);
    }
    if (xml.has("actuatorgroupdisable")) xml.fail_at("actuatorgroupdisable", "all actuators enabled");
  }
  if (!r.flags.gravity) r.gravity = {};
}

void put_settings(Reading& r) {
  const Origin at = origin_of(r.mujoco().xml);
  YamlNode settings = map_node(at);
  double step = 0.002;
  std::size_t integrator = 0;
  std::optional<XmlElement> named_by;
  for (const Element& element : r.mujoco().children) {
    if (!element.is("option")) continue;
    step = element.xml.number("timestep", step);
    if (!(step > 0)) element.xml.fail_at("timestep", "a time > 0");
    if (const auto chosen = element.xml.choice("integrator", {"Euler", "RK4", "implicit", "implicitfast"})) {
      integrator = *chosen;
      named_by = element.xml;
    }
  }
  const bool constrained = r.has_loops;
  constexpr const char* kOurs[] = {"implicit-midpoint", "rkmk4", "implicit-midpoint", "implicit-midpoint"};
  const std::string ours = constrained ? "energy-momentum" : kOurs[integrator];
  put(settings, "formulation", text_node(at, constrained ? "rotationless" : "joint"));
  put(settings, "integrator", text_node(at, ours));
  put(settings, "step", number_node(at, step));
  put(r.root, "simulation", settings);
  r.importing.approximate(named_by.value_or(r.mujoco().xml), "integrator",
                          fmt::format("{}; the nearest here is {}", std::vector<std::string>{"Euler", "RK4", "implicit", "implicitfast"}[integrator], ours));

  Numbers q = reference_coordinates(r.world);
  int rates = 0;
  for (const JointData& joint : r.world.joints) rates += joint.rates();
  Numbers v(rates);
  if (const auto key = chosen_key(r)) {
    if (const auto given = key->numbers("qpos", q.size())) q = *given;
    if (const auto given = key->numbers("qvel", v.size())) v = *given;
    if (key->number("time", 0) != 0) r.importing.leave_out(*key, "time of a keyframe", "runs start at 0");
    command(r, *key);
    put_start(r, origin_of(*key), q, v);
  } else {
    put_start(r, at, q, v);
  }
}

}  // namespace torsor::mjcf
