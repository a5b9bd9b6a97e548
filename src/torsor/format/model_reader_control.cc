// What commands a mechanism: `controllers`, `servos`; what ties its joints together: `couplings`.

#include <fmt/format.h>

#include <algorithm>

#include "torsor/base/nearest.h"
#include "torsor/format/model_reader_parts.h"
#include "torsor/model/servo.h"

namespace torsor {
namespace {

constexpr const char* kTerms = "a mapping of joints to factors";
constexpr Quantity kRadius{"a factor, or a radius", "m/rad", kPitch.dimension};

void read_pd(const YamlView& view, const ModelReading& reading, Controller& controller) {
  view.allow_keys({"type", "joint", "stiffness", "damping", "target", "period", "measures", "excites"});
  if (const auto excites = view.find("excites")) {
    for (const auto& [name, factor] : excites->named()) {
      if (!reading.tendons.has(name)) reading.tendons.refuse(name, factor);
      controller.excites.push_back({reading.tendons.index(name), factor.number(kNumber)});
    }
    if (controller.excites.empty()) excites->fail("a muscle or more");
  }
  controller.joint = reading.joints.resolve(view.at("joint", "the name of a joint"));
  const JointType type = reading.joint(*controller.joint).type;
  const auto rates = rate_quantities(type, reading.dimension());
  const auto coordinates = coordinate_quantities(type, reading.dimension());
  if (!has_plain_coordinates(type))
    view.at("joint", "").fail("a joint whose coordinates are angles and lengths");
  controller.stiffness = read_spread(view.at("stiffness", "a stiffness"), rates, &RateQuantities::stiffness);
  controller.damping = read_spread(view.at("damping", "a damping"), rates, &RateQuantities::damping);
  const YamlView target = view.at("target", "a program");
  if (rates.size() == 1 && !target.is_list()) {
    controller.target.push_back(read_program(target, coordinates[0]));
    return;
  }
  const auto items = target.list(rates.size(), "programs, one for each coordinate of the joint");
  for (std::size_t i = 0; i < items.size(); ++i)
    controller.target.push_back(read_program(items[i], coordinates[i]));
}

void read_impedance(const YamlView& view, const ModelReading& reading, Controller& controller) {
  view.allow_keys({"type", "point", "stiffness", "damping", "target", "compensate", "rotation",
                   "angular_stiffness", "angular_damping", "period", "measures"});
  controller.point = reading.d.points[reading.points.resolve(view.at("point", "the name of a point"))];
  const std::vector<RateQuantities> axes(reading.dimension(), kSliding);
  controller.stiffness = read_spread(view.at("stiffness", "a stiffness"), axes, &RateQuantities::stiffness);
  controller.damping = read_spread(view.at("damping", "a damping"), axes, &RateQuantities::damping);
  const YamlView target = view.at("target", "a mapping of x, y (and z in 3D)");
  std::vector<std::string> names{"x", "y", "z"};
  names.resize(reading.dimension());
  target.allow_keys(names);
  for (const std::string& name : names)
    controller.target.push_back(read_program(target.at(name, "a program [m]"), kLength));
  if (const auto compensate = view.find("compensate"))
    for (const YamlView& item : compensate->list()) {
      const bool is_gravity = item.choice<bool>({{"gravity", true}, {"springs", false}});
      (is_gravity ? controller.compensate_gravity : controller.compensate_springs) = true;
    }
}

/// The orientation that impedance holds beside the place.
void read_orientation(const YamlView& view, const ModelReading& reading, Controller& controller) {
  const auto rotation = view.find("rotation");
  for (const char* key : {"angular_stiffness", "angular_damping"})
    if (!rotation && view.has(key)) view.at(key, "").fail("a `rotation` beside it");
  if (!rotation) return;
  if (reading.dimension() == 2) rotation->fail("no rotation, since dimension is 2");
  const auto rpy = rotation->is_map() ? rotation->find("rpy") : std::nullopt;
  const auto moves = [](const YamlView& angle) { return angle.is_map(); };
  const std::vector<YamlView> angles = rpy && rpy->is_list() ? rpy->list() : std::vector<YamlView>{};
  if (std::any_of(angles.begin(), angles.end(), moves)) {
    rotation->allow_keys({"rpy"});
    const auto programs = rpy->list(3, "programs of roll, pitch and yaw");
    controller.rotation =
        OrientationProgram({read_program(programs[0], kAngle), read_program(programs[1], kAngle),
                            read_program(programs[2], kAngle)});
  } else {
    controller.rotation = read_rotation(*rotation, 3);
  }
  controller.angular_stiffness =
      view.at("angular_stiffness", "the stiffness that holds the rotation").number(kAngularStiffness);
  if (const auto damping = view.find("angular_damping"))
    controller.angular_damping = damping->number(kAngularDamping);
}

void read_sampling(const YamlView& view, Controller& controller) {
  if (const auto period = view.find("period")) controller.period = period->number(kTime);
  if (const auto measures = view.find("measures")) {
    controller.position_only = measures->choice<bool>({{"state", false}, {"position", true}});
    if (controller.position_only && !view.has("period")) measures->fail("a `period` beside it");
  }
}

Controller read_controller(const std::string& name, const YamlView& view, const ModelReading& reading) {
  Controller controller;
  controller.name = name;
  controller.type = view.at("type", "pd or impedance")
                        .choice<Controller::Type>(
                            {{"pd", Controller::Type::pd}, {"impedance", Controller::Type::impedance}});
  controller.type == Controller::Type::pd ? read_pd(view, reading, controller)
                                          : read_impedance(view, reading, controller);
  if (controller.type == Controller::Type::impedance) read_orientation(view, reading, controller);
  read_sampling(view, controller);
  return controller;
}

Servo read_servo(const std::string& name, const YamlView& view, const ModelReading& reading) {
  view.allow_keys({"point", "body", "joint", "follows", "actuators"});
  if (view.has("point") + view.has("body") + view.has("joint") != 1)
    view.fail("either `point` or `body` or `joint`");
  Servo servo;
  servo.name = name;
  if (const auto point = view.find("point")) servo.point = reading.d.points[reading.points.resolve(*point)];
  if (const auto body = view.find("body")) servo.body = reading.bodies.resolve(*body);
  if (const auto joint = view.find("joint")) {
    servo.joint = reading.joints.resolve(*joint);
    if (joint_outputs(reading.joint(*servo.joint).type).empty())
      joint->fail("a joint whose coordinates are angles and displacements");
  }
  const std::vector<std::string> outputs = servo_outputs(servo, reading.d.joints, reading.dimension());
  const YamlView follows = view.at("follows", "a mapping of outputs (" + listed(outputs) + ") to programs");
  follows.allow_keys(outputs);
  for (const auto& [output, program] : follows.named())
    servo.follows.emplace(output, read_program(program, is_angle_output(output) ? kAngle : kLength));
  if (servo.follows.empty()) follows.fail("at least one output");
  for (const YamlView& actuator : view.at("actuators", "a list of actuators").list())
    servo.actuators.push_back(reading.actuators.resolve(actuator));
  return servo;
}

Coupling read_coupling(const std::string& name, const YamlView& view, const ModelReading& reading) {
  view.allow_keys({"joints", "offset"});
  Coupling coupling;
  coupling.name = name;
  coupling.terms = read_terms(view.at("joints", kTerms), reading);
  if (const auto offset = view.find("offset")) {
    Quantity unit = kNumber;  // that of the first coordinate
    if (!coupling.terms.empty()) {
      const Coupling::Term& first = coupling.terms.front();
      unit = coordinate_quantities(reading.joint(first.joint).type, reading.dimension())[first.coordinate];
    }
    coupling.offset = offset->number(unit);
  }
  return coupling;
}

}  // namespace

void read_controllers(const std::string& name, const YamlView& view, ModelReading& reading) {
  reading.d.controllers.push_back(read_controller(name, view, reading));
}

void read_servos(const std::string& name, const YamlView& view, ModelReading& reading) {
  reading.d.servos.push_back(read_servo(name, view, reading));
}

std::vector<CoordinateTerm> read_terms(const YamlView& joints, const ModelReading& reading, bool* has_radii) {
  std::vector<CoordinateTerm> terms;
  for (const auto& [joint_name, factors] : joints.named()) {
    if (!reading.joints.has(joint_name)) reading.joints.refuse(joint_name, factors);
    const int joint = reading.joints.index(joint_name);
    const JointType type = reading.joint(joint).type;
    const std::vector<Quantity> coordinates = coordinate_quantities(type, reading.dimension());
    const auto factor = [&](const YamlView& one, std::size_t i) {
      const bool turns = i < coordinates.size() && coordinates[i].dimension == kAngle.dimension;
      if (!has_radii || !turns || parse_quantity(one.text(), kNumber).fault.empty())
        return one.number(kNumber);
      *has_radii = true;
      return one.number(kRadius);
    };
    std::vector<double> values;
    if (factors.is_list()) {
      const auto items = factors.list(coordinates.size(), "factors, one for each coordinate of the joint");
      for (std::size_t i = 0; i < items.size(); ++i) values.push_back(factor(items[i], i));
    } else {
      // That a spherical or free joint has none is the model's to say.
      if (coordinates.size() > 1 && has_plain_coordinates(type))
        factors.fail(fmt::format("a list of {} factors, one for each coordinate", coordinates.size()));
      values.push_back(factor(factors, 0));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != 0 || !factors.is_list()) terms.push_back({joint, static_cast<int>(i), values[i]});
    }
  }
  return terms;
}

void read_couplings(const std::string& name, const YamlView& view, ModelReading& reading) {
  reading.d.couplings.push_back(read_coupling(name, view, reading));
}

}  // namespace torsor
