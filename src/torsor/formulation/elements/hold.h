#pragma once
// Controllers: virtual springs and dampers on coordinates and points, and the weights that they bear. With
// fixed targets the ledger shows what they store and what they take to rounding. What they compensate of
// springs and tendons stands with these.

#include "torsor/formulation/elements/element.h"
#include "torsor/formulation/elements/tendon.h"
#include "torsor/model/controlled_chain.h"

namespace torsor {

/// The source that does the work of springs which a controller compensates.
inline int compensation_source(const Controller& controller, const FlowBook& book) {
  return book.source(&controller) + (controller.compensate_gravity ? 2 : 1);
}
/// That of the controller which compensates the springs of a joint; -1: none.
int spring_compensation(const Model& model, const FlowBook& book, int joint);

/// A PD controller on one coordinate.
template <int D>
using CoordinateHold = MeasuredElement<D, CoordinateMeasure<D>, HoldLaw>;

/// The virtual spring and damper of an impedance controller at a point, along world axes. The discrete
/// gradient of each component is linear.
template <int D>
struct PointHold {
  Arm<D> point;
  std::array<HoldLaw, D> laws;
  int source, damper;

  LawEffort along_axis(const PairView<D>& view, int i) const {
    const double x = value(point, view.X.left)[i];
    return laws[i].between(view.law_pair(x, x, value(point, view.X.velocity)[i]));
  }
  template <class Sink>
  void push(const PairView<D>& view, Sink&& sink) const {
    VecD<D> force;
    for (int i = 0; i < D; ++i) force[i] = along_axis(view, i).effort;
    sink(point, view.point.force_gain * force);
  }
  template <class Sink>
  void add_tangent(const PairView<D>& view, Sink&& sink) const {
    SquareD<D> by_place{}, by_rate{};
    for (int i = 0; i < D; ++i) {
      by_place[D * i + i] = view.point.force_gain * (laws[i].stiffness * view.point.kappa +
                                                     laws[i].damping * view.point.velocity_gain);
      by_rate[D * i + i] = laws[i].damping;
    }
    sink.arms(point, point, by_place);
    sink.arms_by_rate(point, point, by_rate);
  }
  void add_flows(const PairView<D>& view, double h, const Flows& flows) const {
    for (int i = 0; i < D; ++i) {
      const LawEffort f = along_axis(view, i);
      flows.work[source] += h * f.work;
      if (damper >= 0) flows.taken[damper] += h * f.taken;
    }
  }
};

/// The weight of a body, compensated by the joints of a chain: -m g at its centre of mass, on the body of the
/// chain that carries it.
template <int D>
struct CarriedWeight {
  int node, carrier;
  int source;

  VecD<D> force(const PairView<D>& view) const {
    return view.mechanism.frames.mass[node] * view.mechanism.gravity;
  }
  template <class Sink>
  void push(const PairView<D>& view, Sink&& sink) const {
    const VecD<D> f = (view.point.force_gain * view.mechanism.frames.mass[node]) * view.mechanism.gravity;
    sink.force(carrier, f);
    sink.turn(carrier, moment_of(view.X.left[node].phi - view.X.left[carrier].phi, f));
  }
  template <class Sink>
  void add_tangent(const PairView<D>& view, Sink&& sink) const {
    sink.carried_lever(carrier, Arm<D>{node, 1, {}},
                       (view.point.kappa * view.point.force_gain) * force(view));
  }
  void add_flows(const PairView<D>& view, double h, const Flows& flows) const {
    flows.work[source] -= h * carried_power(view, carrier, view.X.left[node].phi, force(view));
  }
  template <class Use>
  void couple(Use&& use) const {
    use(carrier, node);
  }
};

template <int D>
void compile(const ElementContext<D>& context, std::vector<CoordinateHold<D>>& all);
template <int D>
void compile(const ElementContext<D>& context, std::vector<PointHold<D>>& all);
template <int D>
void compile(const ElementContext<D>& context, std::vector<CarriedWeight<D>>& all);

}  // namespace torsor
