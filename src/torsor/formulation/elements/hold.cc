#include "torsor/formulation/elements/hold.h"

#include <algorithm>

namespace torsor {

int spring_compensation(const Model& model, const FlowBook& book, int joint) {
  for (const Controller& controller : model.controllers()) {
    if (!controller.compensate_springs) continue;
    const std::vector<int> joints = make_controlled_chain(model, controller.point->body).joints;
    if (std::find(joints.begin(), joints.end(), joint) == joints.end()) continue;
    return compensation_source(controller, book);
  }
  return -1;
}

template <int D>
void compile(const ElementContext<D>& context, std::vector<CoordinateHold<D>>& all) {
  for (const Controller& controller : context.model.controllers()) {
    if (controller.type != Controller::Type::pd) continue;
    for (std::size_t i = 0; i < controller.target.size(); ++i) {
      all.push_back({{context.mechanism.joints.coordinates[*controller.joint][i]},
                     {controller.stiffness[i], controller.damping[i], controller.target[i]},
                     *controller.joint,
                     context.book.source(&controller),
                     context.book.damper(&controller)});
    }
  }
}

template <int D>
void compile(const ElementContext<D>& context, std::vector<PointHold<D>>& all) {
  for (const Controller& controller : context.model.controllers()) {
    if (controller.type != Controller::Type::impedance) continue;
    PointHold<D> hold{context.mechanism.frames.point(controller.point->body, controller.point->p_B),
                      {},
                      context.book.source(&controller),
                      context.book.damper(&controller)};
    for (int i = 0; i < D; ++i) {
      hold.laws[i] = {controller.stiffness[i], controller.damping[i], controller.target[i]};
    }
    all.push_back(hold);
  }
}

template <int D>
void compile(const ElementContext<D>& context, std::vector<CarriedWeight<D>>& all) {
  const NodeFrames<D>& frames = context.mechanism.frames;
  for (const Controller& controller : context.model.controllers()) {
    if (!controller.compensate_gravity) continue;
    const ControlledChain chain = make_controlled_chain(context.model, controller.point->body);
    for (std::size_t b = 0; b < context.model.bodies().size(); ++b) {
      const int carrier = frames.node(chain.carrier[b]);
      if (carrier == frames.ground || context.model.bodies()[b].mass == 0) continue;
      all.push_back({frames.node_of[b], carrier, context.book.source(&controller) + 1});
    }
  }
}

void compile(const TreeContext& context, std::vector<TreeCoordinateHold>& all) {
  for (const Controller& controller : context.model.controllers()) {
    if (controller.type != Controller::Type::pd) continue;
    for (std::size_t i = 0; i < controller.target.size(); ++i) {
      const int at = static_cast<int>(i);
      all.push_back({context.model.coordinate_offset(*controller.joint) + at,
                     context.model.rate_offset(*controller.joint) + at,
                     {controller.stiffness[i], controller.damping[i], controller.target[i]},
                     context.book.source(&controller),
                     context.book.damper(&controller)});
    }
  }
}

void compile(const TreeContext& context, std::vector<TreePointHold>& all) {
  for (const Controller& controller : context.model.controllers()) {
    if (controller.type != Controller::Type::impedance) continue;
    TreePointHold hold{context.node(controller.point->body),
                       context.in_node(*controller.point),
                       {},
                       context.book.source(&controller),
                       context.book.damper(&controller)};
    for (std::size_t i = 0; i < controller.target.size(); ++i) {
      hold.laws[i] = {controller.stiffness[i], controller.damping[i], controller.target[i]};
    }
    all.push_back(hold);
  }
}

void compile(const TreeContext& context, std::vector<TreeCarriedWeight>& all) {
  for (const Controller& controller : context.model.controllers()) {
    if (!controller.compensate_gravity) continue;
    const ControlledChain chain = make_controlled_chain(context.model, controller.point->body);
    for (std::size_t b = 0; b < context.model.bodies().size(); ++b) {
      const Body& body = context.model.bodies()[b];
      const int carrier = context.node(chain.carrier[b]);
      if (carrier == 0 || body.mass == 0) continue;
      all.push_back({context.tree.body_node[b], carrier, act(context.tree.X_NB[b], body.com), body.mass,
                     context.book.source(&controller) + 1});
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
