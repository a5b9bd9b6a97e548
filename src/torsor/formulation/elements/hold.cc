#include "torsor/formulation/elements/hold.h"

namespace torsor {

template <int D>
void compile(const ElementContext<D>& context, std::vector<CoordinateHold<D>>& all) {
  for (const Controller& controller : context.model.controllers()) {
    if (controller.type != Controller::Type::pd || !controller.loads_joints()) continue;
    const HoldFlows flows = hold_flows(controller, context.book);
    for (std::size_t i = 0; i < controller.target.size(); ++i) {
      all.push_back({{context.mechanism.joints.coordinates[*controller.joint][i]},
                     {controller.stiffness[i], controller.damping[i], controller.target[i], flows.acts},
                     *controller.joint,
                     flows.source,
                     flows.damper});
    }
  }
}

template <int D>
void compile(const ElementContext<D>& context, std::vector<PointHold<D>>& all) {
  for (const Controller& controller : context.model.controllers()) {
    if (controller.type != Controller::Type::impedance) continue;
    const HoldFlows flows = hold_flows(controller, context.book);
    PointHold<D> hold{context.mechanism.frames.point(controller.point->body, controller.point->p_B),
                      {},
                      flows.source,
                      flows.damper};
    for (int i = 0; i < D; ++i) {
      hold.laws[i] = {controller.stiffness[i], controller.damping[i], controller.target[i], flows.acts};
    }
    all.push_back(hold);
  }
}

template <>
void compile(const ElementContext<3>& context, std::vector<OrientationHold<3>>& all) {
  for (const Controller& controller : context.model.controllers()) {
    if (!controller.rotation) continue;
    const HoldFlows flows = hold_flows(controller, context.book);
    const int body = controller.point->body;
    const auto target = context.axes(kWorld, controller.rotation->at(0.0).R);
    const auto own = context.axes(body, Mat3<double>::identity());
    OrientationHold<3> hold{{},
                            *controller.rotation,
                            {controller.angular_stiffness},
                            controller.angular_damping,
                            context.mechanism.frames.node(body),
                            flows.acts,
                            flows.source,
                            flows.damper};
    for (int i = 0; i < 3; ++i) {
      hold.measure.trace[i] = {own[i], Arm<3>{target[i].node, 0, {}}, target[i], 1};
    }
    all.push_back(hold);
  }
}

template <int D>
void compile(const ElementContext<D>& context, std::vector<CarriedWeight<D>>& all) {
  const NodeFrames<D>& frames = context.mechanism.frames;
  for (const Controller& controller : context.model.controllers()) {
    if (!controller.compensate_gravity) continue;
    const HoldFlows flows = hold_flows(controller, context.book);
    const ControlledChain chain = make_controlled_chain(context.model, controller.point->body);
    for (std::size_t b = 0; b < context.model.bodies().size(); ++b) {
      const int carrier = frames.node(chain.carrier[b]);
      if (carrier == frames.ground || context.model.bodies()[b].mass == 0) continue;
      all.push_back({frames.node_of[b], carrier, flows.gravity, flows.acts});
    }
  }
}

void compile(const TreeContext& context, std::vector<TreeCoordinateHold>& all) {
  for (const Controller& controller : context.model.controllers()) {
    if (controller.type != Controller::Type::pd || !controller.loads_joints()) continue;
    const HoldFlows flows = hold_flows(controller, context.book);
    for (std::size_t i = 0; i < controller.target.size(); ++i) {
      const int at = static_cast<int>(i);
      all.push_back({context.model.coordinate_offset(*controller.joint) + at,
                     context.model.rate_offset(*controller.joint) + at,
                     {controller.stiffness[i], controller.damping[i], controller.target[i], flows.acts},
                     flows.source,
                     flows.damper});
    }
  }
}

void compile(const TreeContext& context, std::vector<TreePointHold>& all) {
  for (const Controller& controller : context.model.controllers()) {
    if (controller.type != Controller::Type::impedance) continue;
    const HoldFlows flows = hold_flows(controller, context.book);
    TreePointHold hold{context.node(controller.point->body),
                       context.in_node(*controller.point),
                       {},
                       flows.source,
                       flows.damper};
    for (HoldLaw& law : hold.laws) law.acts = flows.acts;
    for (std::size_t i = 0; i < controller.target.size(); ++i) {
      hold.laws[i] = {controller.stiffness[i], controller.damping[i], controller.target[i], flows.acts};
    }
    all.push_back(hold);
  }
}

void compile(const TreeContext& context, std::vector<TreeOrientationHold>& all) {
  for (const Controller& controller : context.model.controllers()) {
    if (!controller.rotation) continue;
    const HoldFlows flows = hold_flows(controller, context.book);
    const int body = controller.point->body;
    all.push_back({context.node(body), context.X_NB(body).R, *controller.rotation,
                   controller.angular_stiffness, controller.angular_damping, flows.acts, flows.source,
                   flows.damper});
  }
}

void compile(const TreeContext& context, std::vector<TreeCarriedWeight>& all) {
  for (const Controller& controller : context.model.controllers()) {
    if (!controller.compensate_gravity) continue;
    const HoldFlows flows = hold_flows(controller, context.book);
    const ControlledChain chain = make_controlled_chain(context.model, controller.point->body);
    for (std::size_t b = 0; b < context.model.bodies().size(); ++b) {
      const Body& body = context.model.bodies()[b];
      const int carrier = context.node(chain.carrier[b]);
      if (carrier == 0 || body.mass == 0) continue;
      all.push_back({context.tree.body_node[b], carrier, act(context.tree.X_NB[b], body.com), body.mass,
                     flows.gravity, flows.acts});
    }
  }
}

template void compile(const ElementContext<2>&, std::vector<CoordinateHold<2>>&);
template void compile(const ElementContext<3>&, std::vector<CoordinateHold<3>>&);
template void compile(const ElementContext<2>&, std::vector<PointHold<2>>&);
template void compile(const ElementContext<3>&, std::vector<PointHold<3>>&);
template void compile(const ElementContext<2>&, std::vector<CarriedWeight<2>>&);
template void compile(const ElementContext<3>&, std::vector<CarriedWeight<3>>&);

}  // namespace torsor
