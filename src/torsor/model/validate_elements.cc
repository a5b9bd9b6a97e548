#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "torsor/model/check.h"
#include "torsor/model/servo.h"
#include "torsor/model/validate.h"

namespace torsor {
namespace {

void validate_point(const ModelDescription& d, const Point& point, const Key& key) {
  require(point.body >= kWorld && point.body < static_cast<int>(d.bodies.size()), key + ".body",
          "a body or `world`", std::to_string(point.body));
  require_vector(point.p_B, d.dimension, key + ".at");
}

void validate_muscle(const Muscle& muscle, const std::string& key) {
  require_finite(muscle.excitation.value(0), key + ".excitation");
  require_positive(muscle.max_force, key + ".max_force");
  require_positive(muscle.fibre_length, key + ".fibre_length");
  require_positive(muscle.max_velocity, key + ".max_velocity");
  require_positive(muscle.activation_time, key + ".activation_time");
  require_positive(muscle.deactivation_time, key + ".deactivation_time");
  require_nonnegative(muscle.smoothing, key + ".smoothing");
  require_finite(muscle.slack_length, key + ".slack_length");
  require_nonnegative(muscle.tendon_strain, key + ".tendon_strain");
  require_nonnegative(muscle.fibre_damping, key + ".fibre_damping");
  require(muscle.pennation >= 0 && muscle.pennation < 0.5 * std::numbers::pi, key + ".pennation",
          "an angle from 0 to below 90 deg", shown(muscle.pennation));
  if (muscle.initial) {
    require(*muscle.initial >= 0 && *muscle.initial <= 1, key + ".initial", "an activation from 0 to 1",
            shown(*muscle.initial));
  }
  require(muscle.least_length >= 0 && muscle.least_length < 1, key + ".least_length",
          "a number from 0 to below 1", shown(muscle.least_length));
  require(muscle.greatest_length > 1 && std::isfinite(muscle.greatest_length), key + ".greatest_length",
          "a number above 1", shown(muscle.greatest_length));
  require(muscle.lengthening_force > 1 && std::isfinite(muscle.lengthening_force), key + ".lengthening_force",
          "a number above 1", shown(muscle.lengthening_force));
  require_nonnegative(muscle.passive_force, key + ".passive_force");
  if (!muscle.has_series_tendon()) return;
  require_positive(muscle.slack_length, key + ".slack_length");
  // Else no velocity of the fibres may balance the tension.
  require_positive(muscle.fibre_damping, key + ".fibre_damping");
}

void validate_wrap(const ModelDescription& d, const Tendon& tendon, std::size_t index) {
  const Wrap& wrap = tendon.wraps[index];
  const std::string key = fmt::format("tendons.{}.wrap[{}]", tendon.name, index);
  require(wrap.segment >= 0 && wrap.segment + 1 < static_cast<int>(tendon.path.size()), key + ".between",
          "a segment of the path", std::to_string(wrap.segment));
  for (std::size_t i = 0; i < index; ++i) {
    require(tendon.wraps[i].segment != wrap.segment, key + ".between", "a segment that is not wrapped yet",
            std::to_string(wrap.segment));
  }
  validate_point(d, wrap.at, key);
  SO3<double> rotation = wrap.rotation;
  require_rotation(rotation, d.dimension, key + ".axis");
  require_positive(wrap.law.radius, key + ".radius");
  const bool planar = wrap.law.kind == WrapLaw::Kind::circle;
  require(planar == (d.dimension == 2), key, d.dimension == 2 ? "a circle" : "a cylinder or a sphere",
          planar ? "a circle" : "none in the plane");
  for (const int end : {wrap.segment, wrap.segment + 1}) {
    const Point& point = tendon.path[end];
    if (point.body != wrap.at.body) continue;
    Vec3<double> arm = transpose_times(matrix(wrap.rotation), point.p_B - wrap.at.p_B);
    if (wrap.law.kind == WrapLaw::Kind::cylinder) arm.z = 0;
    require(norm(arm) >= wrap.law.radius, key, "a radius that leaves both ends outside",
            fmt::format("{:.6g} m at an end {:.6g} m away", wrap.law.radius, norm(arm)));
  }
  if (!wrap.law.side) return;
  Vec3<double> side = *wrap.law.side;
  if (wrap.law.kind == WrapLaw::Kind::cylinder) side.z = 0;
  require(norm(side) > 0, key + ".side", "a point off the centre or axis", "one on it");
}

const Joint& joint_of(const ModelDescription& d, int joint, const Key& key) {
  require(joint >= 0 && joint < static_cast<int>(d.joints.size()), key + ".joint", "a joint",
          std::to_string(joint));
  return d.joints[joint];
}

/// Each part of the joint turns or slides by one coordinate, whose rate is its derivative.
bool has_line_coordinates(JointType type, int dimension) {
  const JointParts parts = joint_parts(type, dimension);
  return std::all_of(parts.begin(), parts.end(),
                     [](const JointPart& part) { return components(part.primitive).rates() == 1; });
}

/// A sum of coordinates under `key.joints`, of which `least` or more must be named.
void validate_terms(const ModelDescription& d, const std::vector<CoordinateTerm>& terms, std::size_t least,
                    const Key& key) {
  require(terms.size() >= least, key + ".joints",
          least == 1 ? "a coordinate or more with a factor other than 0"
                     : "two coordinates or more with factors other than 0",
          std::to_string(terms.size()));
  std::set<std::pair<int, int>> named;
  for (const CoordinateTerm& term : terms) {
    const Joint& joint = joint_of(d, term.joint, key);
    const Key at = key + ".joints." + joint.name;
    require(has_line_coordinates(joint.type, d.dimension), at,
            "a revolute, prismatic, helical, cylindrical, universal or planar joint",
            fmt::format("a {} joint", name_of(joint.type)));
    require(term.coordinate >= 0 && term.coordinate < rate_count(joint.type, d.dimension), at,
            fmt::format("a coordinate of the {} joint", name_of(joint.type)),
            std::to_string(term.coordinate));
    require(named.emplace(term.joint, term.coordinate).second, at, "each coordinate once", "twice the same");
    require_finite(term.factor, at);
    require(term.factor != 0, at, "a factor other than 0", "0");
  }
}

void validate_tendon(const ModelDescription& d, const Tendon& tendon) {
  const Key key = Key("tendons.") + tendon.name;
  if (tendon.joints.empty()) {
    require(tendon.path.size() >= 2, key + ".path", "two points or more", std::to_string(tendon.path.size()));
    require_nonnegative(tendon.rest_length.value(0), key + ".rest_length");
  } else {
    require(tendon.path.empty(), key + ".path", "no path beside `joints`", "one");
    validate_terms(d, tendon.joints, 1, key);
    require_finite(tendon.rest_length.value(0), key + ".rest_length");
  }
  constexpr std::size_t kMostPathPoints = 1000;  // every two of them may push each other
  require(
      tendon.path.size() <= kMostPathPoints, key + ".path",
      [&] { return fmt::format("at most {} points", kMostPathPoints); }, std::to_string(tendon.path.size()));
  for (std::size_t i = 0; i < tendon.path.size(); ++i) {
    const Key at = (key + ".path").at(i);
    const Point& point = tendon.path[i];
    validate_point(d, point, at);
    if (i == 0) continue;
    // A segment that always has length 0 has no direction.
    const Point& before = tendon.path[i - 1];
    require(before.body != point.body || norm(point.p_B - before.p_B) > 0, at,
            "a point apart from the one before it on the same body", "the same place");
  }
  for (std::size_t i = 0; i < tendon.wraps.size(); ++i) validate_wrap(d, tendon, i);
  require_nonnegative(tendon.stiffness, key + ".stiffness");
  require(tendon.rest_length.smoothness() >= 0, key + ".rest_length", "a program without jumps",
          "one that jumps");
  require_finite(tendon.tension.value(0), key + ".tension");
  require_nonnegative(tendon.damping, key + ".damping");
  if (tendon.muscle) validate_muscle(*tendon.muscle, (key + ".muscle").text());
}

/// Leaves `count` numbers: a missing list becomes zeros, and one number stands for all where it may.
void fit(std::vector<double>& list, int count, bool one_for_all, const Key& key) {
  if (list.empty()) list.assign(count, 0.0);
  if (list.size() == 1 && one_for_all) list.assign(count, list[0]);
  require(
      static_cast<int>(list.size()) == count, key,
      [&] { return fmt::format("{} number{}", count, count == 1 ? "" : "s"); }, std::to_string(list.size()));
}
void fit_nonnegative(std::vector<double>& list, int count, bool one_for_all, const Key& key) {
  fit(list, count, one_for_all, key);
  for (const double value : list) require_nonnegative(value, key);
}

void validate_spring(const ModelDescription& d, JointSpring& spring) {
  const Key key = Key("joint_springs.") + spring.name;
  const Joint& joint = joint_of(d, spring.joint, key);
  const bool turns = components(joint.type, d.dimension).quaternions > 0;
  if (spring.law == SpringLaw::angle) {
    require(has_plain_coordinates(joint.type), key + ".law",
            turns ? "the law log or euler321 for a spherical or free joint"
                  : "a joint with coordinates of its own",
            [&] { return fmt::format("angle on a {} joint", name_of(joint.type)); });
  } else {
    require(turns, key + ".law", "the law angle, or a spherical or free joint in 3D",
            fmt::format("{} on a {} joint", spring.law == SpringLaw::log ? "log" : "euler321",
                        name_of(joint.type)));
  }
  const bool angle = spring.law == SpringLaw::angle;
  const int count = angle ? rate_count(joint.type, d.dimension) : 3;
  const bool same_unit = !angle || has_one_unit(joint.type);
  fit_nonnegative(spring.stiffness, count, same_unit, key + ".stiffness");
  fit_nonnegative(spring.damping, count, same_unit, key + ".damping");
  fit(spring.rest, angle ? count : 0, false, key + ".rest");
  for (const double value : spring.rest) require_finite(value, key + ".rest");
  require_rotation(spring.rest_rotation, 3, key + ".rest");
  if (spring.law != SpringLaw::log) return;
  const Vec3<double> k{spring.stiffness[0], spring.stiffness[1], spring.stiffness[2]};
  require(k.x == k.y && k.y == k.z, key + ".stiffness", "three equal numbers, since the law is log",
          shown(k));
}

/// The joint of an element that acts on its coordinates, one by one.
const Joint& plain_joint(const ModelDescription& d, int index, std::size_t given, const std::string& section,
                         const std::string& name, const char* what) {
  const Joint& joint = joint_of(d, index, section + "." + name);
  const std::string key = "joints." + joint.name + "." + what;
  require(has_plain_coordinates(joint.type), key, "a joint whose coordinates are angles and displacements",
          fmt::format("the {} joint {}", name_of(joint.type), in_quotes(joint.name)));
  const int count = rate_count(joint.type, d.dimension);
  require(static_cast<int>(given) == count, key,
          fmt::format("one for each of {} coordinate{}", count, count == 1 ? "" : "s"),
          std::to_string(given));
  return joint;
}

/// The tendon on which one entry acts.
const Tendon& limited_tendon(const ModelDescription& d, int tendon, std::size_t given, const char* section,
                             const std::string& name) {
  const std::string key = std::string(section) + "." + name;
  require(tendon >= 0 && tendon < static_cast<int>(d.tendons.size()), key + ".tendon", "a tendon",
          std::to_string(tendon));
  require(given == 1, key, "one for the length of the tendon", std::to_string(given));
  return d.tendons[tendon];
}

void validate_stop(const ModelDescription& d, const JointStop& stop) {
  const std::string key =
      (stop.tendon
           ? "tendons." + limited_tendon(d, *stop.tendon, stop.ranges.size(), "stops", stop.name).name
           : "joints." + plain_joint(d, stop.joint, stop.ranges.size(), "stops", stop.name, "range").name) +
      ".range";
  for (const JointStop::Range& range : stop.ranges) {
    require(range.lower < range.upper, key, "a lower bound below the upper one",
            fmt::format("[{}, {}]", shown(range.lower), shown(range.upper)));
    if (range.is_bounded()) require_positive(range.stiffness, key + ".stiffness");
    require_nonnegative(range.damping, key + ".damping");
  }
}

void validate_friction(const ModelDescription& d, const JointFriction& friction) {
  const auto& [name, joint, laws, tendon] = friction;
  const std::string key =
      (tendon ? "tendons." + limited_tendon(d, *tendon, laws.size(), "friction", name).name
              : "joints." + plain_joint(d, joint, laws.size(), "friction", name, "friction").name) +
      ".friction";
  for (const FrictionLaw& law : friction.laws) {
    require_nonnegative(law.coulomb, key + ".coulomb");
    require_nonnegative(law.viscous, key + ".viscous");
    require_nonnegative(law.breakaway, key + ".stribeck.static");
    require_positive(law.stribeck_velocity, key + ".stribeck.velocity");
    require_positive(law.smooth_velocity, key + ".velocity");
  }
}

void validate_bushing(const ModelDescription& d, Bushing& bushing) {
  const std::string key = "bushings." + bushing.name;
  const int body_count = static_cast<int>(d.bodies.size());
  require(bushing.parent >= kWorld && bushing.parent < body_count, key + ".parent", "a body or `world`",
          std::to_string(bushing.parent));
  require(bushing.child >= kWorld && bushing.child < body_count, key + ".child", "a body or `world`",
          std::to_string(bushing.child));
  require(bushing.parent != bushing.child, key + ".child", "a body other than the parent", "the same");
  require_pose(bushing.in_parent, d.dimension, key + ".in_parent");
  require_pose(bushing.in_child, d.dimension, key + ".in_child");
  for (const auto& [six, name] :
       {std::pair(&bushing.stiffness, ".stiffness"), {&bushing.damping, ".damping"}}) {
    for (int i = 0; i < 3; ++i) {
      require_nonnegative(six->translation[i], key + name + ".translation");
      require_nonnegative(six->rotation[i], key + name + ".rotation");
    }
    if (d.dimension == 3) continue;
    require(six->translation.z == 0, key + name + ".translation", "two numbers, since dimension is 2",
            shown(six->translation));
    require(six->rotation.x == 0 && six->rotation.y == 0, key + name + ".rotation",
            "one number, since dimension is 2", shown(six->rotation));
  }
}

void validate_load(const ModelDescription& d, const Load& load) {
  const std::string key = "loads." + load.name;
  validate_point(d, load.at, key);
  require(load.at.body != kWorld, key + ".body", "a body that can move", "'world'");
  const bool force = load.kind == Load::Kind::force;
  const std::string what = key + (force ? ".force" : ".moment");
  for (const Program& component : load.components) require_finite(component.value(0), what);
  if (d.dimension == 3) return;
  require(!force || load.components[2].vanishes(), what, "a force in the plane, since dimension is 2",
          "a component along z");
  require(force || (load.components[0].vanishes() && load.components[1].vanishes()), what,
          "a moment about z, since dimension is 2", "a component in the plane");
}

void validate_actuator(const ModelDescription& d, const Actuator& actuator) {
  const std::string key = "actuators." + actuator.name;
  require_finite(actuator.effort.value(0), key + ".effort");
  if (actuator.limits) {
    const auto [low, high] = *actuator.limits;
    require(std::isfinite(low) && std::isfinite(high) && low < high, key + ".limits",
            "two numbers, the lower first", fmt::format("{:.6g}, {:.6g}", low, high));
  }
  if (actuator.tendon) {
    require(*actuator.tendon >= 0 && *actuator.tendon < static_cast<int>(d.tendons.size()), key + ".tendon",
            "a tendon", std::to_string(*actuator.tendon));
    return;
  }
  const Joint& joint = joint_of(d, actuator.joint, key);
  const int rates = rate_count(joint.type, d.dimension);
  require(rates > 0, key + ".joint", "a joint that can move",
          fmt::format("the fixed joint {}", in_quotes(joint.name)));
  require(actuator.coordinate >= 0 && actuator.coordinate < rates, key + ".coordinate",
          fmt::format("a rate of the {} joint, 0 to {}", name_of(joint.type), rates - 1),
          std::to_string(actuator.coordinate));
}

void validate_excited(const ModelDescription& d, const Controller& controller, const std::string& key,
                      int coordinates) {
  if (controller.excites.empty()) return;
  require(controller.type == Controller::Type::pd && coordinates == 1, key,
          "a pd controller of a joint with one coordinate", "another");
  require(controller.is_sampled(), key, "a `period` beside it, over which the excitation is held", "none");
  std::set<int> named;
  for (const auto& [tendon, factor] : controller.excites) {
    require(tendon >= 0 && tendon < static_cast<int>(d.tendons.size()), key, "a tendon",
            std::to_string(tendon));
    const std::string at = key + "." + d.tendons[tendon].name;
    require(d.tendons[tendon].muscle.has_value(), at, "a tendon with a muscle", "one without");
    require(named.insert(tendon).second, at, "each muscle once", "twice the same");
    require_finite(factor, at);
    require(factor != 0, at, "a factor other than 0", "0");
  }
}

void validate_controller(const ModelDescription& d, Controller& controller) {
  const std::string key = "controllers." + controller.name;
  int count = d.dimension;
  bool same_unit = true;
  if (controller.type == Controller::Type::pd) {
    require(controller.joint.has_value(), key + ".joint", "the joint that pd controls", "none");
    require(!controller.point, key + ".point", "no point at a pd controller", "one");
    require(!controller.rotation, key + ".rotation", "no rotation at a pd controller", "one");
    const Joint& joint = joint_of(d, *controller.joint, key);
    require(has_plain_coordinates(joint.type), key + ".joint",
            "a joint whose coordinates are angles and displacements",
            fmt::format("the {} joint {}", name_of(joint.type), in_quotes(joint.name)));
    count = rate_count(joint.type, d.dimension);
    same_unit = has_one_unit(joint.type);
  } else {
    require(controller.point.has_value(), key + ".point", "the point that impedance controls", "none");
    require(!controller.joint, key + ".joint", "no joint at an impedance controller", "one");
    validate_point(d, *controller.point, key + ".point");
    require(controller.point->body != kWorld, key + ".point", "a point that can move", "one on `world`");
    for (const Tendon& tendon : d.tendons) {
      require(!controller.compensate_springs || (tendon.wraps.empty() && tendon.joints.empty()),
              key + ".compensate", "no `springs` beside a tendon that wraps or is one of joints",
              in_quotes(tendon.name));
    }
  }
  require(static_cast<int>(controller.target.size()) == count, key + ".target",
          fmt::format("{} program{}", count, count == 1 ? "" : "s"),
          std::to_string(controller.target.size()));
  for (const Program& target : controller.target) require_finite(target.value(0), key + ".target");
  fit_nonnegative(controller.stiffness, count, same_unit, key + ".stiffness");
  fit_nonnegative(controller.damping, count, same_unit, key + ".damping");
  if (controller.rotation) {
    require(d.dimension == 3, key + ".rotation", "no rotation, since dimension is 2", "one");
    if (controller.rotation->is_constant()) {
      SO3<double> fixed = controller.rotation->fixed();
      require_rotation(fixed, 3, key + ".rotation");
      controller.rotation = fixed;
    }
    for (const Program& angle : controller.rotation->programs())
      require_finite(angle.value(0), key + ".rotation");
  }
  require_nonnegative(controller.angular_stiffness, key + ".angular_stiffness");
  require_nonnegative(controller.angular_damping, key + ".angular_damping");
  require_nonnegative(controller.period, key + ".period");
  require(!controller.position_only || controller.is_sampled(), key + ".period",
          "a period above 0 s of a controller that measures positions only", "none");
  validate_excited(d, controller, key + ".excites", count);
}

void validate_outputs(const ModelDescription& d, const Servo& servo, const std::string& key) {
  const std::vector<std::string> outputs = servo_outputs(servo, d.joints, d.dimension);
  require(!servo.follows.empty(), key + ".follows", "at least one output", "none");
  const char* what = servo.point ? "point" : servo.body ? "body" : name_of(d.joints[*servo.joint].type);
  const auto turns = std::count_if(servo.follows.begin(), servo.follows.end(),
                                   [](const auto& output) { return is_orientation_output(output.first); });
  for (const auto& [output, program] : servo.follows) {
    const std::string at = key + ".follows." + output;
    require(std::find(outputs.begin(), outputs.end(), output) != outputs.end(), at,
            fmt::format("one of {} for a {}{} in {}D", listed(outputs), what, servo.joint ? " joint" : "",
                        d.dimension),
            in_quotes(output));
    require(!is_orientation_output(output) || turns == 3, at, "roll, pitch and yaw together",
            fmt::format("{} of them", turns));
    require(program.smoothness() >= 0, at, "a program without jumps", "one that jumps");
    const Jet start = program.evaluate(0);
    require(std::isfinite(start.value) && std::isfinite(start.rate) && std::isfinite(start.acceleration), at,
            "a finite value, rate and acceleration at t = 0",
            fmt::format("{}, {}, {}", shown(start.value), shown(start.rate), shown(start.acceleration)));
  }
}

void validate_led(const ModelDescription& d, const Servo& servo, const std::string& key) {
  const int named = servo.point.has_value() + servo.body.has_value() + servo.joint.has_value();
  require(named == 1, key, "either a point or a body or a joint",
          named == 0 ? "none" : fmt::format("{} of them", named));
  if (servo.joint) {
    const Joint& joint = joint_of(d, *servo.joint, key);
    require(has_plain_coordinates(joint.type), key + ".joint",
            "a joint whose coordinates are angles and displacements",
            fmt::format("the {} joint {}", name_of(joint.type), in_quotes(joint.name)));
    return;
  }
  if (servo.point) validate_point(d, *servo.point, key + ".point");
  const int body = servo.point ? servo.point->body : *servo.body;
  require(body >= 0 && body < static_cast<int>(d.bodies.size()), key + (servo.point ? ".point" : ".body"),
          "a body that can move", body == kWorld ? "'world'" : std::to_string(body));
}

void validate_servo(const ModelDescription& d, const Servo& servo, std::set<int>& driven) {
  const std::string key = "servos." + servo.name;
  validate_led(d, servo, key);
  validate_outputs(d, servo, key);
  require(servo.actuators.size() >= servo.follows.size(), key + ".actuators",
          fmt::format("as many actuators as outputs, {}, or more", servo.follows.size()),
          std::to_string(servo.actuators.size()));
  for (std::size_t i = 0; i < servo.actuators.size(); ++i) {
    const std::string at = fmt::format("{}.actuators[{}]", key, i);
    const int a = servo.actuators[i];
    require(a >= 0 && a < static_cast<int>(d.actuators.size()), at, "an actuator", std::to_string(a));
    const Actuator& actuator = d.actuators[a];
    require(driven.insert(a).second, at, "an actuator that no other output has", in_quotes(actuator.name));
    require(actuator.effort.vanishes(), at, "an actuator without an effort of its own",
            in_quotes(actuator.name));
  }
}

void validate_coupling(const ModelDescription& d, const Coupling& coupling) {
  const std::string key = "couplings." + coupling.name;
  validate_terms(d, coupling.terms, 2, key);
  require_finite(coupling.offset, key + ".offset");
}

template <class Law>
void require_functions(const Law& law, const std::string& key) {
  require(law.potential || law.force, key, "a potential or a force", "none");
  require(law.force || !law.dissipates, key + ".dissipates", "a force that dissipates", "a potential alone");
}

void validate_law(const ModelDescription& d, const PointLaw& law) {
  const std::string key = "point_laws." + law.name;
  require_functions(law, key);
  validate_point(d, law.at, key + ".point");
  require(law.at.body != kWorld, key + ".point", "a point of a body that can move", "one on the ground");
}

void validate_law(const ModelDescription& d, const OwnLaw& law) {
  const std::string key = "laws." + law.name;
  require_functions(law, key);
  if (law.tendon) {
    require(*law.tendon >= 0 && *law.tendon < static_cast<int>(d.tendons.size()), key + ".tendon", "a tendon",
            std::to_string(*law.tendon));
    return;
  }
  const Joint& joint = joint_of(d, law.joint, key);
  require(has_plain_coordinates(joint.type), key + ".joint",
          "a joint whose coordinates are angles and displacements",
          fmt::format("the {} joint {}", name_of(joint.type), in_quotes(joint.name)));
  const int count = rate_count(joint.type, d.dimension);
  require(law.coordinate >= 0 && law.coordinate < count, key + ".coordinate",
          fmt::format("an index below {} for a {} joint", count, name_of(joint.type)),
          std::to_string(law.coordinate));
}

/// Of an element that describes itself.
struct FieldCheck {
  const ModelDescription& d;
  Key key;

  void body(const char* name, int body) const {
    require(body >= 0 && body < static_cast<int>(d.bodies.size()), key + "." + name, "a body that can move",
            body == kWorld ? "'world'" : std::to_string(body));
  }
  void body_or_point(const char* name, const char* point_name, int on,
                     const std::optional<Point>& point) const {
    body(point ? point_name : name, on);
    if (!point) return;
    validate_point(d, *point, key + "." + point_name);
    require(point->body == on, key + "." + point_name, "a point of the body", "one of another");
  }
  void nonnegative(const char* name, const char*, double value) const {
    require_nonnegative(value, key + "." + name);
  }
};

}  // namespace

void validate_elements(ModelDescription& d) {
  require_names(d.points, "points");
  for_each_kind(d, [&](const char* section, auto& list) {
    require_names(list, section);
    for (auto& element : list) {
      const FieldCheck check{d, Key(section) + "." + element.name};
      if constexpr (requires { element.describe(check); }) element.describe(check);
    }
  });
  for (const Point& point : d.points) validate_point(d, point, Key("points.") + point.name);
  for (const Tendon& tendon : d.tendons) validate_tendon(d, tendon);
  for (JointSpring& spring : d.joint_springs) validate_spring(d, spring);
  for (const JointStop& stop : d.stops) validate_stop(d, stop);
  for (const JointFriction& friction : d.friction) validate_friction(d, friction);
  for (Bushing& bushing : d.bushings) validate_bushing(d, bushing);
  for (const Load& load : d.loads) validate_load(d, load);
  for (const Actuator& actuator : d.actuators) validate_actuator(d, actuator);
  for (Controller& controller : d.controllers) validate_controller(d, controller);
  std::set<int> driven;
  for (const Servo& servo : d.servos) validate_servo(d, servo, driven);
  constexpr std::size_t kMostCouplings = 500;  // their equations are solved as a dense matrix
  require(d.couplings.size() <= kMostCouplings, "couplings",
          fmt::format("at most {} couplings", kMostCouplings), std::to_string(d.couplings.size()));
  for (const Coupling& coupling : d.couplings) validate_coupling(d, coupling);
  for (const OwnLaw& law : d.laws) validate_law(d, law);
  for (const PointLaw& law : d.point_laws) validate_law(d, law);
}

}  // namespace torsor
