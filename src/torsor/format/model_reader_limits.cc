// What a joint or a tendon bears beside its motion, `range` and `friction`; and `bushings`.

#include "torsor/format/model_reader_parts.h"

namespace torsor {
namespace {

constexpr double kStopOvershoot = 0.01;     // [rad, m], where only one bound is given
constexpr double kFrictionVelocity = 0.01;  // [rad/s, m/s]

/// One value for each coordinate: of a joint with several a list, or a mapping by their names, in which
/// those that are left out stay as they are by default.
template <class Value, class Read>
std::vector<Value> by_coordinate(const YamlView& view, const Joint& joint, int dimension, Read&& read) {
  if (!has_plain_coordinates(joint.type)) {
    view.fail("a joint whose coordinates are angles and displacements",
              std::string("the ") + name_of(joint.type) + " joint '" + joint.name + "'");
  }
  const std::vector<RateQuantities> rates = rate_quantities(joint.type, dimension);
  std::vector<Value> values(rates.size());
  if (rates.size() == 1) {
    values[0] = read(view, rates[0]);
  } else if (view.is_list()) {
    const auto items = view.list(rates.size(), "entries, one for each coordinate of the joint");
    for (std::size_t i = 0; i < items.size(); ++i) values[i] = read(items[i], rates[i]);
  } else {
    const std::vector<std::string> names = joint_outputs(joint.type);
    view.allow_keys(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (const auto one = view.find(names[i])) values[i] = read(*one, rates[i]);
    }
  }
  return values;
}

/// `[lower, upper]`, or a mapping with at least one of the two.
JointStop::Range read_range(const YamlView& view, const RateQuantities& of) {
  JointStop::Range range;
  double overshoot = 0, energy = kStopEnergy;
  if (view.is_list()) {
    const std::vector<double> bounds = view.numbers(2, of.coordinate);
    range.lower = bounds[0];
    range.upper = bounds[1];
  } else {
    view.allow_keys({"lower", "upper", "stiffness", "damping", "overshoot", "energy"});
    const auto lower = view.find("lower"), upper = view.find("upper");
    if (!lower && !upper) view.at("lower", "a bound, `lower` or `upper` or both");
    if (lower) range.lower = lower->number(of.coordinate);
    if (upper) range.upper = upper->number(of.coordinate);
    if (const auto c = view.find("damping")) range.damping = c->number(of.damping);
    if (const auto k = view.find("stiffness")) {
      for (const char* key : {"overshoot", "energy"})
        if (const auto other = view.find(key))
          other->fail("either `stiffness` or `overshoot` and `energy`", "both");
      range.stiffness = k->number(of.stiffness);
      return range;
    }
    if (const auto e = view.find("energy")) energy = e->number(kEnergy);
    if (const auto e = view.find("overshoot")) {
      overshoot = e->number(of.coordinate);
      if (!(overshoot > 0)) e->fail("an overshoot > 0");
    }
  }
  const double width = range.upper - range.lower;
  if (overshoot == 0) overshoot = std::isfinite(width) ? kStopShare * width : kStopOvershoot;
  range.stiffness = stop_stiffness(energy, overshoot);
  return range;
}

/// The number of a law of Coulomb, or a mapping.
FrictionLaw read_friction(const YamlView& view, const RateQuantities& of) {
  FrictionLaw law;
  law.smooth_velocity = kFrictionVelocity;
  if (!view.is_map()) {
    law.coulomb = law.breakaway = view.number(of.effort);
    return law;
  }
  view.allow_keys({"coulomb", "viscous", "stribeck", "velocity"});
  if (const auto coulomb = view.find("coulomb")) law.coulomb = coulomb->number(of.effort);
  if (const auto viscous = view.find("viscous")) law.viscous = viscous->number(of.damping);
  if (const auto velocity = view.find("velocity")) law.smooth_velocity = velocity->number(of.rate);
  law.breakaway = law.coulomb;
  if (const auto stribeck = view.find("stribeck")) {
    stribeck->allow_keys({"static", "velocity"});
    law.breakaway = stribeck->at("static", described(of.effort)).number(of.effort);
    law.stribeck_velocity = stribeck->at("velocity", described(of.rate)).number(of.rate);
  }
  return law;
}

/// Along and about the axes that the dimension has; one number stands for all of them.
Vec3<double> read_axes(const YamlView& view, int first, int count, const Quantity& quantity) {
  Vec3<double> values{};
  if (view.is_list()) {
    const std::vector<double> numbers = view.numbers(count, quantity);
    for (int i = 0; i < count; ++i) values[first + i] = numbers[i];
  } else {
    for (int i = 0; i < count; ++i) values[first + i] = view.number(quantity);
  }
  return values;
}

Bushing::Six read_six(const YamlView& view, int dimension, const Quantity& along, const Quantity& about) {
  view.allow_keys({"translation", "rotation"});
  Bushing::Six six;
  const bool flat = dimension == 2;
  if (const auto t = view.find("translation")) six.translation = read_axes(*t, 0, dimension, along);
  if (const auto r = view.find("rotation")) six.rotation = read_axes(*r, flat ? 2 : 0, flat ? 1 : 3, about);
  return six;
}

}  // namespace

void read_joint_limits(const YamlView& view, int index, ModelReading& reading) {
  const Joint& joint = reading.joint(index);
  if (const auto range = view.find("range")) {
    reading.d.stops.push_back(
        {joint.name + " stop", index,
         by_coordinate<JointStop::Range>(*range, joint, reading.dimension(), read_range)});
  }
  if (const auto friction = view.find("friction")) {
    reading.d.friction.push_back(
        {joint.name + " friction", index,
         by_coordinate<FrictionLaw>(*friction, joint, reading.dimension(), read_friction)});
  }
}

void read_tendon_limits(const YamlView& view, int index, ModelReading& reading) {
  const std::string& name = reading.d.tendons[index].name;
  const RateQuantities& of = reading.d.tendons[index].is_angle ? kTurning : kSliding;
  if (const auto range = view.find("range"))
    reading.d.stops.push_back({name + " stop", 0, {read_range(*range, of)}, index});
  if (const auto friction = view.find("friction"))
    reading.d.friction.push_back({name + " friction", 0, {read_friction(*friction, of)}, index});
}

void read_bushings(const std::string& name, const YamlView& view, ModelReading& reading) {
  view.allow_keys({"parent", "child", "in_parent", "in_child", "stiffness", "damping"});
  const int dimension = reading.dimension();
  Bushing bushing;
  bushing.name = name;
  bushing.parent = reading.body(view.at("parent", "the name of a body, or world"));
  bushing.child = reading.body(view.at("child", "the name of a body, or world"));
  if (const auto frame = view.find("in_parent")) bushing.in_parent = read_pose(*frame, dimension);
  if (const auto frame = view.find("in_child")) bushing.in_child = read_pose(*frame, dimension);
  if (!view.has("stiffness") && !view.has("damping")) view.at("stiffness", "a stiffness or a damping");
  if (const auto k = view.find("stiffness"))
    bushing.stiffness = read_six(*k, dimension, kStiffness, kAngularStiffness);
  if (const auto c = view.find("damping"))
    bushing.damping = read_six(*c, dimension, kDamping, kAngularDamping);
  reading.d.bushings.push_back(bushing);
}

}  // namespace torsor
