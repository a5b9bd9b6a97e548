#pragma once
// What an element sees and where it writes, in directors. Elements are plain structs, all of one kind in one
// list (all.h); each says what it has of
//   push(view, sink)                 forces between the two configurations, on the left side of a step
//   add_tangent(view, sink)          their derivative by the second one; what push() found is still there
//   add_flows(view, h, flows)        work and dissipation
//   potential(state)                 stored energy, at a StateView
//   start(state, z)                  sets its states, where it has any
//   couple(use)                      pairs of bodies that the derivative couples beside joints
//   joint                            the joint of the model across which it acts, if one
// Sinks for forces are below; those for derivatives are ChartSink (rotationless/chart_sink.h) and WeakSink
// (rotationless/weak_sink.h), which have the same verbs.

#include <cmath>
#include <span>
#include <vector>

#include "torsor/formulation/external_input.h"
#include "torsor/formulation/rotationless/mechanism.h"
#include "torsor/formulation/system.h"
#include "torsor/model/flow_book.h"
#include "torsor/model/scalar_law.h"

namespace torsor {

template <int D, class S = double>
using SquareD = std::array<S, D * D>;  ///< row-major
/// A moment by a turn.
template <int D, class S = double>
using TurnD = std::conditional_t<D == 2, S, Mat3<S>>;

/// The configurations of a ConstrainedPoint.
template <int D, class S = double>
struct MotionPair {
  Configuration<D, S> start, left, right, velocity, w;

  explicit MotionPair(int ground) {
    for (Configuration<D, S>* X : {&start, &left, &right}) X->assign(ground + 1, ground_directors<D, S>());
    for (Configuration<D, S>* X : {&velocity, &w}) X->resize(ground + 1);
  }
  void load(const ConstrainedPointOf<S>& point) {
    for (std::size_t node = 0; node + 1 < left.size(); ++node) load(point, node);
  }
  /// That of one body.
  [[gnu::always_inline]] void load(const ConstrainedPointOf<S>& point, std::size_t node) {
    const double a = 1 - point.kappa, b = point.kappa;
    if (!point.same_start) load_body(point.x_a, node, start[node]);
    load_body(point.x_b, node, right[node]);
    load_body(point.velocity, node, velocity[node]);
    load_body(point.w, node, w[node]);
    left[node].phi = a * start[node].phi + b * right[node].phi;
    for (int i = 0; i < D; ++i) left[node].d[i] = a * start[node].d[i] + b * right[node].d[i];
  }
};

/// One configuration, for what is stored there.
template <int D, class S = double>
struct StateView {
  const Configuration<D, S>& X;
  std::span<const S> angles;
  double time;
  std::span<const S> z;  ///< states of elements, with the flows before them; empty: as at a start
};

template <int D, class S = double>
struct PairView {
  const ConstrainedPointOf<S>& point;
  const RotationlessMechanism<D, S>& mechanism;
  const MotionPair<D, S>& X;
  std::span<const S> servo_efforts;  ///< times the force gain, as the unknowns are

  SpinD<D, S> spin(int node) const { return spin_rate(X.left[node], X.velocity[node]); }
  MeasuredPairOf<S> measured(const Measure<D, S>& measure) const {
    using std::hypot;
    const S last = measure.angle < 0 ? S(0.0) : point.angles[measure.angle];
    MeasuredPairOf<S> pair = measured_pair(measure, X.start, X.right, last, point.kappa);
    if (point.stretched && !measure.displacement) {
      // grad theta = (c grad s - s grad c) / (s^2 + c^2).
      const S shrink = 1 / hypot(sum(measure.sine, X.right), sum(measure.cosine, X.right));
      for (S* weight : {&pair.sine, &pair.cosine, &pair.d_sine, &pair.d_cosine}) *weight *= shrink;
    }
    return pair;
  }
  LawPairOf<S> law_pair(const S& a, const S& b, const S& rate) const {
    return {a, b, rate, S(point.time), point.kappa, point.velocity_gain};
  }
};

/// What acts on a body: on its centre of mass, on its directors, and pure moments.
template <int D, class S = double>
struct NodeForce {
  VecD<D, S> force{};
  std::array<VecD<D, S>, D> on_directors{};
  SpinD<D, S> moment{};

  [[gnu::always_inline]] void push(const Arm<D, S>& arm, const VecD<D, S>& f) {
    force += arm.t * f;
    for (int i = 0; i < D; ++i) on_directors[i] += arm.beta[i] * f;
  }
};

/// On all bodies.
template <int D, class S = double>
struct ForceSink {
  std::vector<NodeForce<D, S>>& forces;

  void operator()(const Arm<D, S>& arm, const VecD<D, S>& force) const { forces[arm.node].push(arm, force); }
  void turn(int node, const SpinD<D, S>& moment) const { forces[node].moment += moment; }
  void force(int node, const VecD<D, S>& f) const { forces[node].force += f; }
};

/// On the child of one joint.
template <int D, class S = double>
struct AcrossSink {
  NodeForce<D, S>& on;
  int child;

  void operator()(const Arm<D, S>& arm, const VecD<D, S>& force) const {
    if (arm.node == child) on.push(arm, force);
  }
  void turn(int node, const SpinD<D, S>& moment) const {
    if (node == child) on.moment += moment;
  }
};

/// Powers of a step: work of sources, dissipation of dampers; and all of them with the states of elements.
template <class S>
struct FlowsOf {
  std::span<S> work, taken, z;
};
using Flows = FlowsOf<double>;
template <class S>
FlowsOf<S> split_flows(std::span<S> z, std::size_t sources) {
  return {z.first(sources), z.subspan(sources), z};
}

/// A moment about axes fixed on the child, and its reaction on the parent.
template <int D, class S = double>
struct Spin {
  int child, parent;
  std::array<Arm<D, S>, 3> axes;

  template <class Sink>
  void push(const SpinD<D, S>& moment, Sink&& sink) const {
    sink.turn(child, moment);
    sink.turn(parent, -moment);
  }
  SpinD<D, S> rate(const PairView<D, S>& view) const { return view.spin(child) - view.spin(parent); }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.child, s.parent, s.axes);
  }
};

template <class S>
S along(const S& a, const S& b) {
  return a * b;
}
template <class S>
S along(const Vec2<S>& a, const Vec2<S>& b) {
  return dot(a, b);
}
template <class S>
S along(const Vec3<S>& a, const Vec3<S>& b) {
  return dot(a, b);
}

/// Of a force at a place, on the body that carries that place.
template <int D, class S>
S carried_power(const PairView<D, S>& view, int carrier, const VecD<D, S>& at, const VecD<D, S>& force) {
  const SpinD<D, S> moment = moment_of(at - view.X.left[carrier].phi, force);
  return dot(force, view.X.velocity[carrier].phi) + along(moment, view.spin(carrier));
}

/// What elements are compiled from.
template <int D>
struct ElementContext {
  const Model& model;
  const RotationlessMechanism<D>& mechanism;
  const FlowBook& book;
  const ExternalInput* external;  ///< may be null
  const HeldEfforts* held;        ///< likewise
  LawFault* fault;                ///< likewise

  std::array<Arm<D>, 3> axes(int body, const Mat3<double>& R) const {
    const NodeFrames<D>& frames = mechanism.frames;
    return {frames.direction(body, {R.xx, R.yx, R.zx}), frames.direction(body, {R.xy, R.yy, R.zy}),
            frames.direction(body, {R.xz, R.yz, R.zz})};
  }
  Spin<D> child_spin(const Joint& joint) const {
    return {mechanism.frames.node(joint.child), mechanism.frames.node(joint.parent),
            axes(joint.child, matrix(joint.in_child.rotation))};
  }
};

/// law x measure: an effort against what is measured, along its discrete gradient.
template <int D, class Measured, class Law, class S = double>
struct MeasuredElement {
  Measured measure;
  Law law;
  int joint = -1, source = -1, damper = -1;
  LawEffortOf<S> found{};  ///< by the last push

  template <class Sink>
  void push(const PairView<D, S>& view, Sink&& sink) {
    found = law.between(measure.set(view));
    measure.push(view, law, found, sink);
  }
  template <class Sink>
  void add_tangent(const PairView<D, S>& view, Sink&& sink) {
    measure.add_tangent(view, law, found, sink);
  }
  void add_flows(const PairView<D, S>& view, double h, const FlowsOf<S>& flows) {
    if (source < 0 && damper < 0) return;
    const LawEffortOf<S> f = law.between(measure.set(view));
    if (source >= 0) flows.work[source] += h * f.work;
    if (damper >= 0) flows.taken[damper] += h * f.taken;
  }
  S potential(const StateView<D, S>& state) const requires requires { law.potential(S(0.0)); }
  { return law.potential(measure.value(state)); }
  template <class Use>
  void couple(Use&& use) const {
    if constexpr (requires { measure.couple(use); }) measure.couple(use);
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.measure, s.law, s.joint, s.source, s.damper);
  }
};

/// A coordinate of a joint.
template <int D, class S = double>
struct CoordinateMeasure {
  Measure<D, S> coordinate;
  MeasuredPairOf<S> pair{};

  S value(const StateView<D, S>& state) const {
    return value_at(coordinate, state.X, coordinate.angle < 0 ? S(0.0) : state.angles[coordinate.angle]);
  }
  LawPairOf<S> set(const PairView<D, S>& view) {
    pair = view.measured(coordinate);
    return view.law_pair(pair.a, pair.b, rate_at(coordinate, pair, view.X.left, view.X.velocity));
  }
  template <class Law, class Sink>
  void push(const PairView<D, S>& view, const Law&, const LawEffortOf<S>& f, Sink&& sink) const {
    push_gradient(coordinate, pair, view.X.left, view.point.force_gain * f.effort, sink);
  }
  template <class Law, class Sink>
  void add_tangent(const PairView<D, S>& view, const Law&, const LawEffortOf<S>& f, Sink&& sink) const {
    sink.measure(coordinate, pair, view.point.force_gain * f.effort, view.point.force_gain * f.slope,
                 f.by_rate);
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.coordinate);
  }
};

}  // namespace torsor
