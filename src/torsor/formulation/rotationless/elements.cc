#include "torsor/formulation/rotationless/elements.h"

#include <algorithm>
#include <map>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/lie/pose.h"
#include "torsor/model/check.h"
#include "torsor/model/controlled_chain.h"
#include "torsor/model/servo.h"

namespace torsor {
namespace {

constexpr Vec3<double> kUnit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

template <int D>
class ElementCompiler {
 public:
  using Elements = RotationlessElements<D>;

  ElementCompiler(const Model& model, const NodeFrames<D>& frames, const RotationlessJoints<D>& joints)
      : model_(model), frames_(frames), joints_(joints) {}

  Elements compile() {
    // Sources of work first, dampers after them.
    add_efforts();
    for (const Load& load : model_.loads()) add_load(load);
    for (const Controller& controller : model_.controllers()) add_controller(controller);
    for (const JointSpring& spring : model_.joint_springs()) {
      if (spring.law == SpringLaw::euler321) add_euler_spring(spring);
      if (spring.law == SpringLaw::log) add_log_spring(spring);
    }
    for (const Tendon& tendon : model_.tendons()) add_tendon(tendon);
    for (const JointSpring& spring : model_.joint_springs()) {
      spring.law == SpringLaw::angle ? add_angle_spring(spring) : add_spin_damper(spring);
    }
    book_control_dampers();
    for (const Servo& servo : model_.servos()) add_outputs(servo);
    std::sort(all_.breakpoints.begin(), all_.breakpoints.end());
    all_.breakpoints.erase(std::unique(all_.breakpoints.begin(), all_.breakpoints.end()),
                           all_.breakpoints.end());
    return all_;
  }

 private:
  int book_source(const std::string& name) {
    all_.sources.push_back(name);
    return static_cast<int>(all_.sources.size()) - 1;
  }
  int book_damper(const std::string& name) {
    all_.dampers.push_back(name);
    return all_.flow_count() - 1;
  }
  void book_breakpoints(const Program& program) {
    const std::vector<double> own = program.breakpoints();
    all_.breakpoints.insert(all_.breakpoints.end(), own.begin(), own.end());
  }

  std::array<Arm<D>, 3> axes(int body, const Mat3<double>& R) const {
    return {frames_.direction(body, R * kUnit[0]), frames_.direction(body, R * kUnit[1]),
            frames_.direction(body, R * kUnit[2])};
  }
  typename Elements::Spin child_spin(const Joint& joint) const {
    return {frames_.node(joint.child), frames_.node(joint.parent),
            axes(joint.child, matrix(joint.in_child.rotation))};
  }

  void add_efforts() {
    std::map<int, int> servo_of;
    for (const Servo& servo : model_.servos()) {
      for (int actuator : servo.actuators) servo_of.emplace(actuator, static_cast<int>(servo_of.size()));
    }
    for (std::size_t i = 0; i < model_.actuators().size(); ++i) {
      const Actuator& actuator = model_.actuators()[i];
      const Joint& joint = model_.joints()[actuator.joint];
      typename Elements::Effort effort{};
      const auto& coordinates = joints_.coordinates[actuator.joint];
      const int axis = actuator.coordinate;
      if (!coordinates.empty() && (!has_twist_rates(joint.type) || axis == 0)) {
        effort.kind = Elements::Effort::Kind::coordinate;
        effort.measure = coordinates[axis];
      } else {
        add_axis_effort(joint, axis, actuator.name, effort);
      }
      effort.program = actuator.effort;
      effort.joint = actuator.joint;
      effort.actuator = static_cast<int>(i);
      effort.source_flow = book_source(actuator.name);
      const auto servo = servo_of.find(effort.actuator);
      effort.servo = servo == servo_of.end() ? -1 : servo->second;
      book_breakpoints(actuator.effort);
      all_.efforts.push_back(effort);
    }
  }

  void add_axis_effort(const Joint& joint, int axis, const std::string& name,
                       typename Elements::Effort& effort) const {
    const bool turns = axis < kSpins<D>;
    effort.kind = turns ? Elements::Effort::Kind::spin : Elements::Effort::Kind::force;
    effort.spin = child_spin(joint);
    effort.spin.axes[0] = effort.spin.axes[turns ? axis : axis - kSpins<D>];
    effort.at = frames_.point(joint.child, joint.in_child.position);
    if (!turns && joint.parent != kWorld) {
      throw ModelError("actuators." + name + ".joint",
                       "for the formulation 'rotationless' a force along a free joint to the ground",
                       "a free joint between two bodies, " + in_quotes(joint.name));
    }
  }

  void add_load(const Load& load) {
    typename Elements::Load made{};
    made.is_force = load.kind == Load::Kind::force;
    made.at =
        made.is_force ? frames_.point(load.at.body, load.at.p_B) : frames_.direction(load.at.body, kUnit[0]);
    made.axes = axes(load.in_body_axes ? load.at.body : kWorld, Mat3<double>::identity());
    made.components = load.components;
    made.source_flow = book_source(load.name);
    for (const Program& component : load.components) book_breakpoints(component);
    all_.loads.push_back(made);
  }

  void add_tendon(const Tendon& tendon) {
    typename Elements::Tendon made{{},
                                   tendon.stiffness,
                                   tendon.rest_length,
                                   tendon.damping,
                                   tendon.tension_only,
                                   tendon.damping > 0 ? book_damper(tendon.name) : -1};
    for (const Point& point : tendon.path) made.path.push_back(frames_.point(point.body, point.p_B));
    all_.tendons.push_back(made);
  }

  void add_angle_spring(const JointSpring& spring) {
    const auto& coordinates = joints_.coordinates[spring.joint];
    const bool damped =
        std::any_of(spring.damping.begin(), spring.damping.end(), [](double c) { return c > 0; });
    const int flow = damped ? book_damper(spring.name) : -1;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      if (spring.stiffness[i] == 0 && spring.damping[i] == 0) continue;
      all_.springs.push_back({coordinates[i], spring.stiffness[i], spring.damping[i], spring.rest[i],
                              spring.joint, flow, compensation_flow(spring.joint)});
    }
  }

  std::array<Arm<D>, 3> rest_axes(const JointSpring& spring) const {
    const Joint& joint = model_.joints()[spring.joint];
    return axes(joint.parent, matrix(joint.in_parent.rotation * spring.rest_rotation));
  }
  void add_log_spring(const JointSpring& spring) {
    typename Elements::LogSpring made{{}, spring.stiffness[0], spring.joint, compensation_flow(spring.joint)};
    const auto rest = rest_axes(spring);
    const auto child = child_spin(model_.joints()[spring.joint]).axes;
    for (int i = 0; i < 3; ++i) made.trace[i] = {child[i], Arm<D>{rest[i].node, 0, {}}, rest[i], 1};
    all_.log_springs.push_back(made);
  }
  void add_euler_spring(const JointSpring& spring) {
    typename Elements::EulerSpring made{child_spin(model_.joints()[spring.joint]),
                                        rest_axes(spring),
                                        {},
                                        spring.joint,
                                        book_source(spring.name),
                                        compensation_flow(spring.joint)};
    std::copy_n(spring.stiffness.begin(), 3, made.stiffness.begin());
    all_.euler_springs.push_back(made);
  }
  void add_spin_damper(const JointSpring& spring) {
    if (std::none_of(spring.damping.begin(), spring.damping.end(), [](double c) { return c > 0; })) return;
    typename Elements::SpinDamper made{
        child_spin(model_.joints()[spring.joint]), {}, spring.joint, book_damper(spring.name)};
    std::copy_n(spring.damping.begin(), 3, made.damping.begin());
    all_.spin_dampers.push_back(made);
  }

  void add_controller(const Controller& controller) {
    const int flow = book_source(controller.name);
    for (const Program& target : controller.target) book_breakpoints(target);
    if (controller.type == Controller::Type::pd) {
      for (std::size_t i = 0; i < controller.target.size(); ++i) {
        all_.coordinate_holds.push_back({joints_.coordinates[*controller.joint][i], controller.stiffness[i],
                                         controller.damping[i], controller.target[i], *controller.joint, flow,
                                         -1});
      }
      return;
    }
    const Point& point = *controller.point;
    typename Elements::PointHold hold{frames_.point(point.body, point.p_B), {}, {}, {}, flow, -1};
    for (int i = 0; i < D; ++i) {
      hold.stiffness[i] = controller.stiffness[i];
      hold.damping[i] = controller.damping[i];
      hold.target[i] = controller.target[i];
    }
    all_.point_holds.push_back(hold);
    const ControlledChain chain = make_controlled_chain(model_, point.body);
    const auto carrier_of = [&](int body) {
      return frames_.node(body == kWorld ? kWorld : chain.carrier[body]);
    };
    if (controller.compensate_gravity) {
      const int gravity = book_source(controller.name + " (gravity)");
      for (std::size_t b = 0; b < model_.bodies().size(); ++b) {
        const int carrier = carrier_of(static_cast<int>(b));
        if (carrier == frames_.ground || model_.bodies()[b].mass == 0) continue;
        all_.carried_weights.push_back({frames_.node_of[b], carrier, gravity});
      }
    }
    if (!controller.compensate_springs) return;
    const int springs = book_source(controller.name + " (springs)");
    for (int joint : chain.joints) compensated_.emplace(joint, springs);
    for (std::size_t i = 0; i < model_.tendons().size(); ++i) {
      typename Elements::CarriedTendon carried{static_cast<int>(i), {}, springs};
      for (const Point& via : model_.tendons()[i].path) carried.carriers.push_back(carrier_of(via.body));
      all_.carried_tendons.push_back(carried);
    }
  }
  int compensation_flow(int joint) const {
    const auto found = compensated_.find(joint);
    return found == compensated_.end() ? -1 : found->second;
  }

  void book_control_dampers() {
    auto coordinate = all_.coordinate_holds.begin();
    auto point = all_.point_holds.begin();
    for (const Controller& controller : model_.controllers()) {
      const bool damped =
          std::any_of(controller.damping.begin(), controller.damping.end(), [](double c) { return c > 0; });
      const int flow = damped ? book_damper(controller.name) : -1;
      if (controller.type == Controller::Type::impedance) {
        (point++)->damper_flow = flow;
      } else {
        for (std::size_t i = 0; i < controller.target.size(); ++i) (coordinate++)->damper_flow = flow;
      }
    }
  }

  void add_outputs(const Servo& servo) {
    static constexpr const char* kOrientation[3] = {"roll", "pitch", "yaw"};
    const auto key = [&](const std::string& name) { return "servos." + servo.name + ".follows." + name; };
    for (const auto& [name, program] : servo.follows) {
      book_breakpoints(program);
      if (is_orientation_output(name)) continue;
      typename Elements::Output output{};
      output.programs[0] = program;
      output.key = key(name);
      if (servo.joint) {
        output.kind = Elements::Output::Kind::coordinate;
        const auto names = joint_outputs(model_.joints()[*servo.joint].type);
        output.measure =
            joints_.coordinates[*servo.joint][std::find(names.begin(), names.end(), name) - names.begin()];
      } else if (is_angle_output(name)) {
        output.kind = Elements::Output::Kind::coordinate;
        output.measure = joints_.body_angles[frames_.node(*servo.body)];
      } else {
        output.kind = Elements::Output::Kind::component;
        output.component = name[0] - 'x';
        output.point =
            servo.point ? frames_.point(servo.point->body, servo.point->p_B) : frames_.point(*servo.body, {});
      }
      all_.outputs.push_back(output);
    }
    if (!servo.follows.contains(kOrientation[0])) return;
    typename Elements::Output output{};
    output.kind = Elements::Output::Kind::orientation;
    output.axes = axes(*servo.body, Mat3<double>::identity());
    for (int i = 0; i < 3; ++i) output.programs[i] = servo.follows.at(kOrientation[i]);
    for (int i = 0; i < 3; ++i) {
      output.component = i;
      output.key = key(kOrientation[(i + 2) % 3]);  // a turn about axis i + 2 is what it sees
      all_.outputs.push_back(output);
    }
  }

  const Model& model_;
  const NodeFrames<D>& frames_;
  const RotationlessJoints<D>& joints_;
  std::map<int, int> compensated_;  ///< flows of the controllers that compensate springs, by joint
  Elements all_;
};

}  // namespace

template <int D>
RotationlessElements<D> make_rotationless_elements(const Model& model, const NodeFrames<D>& frames,
                                                   const RotationlessJoints<D>& joints) {
  return ElementCompiler<D>(model, frames, joints).compile();
}

template RotationlessElements<2> make_rotationless_elements(const Model&, const NodeFrames<2>&,
                                                            const RotationlessJoints<2>&);
template RotationlessElements<3> make_rotationless_elements(const Model&, const NodeFrames<3>&,
                                                            const RotationlessJoints<3>&);

}  // namespace torsor
