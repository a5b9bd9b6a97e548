#pragma once
// What an element sees and where it writes, in directors. Elements are plain structs, all of one kind in one
// list (all.h); each says what it has of
//   push(view, sink)                 forces between the two configurations, on the left side of a step
//   add_tangent(view, sink)          their derivative by the second one; what push() found is still there
//   add_flows(view, h, flows)        work and dissipation
//   potential(state)                 stored energy, at a StateView
//   start(X, t, z)                   sets its states, where it has any
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

template <int D>
using SquareD = std::array<double, D * D>;  ///< row-major
/// A moment by a turn.
template <int D>
using TurnD = std::conditional_t<D == 2, double, Mat3<double>>;

/// The configurations of a ConstrainedPoint.
template <int D>
struct MotionPair {
  Configuration<D> start, left, right, velocity, w;

  explicit MotionPair(int ground) {
    for (Configuration<D>* X : {&start, &left, &right}) X->assign(ground + 1, ground_directors<D>());
    for (Configuration<D>* X : {&velocity, &w}) X->resize(ground + 1);
  }
  void load(const ConstrainedPoint& point) {
    if (!point.same_start) load_configuration(point.x_a, start);
    load_configuration(point.x_b, right);
    load_configuration(point.velocity, velocity);
    load_configuration(point.w, w);
    const double a = 1 - point.kappa, b = point.kappa;
    for (std::size_t node = 0; node + 1 < left.size(); ++node) {
      left[node].phi = a * start[node].phi + b * right[node].phi;
      for (int i = 0; i < D; ++i) left[node].d[i] = a * start[node].d[i] + b * right[node].d[i];
    }
  }
};

/// One configuration, for what is stored there.
template <int D>
struct StateView {
  const Configuration<D>& X;
  std::span<const double> angles;
  double time;
  std::span<const double> z;  ///< states of elements, with the flows before them; empty: as at a start
};

template <int D>
struct PairView {
  const ConstrainedPoint& point;
  const RotationlessMechanism<D>& mechanism;
  const MotionPair<D>& X;
  std::span<const double> servo_efforts;  ///< times the force gain, as the unknowns are

  SpinD<D> spin(int node) const { return spin_rate(X.left[node], X.velocity[node]); }
  MeasuredPair measured(const Measure<D>& measure) const {
    const double last = measure.angle < 0 ? 0 : point.angles[measure.angle];
    MeasuredPair pair = measured_pair(measure, X.start, X.right, last, point.kappa);
    if (point.stretched && !measure.displacement) {
      // grad theta = (c grad s - s grad c) / (s^2 + c^2).
      const double shrink = 1 / std::hypot(sum(measure.sine, X.right), sum(measure.cosine, X.right));
      for (double* weight : {&pair.sine, &pair.cosine, &pair.d_sine, &pair.d_cosine}) *weight *= shrink;
    }
    return pair;
  }
  LawPair law_pair(double a, double b, double rate) const {
    return {a, b, rate, point.time, point.kappa, point.velocity_gain};
  }
};

/// What acts on a body: on its centre of mass, on its directors, and pure moments.
template <int D>
struct NodeForce {
  VecD<D> force{};
  std::array<VecD<D>, D> on_directors{};
  SpinD<D> moment{};

  [[gnu::always_inline]] void push(const Arm<D>& arm, const VecD<D>& f) {
    force += arm.t * f;
    for (int i = 0; i < D; ++i) on_directors[i] += arm.beta[i] * f;
  }
};

/// On all bodies.
template <int D>
struct ForceSink {
  std::vector<NodeForce<D>>& forces;

  void operator()(const Arm<D>& arm, const VecD<D>& force) const { forces[arm.node].push(arm, force); }
  void turn(int node, const SpinD<D>& moment) const { forces[node].moment += moment; }
  void force(int node, const VecD<D>& f) const { forces[node].force += f; }
};

/// On the child of one joint.
template <int D>
struct AcrossSink {
  NodeForce<D>& on;
  int child;

  void operator()(const Arm<D>& arm, const VecD<D>& force) const {
    if (arm.node == child) on.push(arm, force);
  }
  void turn(int node, const SpinD<D>& moment) const {
    if (node == child) on.moment += moment;
  }
};

/// Powers of a step: work of sources, dissipation of dampers; and all of them with the states of elements.
struct Flows {
  std::span<double> work, taken, z;
};
inline Flows split_flows(std::span<double> z, std::size_t sources) {
  return {z.first(sources), z.subspan(sources), z};
}

/// A moment about axes fixed on the child, and its reaction on the parent.
template <int D>
struct Spin {
  int child, parent;
  std::array<Arm<D>, 3> axes;

  template <class Sink>
  void push(const SpinD<D>& moment, Sink&& sink) const {
    sink.turn(child, moment);
    sink.turn(parent, -moment);
  }
  SpinD<D> rate(const PairView<D>& view) const { return view.spin(child) - view.spin(parent); }
};

inline double along(double a, double b) { return a * b; }
inline double along(const Vec2<double>& a, const Vec2<double>& b) { return dot(a, b); }
inline double along(const Vec3<double>& a, const Vec3<double>& b) { return dot(a, b); }

/// Of a force at a place, on the body that carries that place.
template <int D>
double carried_power(const PairView<D>& view, int carrier, const VecD<D>& at, const VecD<D>& force) {
  const SpinD<D> moment = moment_of(at - view.X.left[carrier].phi, force);
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
template <int D, class Measured, class Law>
struct MeasuredElement {
  Measured measure;
  Law law;
  int joint = -1, source = -1, damper = -1;
  LawEffort found{};  ///< by the last push

  template <class Sink>
  void push(const PairView<D>& view, Sink&& sink) {
    found = law.between(measure.set(view));
    measure.push(view, law, found, sink);
  }
  template <class Sink>
  void add_tangent(const PairView<D>& view, Sink&& sink) {
    measure.add_tangent(view, law, found, sink);
  }
  void add_flows(const PairView<D>& view, double h, const Flows& flows) {
    if (source < 0 && damper < 0) return;
    const LawEffort f = law.between(measure.set(view));
    if (source >= 0) flows.work[source] += h * f.work;
    if (damper >= 0) flows.taken[damper] += h * f.taken;
  }
  double potential(const StateView<D>& state) const requires requires { law.potential(0.0); }
  { return law.potential(measure.value(state)); }
  template <class Use>
  void couple(Use&& use) const {
    if constexpr (requires { measure.couple(use); }) measure.couple(use);
  }
};

/// A coordinate of a joint.
template <int D>
struct CoordinateMeasure {
  Measure<D> coordinate;
  MeasuredPair pair{};

  double value(const StateView<D>& state) const {
    return value_at(coordinate, state.X, coordinate.angle < 0 ? 0 : state.angles[coordinate.angle]);
  }
  LawPair set(const PairView<D>& view) {
    pair = view.measured(coordinate);
    return view.law_pair(pair.a, pair.b, rate_at(coordinate, pair, view.X.left, view.X.velocity));
  }
  template <class Law, class Sink>
  void push(const PairView<D>& view, const Law&, const LawEffort& f, Sink&& sink) const {
    push_gradient(coordinate, pair, view.X.left, view.point.force_gain * f.effort, sink);
  }
  template <class Law, class Sink>
  void add_tangent(const PairView<D>& view, const Law&, const LawEffort& f, Sink&& sink) const {
    sink.measure(coordinate, pair, view.point.force_gain * f.effort, view.point.force_gain * f.slope,
                 f.by_rate);
  }
};

}  // namespace torsor
