#pragma once
// Inertia of the joints' rotors (armature) in directors: a mass on an augmented coordinate, as Uhlar and Betsch
// augment theirs (section 4.2). The coordinate y of a joint stands behind the directors with a rate of its own,
// and its constraint y - y(x) = 0 with the discrete gradient Dy has the multiplier -a w_y, which leaves
//   a w_y Dy(x_a, x_b)  on the directors,  w_y from the increment y(x_b) - y(x_a) and the rate y'.        (1)
// In a step Dy . (x_b - x_a) is that increment, so that what (1) does is the change of a/2 y'^2 exactly.

#include "torsor/formulation/elements/element.h"

namespace torsor {

template <int D, class S = double>
struct RotorElement {
  Rotor<D, S> rotor;
  int at;  ///< of the coordinate, among all
  int joint;
  MeasuredPairOf<S> pair{};  ///< of the last push

  S effort(const PairView<D, S>& view) const { return rotor.mass * view.point.w[at]; }
  template <class Sink>
  void push(const PairView<D, S>& view, Sink&& sink) {
    pair = view.measured(rotor.coordinate);
    push_gradient(rotor.coordinate, pair, view.X.left, effort(view), sink);
  }
  template <class Sink>
  void add_tangent(const PairView<D, S>& view, Sink&& sink) const {
    sink.measure(rotor.coordinate, pair, effort(view), rotor.mass, S(0.0));
  }
  void add_flows(const PairView<D, S>&, double, const FlowsOf<S>&) const {}
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.rotor, s.at, s.joint);
  }
};

template <int D>
void compile(const ElementContext<D>& context, std::vector<RotorElement<D>>& all) {
  int at = context.mechanism.first_rotor();
  for (const Rotor<D>& rotor : context.mechanism.joints.rotors) all.push_back({rotor, at++, rotor.joint});
}

}  // namespace torsor
