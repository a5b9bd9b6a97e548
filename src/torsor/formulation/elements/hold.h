#pragma once
// Controllers: virtual springs and dampers on coordinates, points and orientations, and the weights that they
// bear. With fixed targets the ledger shows what they store and what they take to rounding. What they compensate
// of springs and tendons stands with these. Of a sampled controller none of these acts, its held efforts do
// (external.h); they find the work that the continuous law would have done along the same motion.

#include "torsor/formulation/elements/element.h"
#include "torsor/formulation/elements/joint_spring.h"
#include "torsor/formulation/elements/tendon.h"
#include "torsor/formulation/elements/tree_element.h"
#include "torsor/model/controlled_chain.h"

namespace torsor {

/// Where the ledger books the parts of a controller's law; -1: nowhere.
struct HoldFlows {
  bool acts;  ///< else all work goes where its continuous work does, that of the virtual damper included
  int source, gravity, springs, damper;
};
inline HoldFlows hold_flows(const Controller& controller, const FlowBook& book) {
  if (controller.is_sampled()) {
    const int continuous = book.continuous_source(&controller);
    return {false, continuous, continuous, continuous, book.continuous_damper(&controller)};
  }
  const int own = book.source(&controller);
  return {true, own, own + 1, own + (controller.compensate_gravity ? 2 : 1), book.damper(&controller)};
}

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
    const double x = value_at(point, view.X.left)[i];
    return laws[i].between(view.law_pair(x, x, value_at(point, view.X.velocity)[i]));
  }
  template <class Sink>
  void push(const PairView<D>& view, Sink&& sink) const {
    if (!laws[0].acts) return;
    VecD<D> force;
    for (int i = 0; i < D; ++i) force[i] = along_axis(view, i).effort;
    sink(point, view.point.force_gain * force);
  }
  template <class Sink>
  void add_tangent(const PairView<D>& view, Sink&& sink) const {
    if (!laws[0].acts) return;
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

/// The virtual spring and damper that hold the orientation of a body: U = k/2 angle^2 of the rotation from its
/// target, by the discrete gradient of a spring of that law in a joint, and d against the angular velocity relative to
/// the target's. At a target that moves the damper does work, too.
template <int D>
struct OrientationHold {
  TraceMeasure<D>
      measure;  ///< to the target, fixed on the ground as long as a step lasts: where it is in the middle
  OrientationProgram target;
  LogLaw law;
  double damping;
  int node;
  bool acts;
  int source, damper;
  LawEffort found{};  ///< by the last push

  Vec3<double> target_rate{};

  void aim(double t) {
    if (target.is_constant()) return;
    const auto [R, omega] = target.at(t);
    const Vec3<double> axes[3] = {{R.xx, R.yx, R.zx}, {R.xy, R.yy, R.zy}, {R.xz, R.yz, R.zz}};
    for (int i = 0; i < 3; ++i) measure.trace[i].axis.beta = {axes[i].x, axes[i].y, axes[i].z};
    target_rate = omega;
  }
  template <class Sink>
  void push(const PairView<D>& view, Sink&& sink) {
    if (!acts) return;
    aim(view.point.time);
    found = law.between(measure.set(view));
    measure.push(view, law, found, sink);
    sink.turn(node, (view.point.force_gain * damping) * (view.spin(node) - target_rate));
  }
  template <class Sink>
  void add_tangent(const PairView<D>& view, Sink&& sink) const {
    if (!acts) return;
    measure.add_tangent(view, law, found, sink);
    sink.spin(node, view.mechanism.ground, node, {},
              (view.point.force_gain * damping) * Mat3<double>::identity());
  }
  void add_flows(const PairView<D>& view, double h, const Flows& flows) {
    aim(view.point.time);
    const SpinD<D> slip = view.spin(node) - target_rate;
    const double taken = damping * dot(slip, slip);
    flows.work[source] -= h * (law.between(measure.set(view)).work + damping * dot(slip, target_rate));
    if (damper >= 0) flows.taken[damper] += h * taken;
    if (!acts) flows.work[source] -= h * taken;
  }
};

/// The weight of a body, compensated by the joints of a chain: -m g at its centre of mass, on the body of the
/// chain that carries it.
template <int D>
struct CarriedWeight {
  int node, carrier;
  int source;
  bool acts;

  VecD<D> force(const PairView<D>& view) const {
    return view.mechanism.frames.mass[node] * view.mechanism.gravity;
  }
  template <class Sink>
  void push(const PairView<D>& view, Sink&& sink) const {
    if (!acts) return;
    const VecD<D> f = (view.point.force_gain * view.mechanism.frames.mass[node]) * view.mechanism.gravity;
    sink.force(carrier, f);
    sink.turn(carrier, moment_of(view.X.left[node].phi - view.X.left[carrier].phi, f));
  }
  template <class Sink>
  void add_tangent(const PairView<D>& view, Sink&& sink) const {
    if (!acts) return;
    sink.carried_lever(carrier, Arm<D>{node, 1, {}},
                       (view.point.kappa * view.point.force_gain) * force(view));
  }
  void add_flows(const PairView<D>& view, double h, const Flows& flows) const {
    flows.work[source] -= h * carried_power(view, carrier, view.X.left[node].phi, force(view));
  }
  template <class Use>
  void couple(Use&& use) const {
    if (acts) use(carrier, node);
  }
};

template <int D>
void compile(const ElementContext<D>& context, std::vector<CoordinateHold<D>>& all);
template <int D>
void compile(const ElementContext<D>& context, std::vector<PointHold<D>>& all);
template <int D>
void compile(const ElementContext<D>& context, std::vector<OrientationHold<D>>& all);
template <int D>
void compile(const ElementContext<D>& context, std::vector<CarriedWeight<D>>& all);

/// The same on trees: on a coordinate and its rate, at a point of a node, on the nodes of a chain.
struct TreeCoordinateHold {
  static constexpr bool kNeedsPoses = false;
  int q = 0, rate = 0;
  HoldLaw law;
  int source = -1, damper = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const auto f = law.at(view.q[q], view.v[rate], view.t);
    sink.effort[rate] -= f.effort;
    sink.book(source, f.work);
    sink.book_taken(damper, f.taken);
  }
  void add_stiffness(std::span<double> stiffness, std::span<double> damping) const {
    if (!law.acts) return;
    stiffness[rate] += law.stiffness;
    damping[rate] += law.damping;
  }
};
struct TreePointHold {
  static constexpr bool kNeedsPoses = true;
  int node = 0;
  Vec3<double> p_N;
  std::array<HoldLaw, 3> laws;  ///< along world axes
  int source = -1, damper = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const Pose<S>& X = view.X_W[node];
    const Twist<S>& V = view.V[node];
    const Vec3<S> place = act(X, p_N), velocity = X.R * (V.linear + cross(V.angular, p_N));
    Vec3<S> force{};
    for (int i = 0; i < 3; ++i) {
      const auto f = laws[i].at(place[i], velocity[i], view.t);
      force[i] = -f.effort;
      sink.book(source, f.work);
      sink.book_taken(damper, f.taken);
    }
    if (laws[0].acts) sink.applied[node] += wrench_on(X, place, force);
  }
};
struct TreeOrientationHold {
  static constexpr bool kNeedsPoses = true;
  int node = 0;
  Mat3<double> R_NB;  ///< body axes to those of the node
  OrientationProgram target;
  double stiffness = 0, damping = 0;
  bool acts = true;
  int source = -1, damper = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    // In body axes, moment -k x and power -k x . omega of x = log(target^T R): (2) of joint_spring_law.h.
    const auto [R, rate] = target.at(view.t);
    const Mat3<S> R_WB = view.X_W[node].R * R_NB, error = transpose(R) * R_WB;
    const Vec3<S>& omega = view.V[node].angular;
    const Vec3<S> led = transpose_times(view.X_W[node].R, rate), slip = omega - led;
    const Vec3<S> spring = -stiffness * (R_NB * log(so3_from_matrix(error))), viscous = -damping * slip;
    const S taken = damping * dot(slip, slip), work = dot(spring, omega) - damping * dot(slip, led);
    sink.book(source, acts ? work : work - taken);
    sink.book_taken(damper, taken);
    if (acts) sink.applied[node] += Wrench<S>{spring + viscous, Vec3<S>{}};
  }
};
struct TreeCarriedWeight {
  static constexpr bool kNeedsPoses = true;
  int node = 0, carrier = 0;
  Vec3<double> com_N;
  double mass = 0;
  int source = -1;
  bool acts = true;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const Vec3<double> up = -mass * view.tree.gravity;
    bear<S>(view, sink, carrier, act(view.X_W[node], com_N), {S(up.x), S(up.y), S(up.z)}, source, acts);
  }
};
void compile(const TreeContext& context, std::vector<TreeCoordinateHold>& all);
void compile(const TreeContext& context, std::vector<TreePointHold>& all);
void compile(const TreeContext& context, std::vector<TreeOrientationHold>& all);
void compile(const TreeContext& context, std::vector<TreeCarriedWeight>& all);

}  // namespace torsor
