#pragma once
// Viscous drag of bodies against surroundings at rest.

#include "torsor/formulation/elements/element.h"
#include "torsor/formulation/elements/tree_element.h"

namespace torsor {

/// Force -c v at the centre of mass, moment -d Omega. In a step v and Omega are the increments over h, so that
/// what is taken is the work of the drag exactly.
template <int D>
struct DragElement {
  int node;
  double linear, angular;
  int damper;

  template <class Sink>
  void push(const PairView<D>& view, Sink&& sink) const {
    const double sigma = view.point.force_gain;
    sink.force(node, (sigma * linear) * view.X.velocity[node].phi);
    sink.turn(node, (sigma * angular) * view.spin(node));
  }
  template <class Sink>
  void add_tangent(const PairView<D>& view, Sink&& sink) const {
    const double sigma = view.point.force_gain;
    const Arm<D> com{node, 1, {}};
    SquareD<D> by_rate{};
    for (int i = 0; i < D; ++i) by_rate[D * i + i] = linear;
    sink.arms(com, com, sigma * linear * view.point.velocity_gain);
    sink.arms_by_rate(com, com, by_rate);
    if constexpr (D == 2) {
      sink.spin(node, view.mechanism.ground, node, 0.0, sigma * angular);
    } else {
      sink.spin(node, view.mechanism.ground, node, {}, (sigma * angular) * Mat3<double>::identity());
    }
  }
  void add_flows(const PairView<D>& view, double h, const Flows& flows) const {
    const VecD<D>& v = view.X.velocity[node].phi;
    const SpinD<D> spin = view.spin(node);
    flows.taken[damper] += h * (linear * dot(v, v) + angular * along(spin, spin));
  }
};

template <int D>
void compile(const ElementContext<D>& context, std::vector<DragElement<D>>& all) {
  for (const Drag& drag : context.model.elements().drag) {
    if (!drag.is_damped()) continue;
    all.push_back(
        {context.mechanism.frames.node(drag.body), drag.linear, drag.angular, context.book.damper(&drag)});
  }
}

/// On a node of a tree, by its body-fixed twist.
struct TreeDrag {
  static constexpr bool kNeedsPoses = true;
  int node = 0;
  Vec3<double> com_N;
  double linear = 0, angular = 0;
  int damper = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const Twist<S>& V = view.V[node];
    const Vec3<S> velocity = V.linear + cross(V.angular, com_N), force = -linear * velocity;
    sink.applied[node] += Wrench<S>{cross(com_N, force) - angular * V.angular, force};
    sink.book_taken(damper, linear * dot(velocity, velocity) + angular * dot(V.angular, V.angular));
  }
};

inline void compile(const TreeContext& context, std::vector<TreeDrag>& all) {
  for (const Drag& drag : context.model.elements().drag) {
    if (!drag.is_damped()) continue;
    all.push_back({context.node(drag.body),
                   act(context.X_NB(drag.body), context.model.bodies()[drag.body].com), drag.linear,
                   drag.angular, context.book.damper(&drag)});
  }
}

}  // namespace torsor
