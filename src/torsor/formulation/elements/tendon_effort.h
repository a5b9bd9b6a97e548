#pragma once
// Actuators on tendons: a tension along the path, by a program or as the unknown of a servo. Positive ones
// shorten the path.

#include "torsor/formulation/elements/element.h"
#include "torsor/formulation/elements/tendon.h"
#include "torsor/formulation/elements/tree_element.h"

namespace torsor {

template <int D>
struct TendonEffort {
  LengthMeasure<D> measure;
  Program program;
  int actuator;  ///< of the model
  int source;
  int servo;  ///< index among the efforts that servos find; -1: by its program

  double scaled(const PairView<D>& view) const {
    return servo >= 0 ? view.servo_efforts[servo] : view.point.force_gain * program.value(view.point.time);
  }
  template <class Use>
  void for_each_node(Use&& use) const {
    for (const Arm<D>& arm : measure.arms) use(arm.node);
  }
  void set(const PairView<D>& view) { measure.set(view); }
  double speed(const PairView<D>&) const { return -measure.rate; }
  /// Hands the direction in which it acts at a configuration, body by body, to `use(node, row)`.
  template <class Use>
  void for_each_row(const Configuration<D>& left, Use&& use) const {
    measure.for_each_gradient([&](const Arm<D>& arm, const VecD<D>& n) {
      Row<D> row{};
      add_force<D>(arm.t, lever(arm, left), -n, row.data());
      use(arm.node, row);
    });
  }

  template <class Sink>
  void push(const PairView<D>& view, Sink&& sink) {
    measure.set(view);
    const double tension = scaled(view);
    if (tension == 0) return;
    measure.for_each_gradient([&](const Arm<D>& arm, const VecD<D>& n) { sink(arm, tension * n); });
  }
  template <class Sink>
  void add_tangent(const PairView<D>& view, Sink&& sink) {
    const double tension = scaled(view);
    if (tension == 0) return;
    measure.clear_by_place();
    measure.add_by_place(tension, 0, typename LengthMeasure<D>::Between{measure, view.point.kappa});
    measure.hand_over([&](const Arm<D>& on, const Arm<D>& by, const SquareD<D>& H) { sink.arms(on, by, H); });
  }
  void add_flows(const PairView<D>& view, double h, const Flows& flows) {
    measure.set(view);
    flows.work[source] += h * (1 / view.point.force_gain * scaled(view)) * speed(view);
  }
  template <class Use>
  void couple(Use&& use) const {
    measure.couple(use);
  }
};
template <int D>
void compile(const ElementContext<D>& context, std::vector<TendonEffort<D>>& all);

struct TreeTendonEffort {
  static constexpr bool kNeedsPoses = true;
  TendonLaw law;  ///< of the path alone
  Program effort;
  int source = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const S tension = along(effort, view.t).value;
    const TendonState<S> state = tendon_state(law, view.X_W, view.V);
    add_wrenches(law, tension, view.X_W, sink.applied);
    sink.book(source, -tension * state.rate);
  }
};
void compile(const TreeContext& context, std::vector<TreeTendonEffort>& all);

}  // namespace torsor
