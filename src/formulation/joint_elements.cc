#include "formulation/joint_elements.h"

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"

namespace torsor {
namespace {

constexpr char kSupported[] =
    "only what formulation 'joint' simulates (trees of bodies and joints, tendons, joint springs, loads, "
    "actuators)";

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
  refuse_any(model.controllers(), "controllers", "controller");
  refuse_any(model.servos(), "servos", "servo");
}

}  // namespace torsor
