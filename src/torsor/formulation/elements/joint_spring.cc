#include "torsor/formulation/elements/joint_spring.h"

#include <algorithm>

#include "torsor/formulation/elements/hold.h"

namespace torsor {
namespace {

template <int D, class Use>
void for_each_spring(const ElementContext<D>& context, SpringLaw law, Use&& use) {
  for (const JointSpring& spring : context.model.joint_springs()) {
    if (spring.law == law) use(spring, context.model.joints()[spring.joint]);
  }
}

template <int D>
std::array<Arm<D>, 3> rest_axes(const ElementContext<D>& context, const JointSpring& spring,
                                const Joint& joint) {
  return context.axes(joint.parent, matrix(joint.in_parent.rotation * spring.rest_rotation));
}

}  // namespace

SpringCompensation spring_compensation(const Model& model, const FlowBook& book, int joint) {
  for (const Controller& controller : model.controllers()) {
    if (!controller.compensate_springs) continue;
    const std::vector<int> joints = make_controlled_chain(model, controller.point->body).joints;
    if (std::find(joints.begin(), joints.end(), joint) == joints.end()) continue;
    const HoldFlows flows = hold_flows(controller, book);
    return {flows.springs, flows.acts};
  }
  return {};
}

template <int D>
void compile(const ElementContext<D>& context, std::vector<CoordinateSpring<D>>& all) {
  for_each_spring(context, SpringLaw::angle, [&](const JointSpring& spring, const Joint&) {
    const auto& coordinates = context.mechanism.joints.coordinates[spring.joint];
    const SpringCompensation by = spring_compensation(context.model, context.book, spring.joint);
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      if (spring.stiffness[i] == 0 && spring.damping[i] == 0) continue;
      all.push_back({{coordinates[i]},
                     {spring.stiffness[i], spring.damping[i], spring.rest[i], by.acts},
                     spring.joint,
                     by.source,
                     context.book.damper(&spring)});
    }
  });
}

template <>
void compile(const ElementContext<3>& context, std::vector<LogSpring<3>>& all) {
  for_each_spring(context, SpringLaw::log, [&](const JointSpring& spring, const Joint& joint) {
    const SpringCompensation by = spring_compensation(context.model, context.book, spring.joint);
    LogSpring<3> made{{}, {spring.stiffness[0], by.acts}, spring.joint, by.source};
    const auto rest = rest_axes(context, spring, joint), child = context.child_spin(joint).axes;
    for (int i = 0; i < 3; ++i) made.measure.trace[i] = {child[i], Arm<3>{rest[i].node, 0, {}}, rest[i], 1};
    all.push_back(made);
  });
}

template <>
void compile(const ElementContext<3>& context, std::vector<SpinDamper<3>>& all) {
  for (const JointSpring& spring : context.model.joint_springs()) {
    if (spring.law == SpringLaw::angle || !spring.is_damped()) continue;
    all.push_back({context.child_spin(context.model.joints()[spring.joint]),
                   {spring.damping[0], spring.damping[1], spring.damping[2]},
                   spring.joint,
                   context.book.damper(&spring)});
  }
}

template <>
void compile(const ElementContext<3>& context, std::vector<EulerSpring<3>>& all) {
  for_each_spring(context, SpringLaw::euler321, [&](const JointSpring& spring, const Joint& joint) {
    all.push_back({context.child_spin(joint),
                   rest_axes(context, spring, joint),
                   {spring.stiffness[0], spring.stiffness[1], spring.stiffness[2]},
                   spring.joint,
                   context.book.source(&spring),
                   spring_compensation(context.model, context.book, spring.joint)});
  });
}

void compile(const TreeContext& context, std::vector<TreeSpring>& all) {
  const Model& model = context.model;
  for (const JointSpring& spring : model.joint_springs()) {
    all.push_back({make_joint_spring_law(spring, model.coordinate_offset(spring.joint),
                                         model.rate_offset(spring.joint)),
                   context.book.source(&spring), context.book.damper(&spring),
                   spring_compensation(model, context.book, spring.joint)});
  }
}

template void compile(const ElementContext<2>&, std::vector<CoordinateSpring<2>>&);
template void compile(const ElementContext<3>&, std::vector<CoordinateSpring<3>>&);

}  // namespace torsor
