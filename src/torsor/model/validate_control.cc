#include <algorithm>
#include <cmath>

#include "torsor/model/element_checks.h"
#include "torsor/model/servo.h"

namespace torsor {
namespace {

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

}  // namespace

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

}  // namespace torsor
