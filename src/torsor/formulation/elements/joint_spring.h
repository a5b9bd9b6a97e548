#pragma once
// Springs and dampers in joints, by the three laws of JointSpring.

#include "torsor/base/dual.h"
#include "torsor/formulation/elements/element.h"
#include "torsor/formulation/elements/tree_element.h"
#include "torsor/model/joint_spring_law.h"

namespace torsor {

/// By a controller: where the ledger books its work (-1: no controller does), and whether it does so in the
/// spring's stead; if not, that is what its continuous law would do.
struct SpringCompensation {
  int source = -1;
  bool acts = false;
};
SpringCompensation spring_compensation(const Model& model, const FlowBook& book, int joint);

template <int D, class S = double>
using CoordinateSpring = MeasuredElement<D, CoordinateMeasure<D, S>, SpringDamperOf<S>, S>;

/// The angle from rest of a rotation, of which the trace w = 1 + 2 cos angle is quadratic in x.
template <int D, class S = double>
struct TraceMeasure {
  std::array<Product<D, S>, 3> trace;

  /// 3 - w = 4 sin^2(angle / 2).
  S angle(const Configuration<D, S>& X) const {
    using std::asin, std::max, std::min, std::sqrt;
    S w(0.0);
    for (const Product<D, S>& product : trace) w += value_at(product, X);
    return 2 * asin(sqrt(min(max((3 - w) / 4, S(0.0)), S(1.0))));
  }
  S value(const StateView<D, S>& state) const { return angle(state.X); }
  LawPairOf<S> set(const PairView<D, S>& view) const {
    S w_rate(0.0);
    for (const Product<D, S>& product : trace) w_rate += rate_at(product, view.X.left, view.X.velocity);
    return view.law_pair(angle(view.X.start), angle(view.X.right), w_rate);
  }
  template <class Law, class Sink>
  void push(const PairView<D, S>& view, const Law&, const LawEffortOf<S>& f, Sink&& sink) const {
    if (may_skip(f.effort == 0.0)) return;
    for (const Product<D, S>& product : trace) {
      push_gradient(product, view.X.left, view.point.force_gain * f.effort, sink);
    }
  }
  template <class Law, class Sink>
  void add_tangent(const PairView<D, S>& view, const Law&, const LawEffortOf<S>& f, Sink&& sink) const {
    if (may_skip(f.effort == 0.0)) return;
    sink.products(trace, view.point.force_gain * f.effort, view.point.force_gain * f.slope);
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.trace);
  }
};

template <int D, class S = double>
using LogSpring = MeasuredElement<D, TraceMeasure<D, S>, LogLawOf<S>, S>;

/// Against the angular velocity of the child, axis by axis.
template <int D, class S = double>
struct SpinDamper {
  Spin<D, S> spin;
  std::array<S, 3> damping;
  int joint, damper;

  template <class Sink>
  void push(const PairView<D, S>& view, Sink&& sink) const {
    const Vec3<S> relative = spin.rate(view);
    Vec3<S> moment{};
    for (int i = 0; i < 3; ++i) {
      const Vec3<S> axis = lever(spin.axes[i], view.X.left);
      moment += (damping[i] * dot(axis, relative)) * axis;
    }
    spin.push(view.point.force_gain * moment, sink);
  }
  template <class Sink>
  void add_tangent(const PairView<D, S>& view, Sink&& sink) const {
    const Vec3<S> relative = spin.rate(view);
    Mat3<S> by_rate{}, by_axes{};
    for (int i = 0; i < 3; ++i) {
      const Vec3<S> b = lever(spin.axes[i], view.X.left), b_r = lever(spin.axes[i], view.X.right);
      const S c = view.point.force_gain * damping[i];
      by_rate = by_rate + c * outer(b, b);
      by_axes =
          by_axes - (c * view.point.kappa) * (dot(b, relative) * hat(b_r) + outer(b, cross(relative, b_r)));
    }
    sink.spin(spin.child, spin.parent, spin.child, by_axes, by_rate);
    sink.spin(spin.child, spin.parent, spin.parent, Mat3<S>{}, -1.0 * by_rate);
  }
  void add_flows(const PairView<D, S>& view, double h, const FlowsOf<S>& flows) const {
    const Vec3<S> relative = spin.rate(view);
    for (int i = 0; i < 3; ++i) {
      const S speed = dot(lever(spin.axes[i], view.X.left), relative);
      flows.taken[damper] += h * damping[i] * speed * speed;
    }
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.spin, s.damping, s.joint, s.damper);
  }
};

/// k (phi, theta, psi) about the axes of the rest frame on the parent, R = Rz(psi) Ry(theta) Rx(phi) from
/// there; no potential.
template <int D>
struct EulerSpring {
  Spin<D> spin;
  std::array<Arm<D>, 3> rest_axes;
  std::array<double, 3> stiffness;
  int joint, source;
  SpringCompensation compensation;

  /// With the axes of the child and of the rest frame, of any scalar.
  template <class S>
  Vec3<S> moment(const std::array<Vec3<S>, 3>& child, const std::array<Vec3<S>, 3>& rest) const {
    const auto row = [&](int i) {
      return Vec3<S>{dot(rest[i], child[0]), dot(rest[i], child[1]), dot(rest[i], child[2])};
    };
    const Vec3<S> x = row(0), y = row(1), z = row(2);
    const Vec3<S> angles = euler321_angles(Mat3<S>{x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z});
    Vec3<S> sum{};
    for (int i = 0; i < 3; ++i) sum += (stiffness[i] * angles[i]) * rest[i];
    return sum;
  }
  Vec3<double> moment(const PairView<D>& view) const {
    std::array<Vec3<double>, 3> child, rest;
    for (int i = 0; i < 3; ++i) child[i] = lever(spin.axes[i], view.X.left);
    for (int i = 0; i < 3; ++i) rest[i] = lever(rest_axes[i], view.X.left);
    return moment(child, rest);
  }

  template <class Sink>
  void push(const PairView<D>& view, Sink&& sink) const {
    if (!compensation.acts) spin.push(view.point.force_gain * moment(view), sink);
  }
  template <class Sink>
  void add_tangent(const PairView<D>& view, Sink&& sink) const {
    using Turn = Dual<double, 6>;  // by the turns of child and parent
    if (compensation.acts) return;
    const auto turned = [&](const Arm<D>& arm, int first) {
      const Vec3<double> l = lever(arm, view.X.left), r = view.point.kappa * lever(arm, view.X.right);
      Vec3<Turn> axis{Turn(l.x), Turn(l.y), Turn(l.z)};
      for (int j = 0; j < 3; ++j) {
        Vec3<double> unit{};
        unit[j] = 1;
        const Vec3<double> change = cross(unit, r);
        for (int i = 0; i < 3; ++i) axis[i].tangent[first + j] = change[i];
      }
      return axis;
    };
    std::array<Vec3<Turn>, 3> child, rest;
    for (int i = 0; i < 3; ++i) child[i] = turned(spin.axes[i], 0);
    for (int i = 0; i < 3; ++i) rest[i] = turned(rest_axes[i], 3);
    const Vec3<Turn> m = moment(child, rest);
    const auto by_turn = [&](int k) {
      const auto& [x, y, z] = std::array{m.x.tangent, m.y.tangent, m.z.tangent};
      return view.point.force_gain *
             Mat3<double>{x[k], x[k + 1], x[k + 2], y[k], y[k + 1], y[k + 2], z[k], z[k + 1], z[k + 2]};
    };
    sink.spin(spin.child, spin.parent, spin.child, by_turn(0), Mat3<double>{});
    sink.spin(spin.child, spin.parent, spin.parent, by_turn(3), Mat3<double>{});
  }
  void add_flows(const PairView<D>& view, double h, const Flows& flows) const {
    const double power = dot(moment(view), spin.rate(view));
    flows.work[source] -= h * power;
    if (compensation.source >= 0) flows.work[compensation.source] += h * power;
  }
};

template <int D>
void compile(const ElementContext<D>& context, std::vector<CoordinateSpring<D>>& all);
template <int D>
void compile(const ElementContext<D>& context, std::vector<LogSpring<D>>& all);
template <int D>
void compile(const ElementContext<D>& context, std::vector<SpinDamper<D>>& all);
template <int D>
void compile(const ElementContext<D>& context, std::vector<EulerSpring<D>>& all);

/// On the rates of a joint of a tree.
template <class P>
struct TreeSpringOf {
  static constexpr bool kNeedsPoses = false;
  JointSpringLawOf<P> law;
  int source = -1;  ///< of a spring without potential
  int damper = -1;
  SpringCompensation compensation;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const bool booked = !sink.work.empty() && (source >= 0 || compensation.source >= 0);
    S power(0.0);
    for_each_spring_effort(law, view.q, [&](int k, const S& effort) {
      if (!compensation.acts) sink.effort[law.v + k] += effort;
      if (booked) power += effort * view.v[law.v + k];
    });
    if (booked) {
      sink.book(source, power);
      sink.book(compensation.source, -power);
    }
    add_damper_efforts(law, view.v, sink.effort);
    if (!sink.taken.empty()) sink.book_taken(damper, dissipation(law, view.v));
  }
  template <class S>
  S potential(const TreeView<S>& view) const {
    return torsor::potential(law, view.q);
  }
  /// As if rotations were near rest; `log` has one stiffness for all axes of turning.
  void add_stiffness(std::span<double> stiffness, std::span<double> damping) const {
    const int axes = law.law == SpringLaw::angle ? law.count : std::max(law.count, 3);
    for (int k = 0; k < axes; ++k) {
      const bool same = law.law == SpringLaw::log && k < 3;
      if (!compensation.acts) stiffness[law.v + k] += law.stiffness[same ? 0 : k];
      damping[law.v + k] += law.damping[k];
    }
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.law, s.source, s.damper, s.compensation.source, s.compensation.acts);
  }
};
using TreeSpring = TreeSpringOf<double>;
void compile(const TreeContext& context, std::vector<TreeSpring>& all);

}  // namespace torsor
