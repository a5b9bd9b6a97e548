#include <algorithm>
#include <set>

#include "torsor/model/check.h"
#include "torsor/model/servo.h"
#include "torsor/model/validate.h"

namespace torsor {
namespace {

void validate_point(const ModelDescription& d, const Point& point, const std::string& key) {
  require(point.body >= kWorld && point.body < static_cast<int>(d.bodies.size()), key + ".body",
          "a body or `world`", std::to_string(point.body));
  require_vector(point.p_B, d.dimension, key + ".at");
}

void validate_tendon(const ModelDescription& d, const Tendon& tendon) {
  const std::string key = "tendons." + tendon.name;
  require(tendon.path.size() >= 2, key + ".path", "two points or more", std::to_string(tendon.path.size()));
  for (std::size_t i = 0; i < tendon.path.size(); ++i) {
    const std::string at = fmt::format("{}.path[{}]", key, i);
    const Point& point = tendon.path[i];
    validate_point(d, point, at);
    if (i == 0) continue;
    // A segment that always has length 0 has no direction.
    const Point& before = tendon.path[i - 1];
    require(before.body != point.body || norm(point.p_B - before.p_B) > 0, at,
            "a point apart from the one before it on the same body", "the same place");
  }
  require_nonnegative(tendon.stiffness, key + ".stiffness");
  require_nonnegative(tendon.rest_length, key + ".rest_length");
  require_nonnegative(tendon.damping, key + ".damping");
}

const Joint& joint_of(const ModelDescription& d, int joint, const std::string& key) {
  require(joint >= 0 && joint < static_cast<int>(d.joints.size()), key + ".joint", "a joint",
          std::to_string(joint));
  return d.joints[joint];
}

/// Leaves `count` numbers: a missing list becomes zeros, and one number stands for all where it may.
void fit(std::vector<double>& list, int count, bool one_for_all, const std::string& key) {
  if (list.empty()) list.assign(count, 0.0);
  if (list.size() == 1 && one_for_all) list.assign(count, list[0]);
  require(static_cast<int>(list.size()) == count, key,
          fmt::format("{} number{}", count, count == 1 ? "" : "s"), std::to_string(list.size()));
}
void fit_nonnegative(std::vector<double>& list, int count, bool one_for_all, const std::string& key) {
  fit(list, count, one_for_all, key);
  for (const double value : list) require_nonnegative(value, key);
}

void validate_spring(const ModelDescription& d, JointSpring& spring) {
  const std::string key = "joint_springs." + spring.name;
  const Joint& joint = joint_of(d, spring.joint, key);
  const bool turns = components(joint.type, d.dimension).quaternions > 0;
  if (spring.law == SpringLaw::angle) {
    require(has_plain_coordinates(joint.type), key + ".law",
            turns ? "the law log or euler321 for a spherical or free joint"
                  : "a joint with coordinates of its own",
            fmt::format("angle on a {} joint", name_of(joint.type)));
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
  const Joint& joint = joint_of(d, actuator.joint, key);
  const int rates = rate_count(joint.type, d.dimension);
  require(rates > 0, key + ".joint", "a joint that can move",
          fmt::format("the fixed joint {}", in_quotes(joint.name)));
  require(actuator.coordinate >= 0 && actuator.coordinate < rates, key + ".coordinate",
          fmt::format("a rate of the {} joint, 0 to {}", name_of(joint.type), rates - 1),
          std::to_string(actuator.coordinate));
  require_finite(actuator.effort.value(0), key + ".effort");
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
  }
  require(static_cast<int>(controller.target.size()) == count, key + ".target",
          fmt::format("{} program{}", count, count == 1 ? "" : "s"),
          std::to_string(controller.target.size()));
  for (const Program& target : controller.target) require_finite(target.value(0), key + ".target");
  fit_nonnegative(controller.stiffness, count, same_unit, key + ".stiffness");
  fit_nonnegative(controller.damping, count, same_unit, key + ".damping");
  if (controller.rotation) {
    require(d.dimension == 3, key + ".rotation", "no rotation, since dimension is 2", "one");
    require_rotation(*controller.rotation, 3, key + ".rotation");
  }
  require_nonnegative(controller.angular_stiffness, key + ".angular_stiffness");
  require_nonnegative(controller.angular_damping, key + ".angular_damping");
  require_nonnegative(controller.period, key + ".period");
  require(!controller.position_only || controller.is_sampled(), key + ".period",
          "a period above 0 s of a controller that measures positions only", "none");
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
  require(servo.actuators.size() == servo.follows.size(), key + ".actuators",
          fmt::format("as many actuators as outputs, {}", servo.follows.size()),
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

/// Of an element that describes itself.
struct FieldCheck {
  const ModelDescription& d;
  std::string key;

  void body(const char* name, int body) const {
    require(body >= 0 && body < static_cast<int>(d.bodies.size()), key + "." + name, "a body that can move",
            body == kWorld ? "'world'" : std::to_string(body));
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
      const FieldCheck check{d, std::string(section) + "." + element.name};
      if constexpr (requires { element.describe(check); }) element.describe(check);
    }
  });
  for (const Point& point : d.points) validate_point(d, point, "points." + point.name);
  for (const Tendon& tendon : d.tendons) validate_tendon(d, tendon);
  for (JointSpring& spring : d.joint_springs) validate_spring(d, spring);
  for (const Load& load : d.loads) validate_load(d, load);
  for (const Actuator& actuator : d.actuators) validate_actuator(d, actuator);
  for (Controller& controller : d.controllers) validate_controller(d, controller);
  std::set<int> driven;
  for (const Servo& servo : d.servos) validate_servo(d, servo, driven);
}

}  // namespace torsor
