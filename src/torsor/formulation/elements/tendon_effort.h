#pragma once
// Actuators on tendons: a tension along the path, by a program or as the unknown of a servo. Positive ones
// shorten the path.

#include "torsor/formulation/elements/element.h"
#include "torsor/formulation/elements/tendon.h"
#include "torsor/formulation/elements/tree_element.h"

namespace torsor {

template <int D, class S = double>
struct TendonEffort {
  LengthMeasure<D, S> measure;
  ProgramOf<S> program;
  int actuator;  ///< of the model
  int source;
  int servo;  ///< index among the efforts that servos find; -1: by its program

  S scaled(const PairView<D, S>& view) const {
    return servo >= 0 ? view.servo_efforts[servo] : view.point.force_gain * program.value(view.point.time);
  }
  template <class Use>
  void for_each_node(Use&& use) const {
    for (const Arm<D, S>& arm : measure.arms) use(arm.node);
    measure.sum.for_each_node(use);
  }
  void set(const PairView<D, S>& view) { measure.set(view); }
  S speed(const PairView<D, S>&) const { return -measure.rate; }
  /// Hands the direction in which it acts at a configuration, body by body, to `use(node, row)`.
  template <class Use>
  void for_each_row(const Configuration<D, S>& left, Use&& use) const {
    measure.for_each_gradient([&](const Arm<D, S>& arm, const VecD<D, S>& n) {
      Row<D, S> row{};
      add_force<D>(arm.t, lever(arm, left), -n, row.data());
      use(arm.node, row);
    });
    if constexpr (LengthMeasure<D, S>::kPlain) measure.sum.for_each_row(left, -1, use);
  }

  template <class Sink>
  void push(const PairView<D, S>& view, Sink&& sink) {
    measure.set(view);
    const S tension = scaled(view);
    if (may_skip(tension == 0.0)) return;
    measure.for_each_gradient([&](const Arm<D, S>& arm, const VecD<D, S>& n) { sink(arm, tension * n); });
    if constexpr (LengthMeasure<D, S>::kPlain) measure.sum.push(view, tension, sink);
  }
  template <class Sink>
  void add_tangent(const PairView<D, S>& view, Sink&& sink) {
    const S tension = scaled(view);
    if (may_skip(tension == 0.0)) return;
    measure.clear_by_place();
    measure.add_by_place(tension, S(0.0), typename LengthMeasure<D, S>::Between{measure, view.point.kappa});
    measure.hand_over(
        [&](const Arm<D, S>& on, const Arm<D, S>& by, const SquareD<D, S>& H) { sink.arms(on, by, H); });
    if constexpr (LengthMeasure<D, S>::kPlain) measure.sum.add_tangent(tension, 0, 0, sink);
  }
  void add_flows(const PairView<D, S>& view, double h, const FlowsOf<S>& flows) {
    measure.set(view);
    flows.work[source] += h * (1 / view.point.force_gain * scaled(view)) * speed(view);
  }
  template <class Use>
  void couple(Use&& use) const {
    measure.couple(use);
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.measure, s.program, s.actuator, s.source, s.servo);
  }
};
template <int D>
void compile(const ElementContext<D>& context, std::vector<TendonEffort<D>>& all);

template <class P>
struct TreeTendonEffortOf {
  static constexpr bool kNeedsPoses = true;
  TreePathOf<P> path;  ///< alone
  ProgramOf<P> effort;
  int source = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const S tension = along(effort, view.t).value;
    path.pull(view, tension, sink);
    sink.book(source, -tension * path.state(view).rate);
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.path, s.effort, s.source);
  }
};
using TreeTendonEffort = TreeTendonEffortOf<double>;
void compile(const TreeContext& context, std::vector<TreeTendonEffort>& all);

}  // namespace torsor
