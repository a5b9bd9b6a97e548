#pragma once
// Drag of bodies and points against surroundings at rest.

#include "torsor/formulation/elements/element.h"
#include "torsor/formulation/elements/tree_element.h"

namespace torsor {

/// Force -(c + c2 |v|) v at a place of a body, moment -d Omega. In a step v and Omega are the increments over
/// h, so that what is taken is the work of the drag exactly.
template <int D, class S = double>
struct DragElement {
  Arm<D, S> place;
  S linear, angular, quadratic;
  int damper;

  S gain(const VecD<D, S>& v) const { return linear + quadratic * norm(v); }
  template <class Sink>
  void push(const PairView<D, S>& view, Sink&& sink) const {
    const double sigma = view.point.force_gain;
    const VecD<D, S> v = value_at(place, view.X.velocity);
    sink(place, (sigma * gain(v)) * v);
    sink.turn(place.node, (sigma * angular) * view.spin(place.node));
  }
  template <class Sink>
  void add_tangent(const PairView<D, S>& view, Sink&& sink) const {
    const double sigma = view.point.force_gain, gain_b = sigma * view.point.velocity_gain;
    const VecD<D, S> v = value_at(place, view.X.velocity);
    const S speed = norm(v), stretch = select(speed > 0.0, quadratic / speed, S(0.0));
    SquareD<D, S> by_rate{}, by_place{};
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) {
        by_rate[D * i + j] = (i == j ? gain(v) : S(0.0)) + stretch * v[i] * v[j];
        by_place[D * i + j] = gain_b * by_rate[D * i + j];
      }
    }
    sink.arms(place, place, by_place);
    sink.arms_by_rate(place, place, by_rate);
    const int node = place.node, ground = view.mechanism.ground;
    if constexpr (D == 2) {
      sink.spin(node, ground, node, S(0.0), sigma * angular);
    } else {
      sink.spin(node, ground, node, {}, (sigma * angular) * Mat3<S>::identity());
    }
  }
  void add_flows(const PairView<D, S>& view, double h, const FlowsOf<S>& flows) const {
    const VecD<D, S> v = value_at(place, view.X.velocity);
    const SpinD<D, S> spin = view.spin(place.node);
    flows.taken[damper] += h * (gain(v) * dot(v, v) + angular * along(spin, spin));
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.place, s.linear, s.angular, s.quadratic, s.damper);
  }
};

template <int D>
void compile(const ElementContext<D>& context, std::vector<DragElement<D>>& all) {
  const NodeFrames<D>& frames = context.mechanism.frames;
  for (const Drag& drag : context.model.elements().drag) {
    if (!drag.is_damped()) continue;
    const Arm<D> com{frames.node(drag.body), 1, {}};
    all.push_back({drag.point ? frames.point(drag.body, drag.point->p_B) : com, drag.linear, drag.angular,
                   drag.quadratic, context.book.damper(&drag)});
  }
}

/// On a node of a tree, by its body-fixed twist.
template <class P>
struct TreeDragOf {
  static constexpr bool kNeedsPoses = true;
  int node = 0;
  Vec3<P> place_N;
  P linear{}, angular{}, quadratic{};
  int damper = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    using std::sqrt;
    const Twist<S>& V = view.V[node];
    const Vec3<S> velocity = V.linear + cross(V.angular, place_N);
    const S square = dot(velocity, velocity);
    S gain(linear);
    if constexpr (kHasLanes<S>) {
      gain += quadratic * sqrt(square);
    } else {
      if (quadratic > 0 && square > 0.0) gain += quadratic * sqrt(square);  // smooth at rest, the root is not
    }
    const Vec3<S> force = -gain * velocity;
    sink.applied[node] += Wrench<S>{cross(place_N, force) - angular * V.angular, force};
    sink.book_taken(damper, gain * square + angular * dot(V.angular, V.angular));
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.node, s.place_N, s.linear, s.angular, s.quadratic, s.damper);
  }
};
using TreeDrag = TreeDragOf<double>;

inline void compile(const TreeContext& context, std::vector<TreeDrag>& all) {
  for (const Drag& drag : context.model.elements().drag) {
    if (!drag.is_damped()) continue;
    const Vec3<double> place_B = drag.point ? drag.point->p_B : context.model.bodies()[drag.body].com;
    all.push_back({context.node(drag.body), act(context.X_NB(drag.body), place_B), drag.linear, drag.angular,
                   drag.quadratic, context.book.damper(&drag)});
  }
}

}  // namespace torsor
