#pragma once
// Efforts on joints: programs of actuators, and the unknown efforts of servos.

#include "torsor/formulation/elements/element.h"
#include "torsor/formulation/elements/tree_element.h"

namespace torsor {

enum class EffortKind { coordinate, spin, force };
/// Where an effort on one rate of a joint acts: on a coordinate, or about or along an axis of the child
/// (spherical and free joints).
template <int D, class S = double>
struct EffortPlace {
  using Kind = EffortKind;
  Kind kind = Kind::coordinate;
  Measure<D, S> coordinate;
  Spin<D, S> spin;  ///< the axis is the first
  Arm<D, S> at;
  MeasuredPairOf<S> pair{};  ///< of the last set

  int child() const { return kind == Kind::coordinate ? coordinate.child : spin.child; }
  int parent() const { return kind == Kind::coordinate ? coordinate.parent : spin.parent; }
  const Arm<D, S>& axis() const { return spin.axes[0]; }

  void set(const PairView<D, S>& view) {
    if (kind == Kind::coordinate) pair = view.measured(coordinate);
  }
  /// What an effort tau adds to the left side, and its derivative.
  template <class Sink>
  void push(const PairView<D, S>& view, const S& tau, Sink&& sink) const {
    if (kind == Kind::coordinate) {
      push_gradient(coordinate, pair, view.X.left, -tau, sink);
    } else if (kind == Kind::force) {
      sink(at, -tau * lever(axis(), view.X.left));
    } else if constexpr (D == 3) {
      spin.push(-tau * lever(axis(), view.X.left), sink);
    }
  }
  template <class Sink>
  void add_tangent(const PairView<D, S>& view, const S& tau, Sink&& sink) const {
    if (may_skip(tau == 0.0)) return;
    if (kind == Kind::coordinate) {
      sink.measure(coordinate, pair, -tau, S(0.0), S(0.0));
    } else if (kind == Kind::force) {
      sink.arms(at, axis(), -tau * view.point.kappa);
    } else if constexpr (D == 3) {
      sink.spin(spin.child, spin.parent, spin.child,
                (tau * view.point.kappa) * hat(lever(axis(), view.X.right)), Mat3<S>{});
    }
  }
  /// Of the rate, by the velocities of the pair.
  S speed(const PairView<D, S>& view) const {
    if (kind == Kind::coordinate) return rate_at(coordinate, pair, view.X.left, view.X.velocity);
    const VecD<D, S> n = lever(axis(), view.X.left);
    if (kind == Kind::force) return dot(n, value_at(at, view.X.velocity));
    if constexpr (D == 3) return dot(n, spin.rate(view));
    return S(0.0);
  }
  /// The direction in which it acts at a configuration, by (u, y) of child and parent.
  PairRow<D, S> direction(const Configuration<D, S>& left) const;
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.kind, s.coordinate, s.spin, s.at);
  }
};

/// Throws ModelError with the key on a force along a free joint between two bodies.
template <int D>
EffortPlace<D> make_effort_place(const ElementContext<D>& context, int joint, int rate,
                                 const std::string& key);

/// By actuator: its index among the efforts that servos find; -1: it has a program.
std::vector<int> servo_efforts_by_actuator(const Model& model);

template <int D, class S = double>
struct Effort {
  EffortPlace<D, S> place;
  ProgramOf<S> program;
  int joint, actuator, source;
  int servo;  ///< index among the efforts that servos find; -1: by its program

  template <class Use>
  void for_each_node(Use&& use) const {
    use(place.child());
    use(place.parent());
  }
  void set(const PairView<D, S>& view) { place.set(view); }
  S speed(const PairView<D, S>& view) const { return place.speed(view); }
  /// Hands the direction in which it acts at a configuration, body by body, to `use(node, row)`.
  template <class Use>
  void for_each_row(const Configuration<D, S>& left, Use&& use) const {
    const PairRow<D, S> row = place.direction(left);
    use(place.child(), row.child);
    use(place.parent(), row.parent);
  }

  S scaled(const PairView<D, S>& view) const {
    return servo >= 0 ? view.servo_efforts[servo] : view.point.force_gain * program.value(view.point.time);
  }
  template <class Sink>
  void push(const PairView<D, S>& view, Sink&& sink) {
    place.set(view);
    place.push(view, scaled(view), sink);
  }
  template <class Sink>
  void add_tangent(const PairView<D, S>& view, Sink&& sink) const {
    place.add_tangent(view, scaled(view), sink);
  }
  void add_flows(const PairView<D, S>& view, double h, const FlowsOf<S>& flows) {
    place.set(view);
    flows.work[source] += h * (1 / view.point.force_gain * scaled(view)) * place.speed(view);
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.place, s.program, s.joint, s.actuator, s.source, s.servo);
  }
};

/// One for each actuator in a joint, in their order.
template <int D>
void compile(const ElementContext<D>& context, std::vector<Effort<D>>& all);

/// On a tree, where every rate has an effort.
template <class P>
struct TreeEffortOf {
  static constexpr bool kNeedsPoses = false;
  int rate = 0;
  ProgramOf<P> effort;
  int source = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const S tau = along(effort, view.t).value;
    sink.effort[rate] += tau;
    sink.book(source, tau * view.v[rate]);
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.rate, s.effort, s.source);
  }
};
using TreeEffort = TreeEffortOf<double>;
void compile(const TreeContext& context, std::vector<TreeEffort>& all);

}  // namespace torsor
