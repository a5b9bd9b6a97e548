#include "torsor/formulation/joint/elements.h"

#include <algorithm>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/model/controlled_chain.h"

namespace torsor {
namespace {

constexpr char kSupported[] =
    "only what formulation 'joint' simulates (trees of bodies and joints, tendons, joint springs, loads, "
    "actuators, controllers)";

void collect_breakpoints(const Program& program, std::vector<double>& all) {
  const std::vector<double> own = program.breakpoints();
  all.insert(all.end(), own.begin(), own.end());
}

template <class Named>
void refuse_any(const std::vector<Named>& elements, const std::string& section, const std::string& noun) {
  if (elements.empty()) return;
  std::vector<std::string> names;
  for (const Named& element : elements) names.push_back(element.name);
  throw ModelError(section + "." + names.front(), kSupported,
                   elements.size() == 1 ? "a " + noun : noun + "s " + listed(names));
}

void add_pd(const Model& model, const Controller& controller, JointElements& all) {
  for (std::size_t i = 0; i < controller.target.size(); ++i) {
    const int at = static_cast<int>(i);
    all.coordinate_holds.push_back({model.coordinate_offset(*controller.joint) + at,
                                    model.rate_offset(*controller.joint) + at, controller.stiffness[i],
                                    controller.damping[i], controller.target[i],
                                    static_cast<int>(all.sources.size()) - 1, -1});
  }
}

void add_impedance(const Model& model, const Tree& tree, const Controller& controller, JointElements& all) {
  TreePointHold hold;
  const Point& point = *controller.point;
  hold.node = tree.body_node[point.body];
  hold.p_N = act(tree.X_NB[point.body], point.p_B);
  for (std::size_t i = 0; i < controller.target.size(); ++i) {
    const int axis = static_cast<int>(i);
    hold.stiffness[axis] = controller.stiffness[i];
    hold.damping[axis] = controller.damping[i];
    hold.target[i] = controller.target[i];
  }
  hold.source_flow = static_cast<int>(all.sources.size()) - 1;
  all.point_holds.push_back(hold);

  const ControlledChain chain = make_controlled_chain(model, point.body);
  const auto carrier_of = [&](int body) {
    const int carrier = body == kWorld ? kWorld : chain.carrier[body];
    return carrier == kWorld ? 0 : tree.body_node[carrier];
  };
  const auto book = [&](const char* what) {
    all.sources.push_back(controller.name + " (" + what + ")");
    return static_cast<int>(all.sources.size()) - 1;
  };
  if (controller.compensate_gravity) {
    const int flow = book("gravity");
    for (std::size_t b = 0; b < model.bodies().size(); ++b) {
      const int body = static_cast<int>(b);
      if (carrier_of(body) == 0 || model.bodies()[b].mass == 0) continue;
      all.carried_weights.push_back({tree.body_node[b], carrier_of(body),
                                     act(tree.X_NB[b], model.bodies()[b].com), model.bodies()[b].mass, flow});
    }
  }
  if (!controller.compensate_springs) return;
  const int flow = book("springs");
  for (std::size_t i = 0; i < model.tendons().size(); ++i) {
    TreeCarriedTendon carried{static_cast<int>(i), {}, flow};
    for (const Point& via : model.tendons()[i].path) carried.carriers.push_back(carrier_of(via.body));
    all.carried_tendons.push_back(carried);
  }
  for (std::size_t i = 0; i < model.joint_springs().size(); ++i) {
    const int joint = model.joint_springs()[i].joint;
    if (std::find(chain.joints.begin(), chain.joints.end(), joint) == chain.joints.end()) continue;
    all.spring_compensation_flow[i] = flow;
  }
}

void add_controllers(const Model& model, const Tree& tree, JointElements& all) {
  all.spring_compensation_flow.assign(model.joint_springs().size(), -1);
  for (const Controller& controller : model.controllers()) {
    all.sources.push_back(controller.name);
    controller.type == Controller::Type::pd ? add_pd(model, controller, all)
                                            : add_impedance(model, tree, controller, all);
    for (const Program& target : controller.target) collect_breakpoints(target, all.breakpoints);
  }
}

void book_control_dampers(const Model& model, JointElements& all) {
  auto coordinate = all.coordinate_holds.begin();
  auto point = all.point_holds.begin();
  for (const Controller& controller : model.controllers()) {
    const bool damped =
        std::any_of(controller.damping.begin(), controller.damping.end(), [](double c) { return c > 0; });
    if (damped) all.dampers.push_back(controller.name);
    const int flow = damped ? all.flow_count() - 1 : -1;
    if (controller.type == Controller::Type::impedance) {
      (point++)->damper_flow = flow;
    } else {
      for (std::size_t i = 0; i < controller.target.size(); ++i) (coordinate++)->damper_flow = flow;
    }
  }
}

}  // namespace

JointElements make_joint_elements(const Model& model, const Tree& tree) {
  JointElements all;
  const auto node_of = [&](int body) { return body == kWorld ? 0 : tree.body_node[body]; };
  const auto X_NB = [&](int body) { return body == kWorld ? Pose<double>{} : tree.X_NB[body]; };

  for (const Actuator& actuator : model.actuators()) {
    all.actuators.push_back({model.rate_offset(actuator.joint) + actuator.coordinate, actuator.effort});
    all.sources.push_back(actuator.name);
    collect_breakpoints(actuator.effort, all.breakpoints);
  }
  for (const Load& load : model.loads()) {
    const Pose<double> X = X_NB(load.at.body);
    all.loads.push_back(
        {load.kind, node_of(load.at.body), act(X, load.at.p_B), X.R, load.in_body_axes, load.components});
    all.sources.push_back(load.name);
    for (const Program& component : load.components) collect_breakpoints(component, all.breakpoints);
  }
  for (const JointSpring& spring : model.joint_springs()) {
    all.springs.push_back(make_joint_spring_law(spring, model.coordinate_offset(spring.joint),
                                                model.rate_offset(spring.joint)));
    const bool works = spring.law == SpringLaw::euler321;
    all.spring_source_flow.push_back(works ? static_cast<int>(all.sources.size()) : -1);
    if (works) all.sources.push_back(spring.name);
  }
  add_controllers(model, tree, all);
  const auto book_damper = [&](const std::string& name) {
    all.dampers.push_back(name);
    return all.flow_count() - 1;
  };
  for (const Tendon& tendon : model.tendons()) {
    all.tendons.push_back(make_tendon_law(tendon, [&](const Point& point) {
      return TendonLaw::Via{node_of(point.body), act(X_NB(point.body), point.p_B)};
    }));
    all.tendon_damper_flow.push_back(tendon.damping > 0 ? book_damper(tendon.name) : -1);
  }
  for (std::size_t i = 0; i < all.springs.size(); ++i) {
    all.spring_damper_flow.push_back(all.springs[i].is_damped() ? book_damper(model.joint_springs()[i].name)
                                                                : -1);
  }
  book_control_dampers(model, all);
  std::sort(all.breakpoints.begin(), all.breakpoints.end());
  all.breakpoints.erase(std::unique(all.breakpoints.begin(), all.breakpoints.end()), all.breakpoints.end());
  return all;
}

void refuse_unsupported(const Model& model) {
  const std::vector<int>& loops = model.topology().loop_joints;
  if (!loops.empty()) {
    std::vector<std::string> names;
    for (int joint : loops) names.push_back(model.joints()[joint].name);
    throw ModelError(
        "joints." + names.front(), kSupported,
        names.size() == 1 ? "a joint that closes a loop" : "joints that close loops: " + listed(names));
  }
  refuse_any(model.servos(), "servos", "servo");
}

}  // namespace torsor
