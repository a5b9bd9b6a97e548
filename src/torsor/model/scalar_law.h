#pragma once
// Scalar laws: the effort of a spring, damper, tendon or hold by what it measures (a coordinate, a length, an
// angle) and its rate. A law knows no bodies; formulation/elements/ puts it on a measure.

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "torsor/lie/pack_series.h"
#include "torsor/model/program.h"

namespace torsor {

/// Of derivatives: a number of each lane. Dual numbers are differentiated by themselves.
template <class S>
struct SlopeType {
  using type = double;
};
template <int N>
struct SlopeType<Pack<N>> {
  using type = Pack<N>;
};
template <class S>
using SlopeOf = typename SlopeType<S>::type;

/// What a law sees of a step: values at its ends and the rate between them. A state is a pair of twice the
/// same value with kappa 1.
template <class S>
struct LawPairOf {
  S a{}, b{}, rate{};
  S time{0.0};               ///< at which programs are read
  double kappa = 0.5;        ///< share of b in the middle
  double velocity_gain = 0;  ///< d rate / d b
  SlopeOf<S> rest_rate{};    ///< of where the values are counted from, as far as the rate is counted from it
};
using LawPair = LawPairOf<double>;

/// What it answers: against the value, elastic (b - a) = U_b - U_a exactly.
template <class S>
struct LawEffortOf {
  S elastic{}, effort{};                ///< the latter with the damper
  SlopeOf<S> elastic_slope{}, slope{};  ///< their derivatives by b
  SlopeOf<S> by_rate{};                 ///< derivative of the effort by the rate alone
  S work{}, taken{};                    ///< powers that the ledger books: of a source, of the damper
};
using LawEffort = LawEffortOf<double>;

/// The elastic part at one value, and its derivative.
template <class S>
struct ElasticAtOf {
  S effort{}, slope{};
};
using ElasticAt = ElasticAtOf<double>;

/// U = k/2 (x - rest)^2, effort dU/dx + c x'. A controller may do the work of the spring in its place.
template <class S>
struct SpringDamperOf {
  S stiffness{}, damping{}, rest{};
  bool compensated = false;

  S potential(const S& x) const { return 0.5 * stiffness * (x - rest) * (x - rest); }
  LawEffortOf<S> between(const LawPairOf<S>& x) const {
    LawEffortOf<S> f;
    f.elastic = stiffness * (0.5 * (x.a + x.b) - rest);
    f.elastic_slope = stiffness * x.kappa;
    const S viscous = damping * x.rate;
    f.effort = compensated ? viscous : f.elastic + viscous;
    f.slope = (compensated ? S(0.0) : f.elastic_slope) + damping * x.velocity_gain;
    f.by_rate = damping;
    f.work = f.elastic * x.rate;  // booked where a controller does it or would
    f.taken = damping * x.rate * x.rate;
    return f;
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.stiffness, s.damping, s.rest, s.compensated);
  }
};
using SpringDamper = SpringDamperOf<double>;

/// A virtual spring and damper to a target y(t): k (x - y) + c (x' - y'). The damper takes c (x' - y')^2; work
/// is done by the spring, and by the damper at a target that moves. A law that does not act itself says what its
/// work would be, all in one.
struct HoldLaw {
  double stiffness = 0, damping = 0;
  Program target;
  bool acts = true;

  template <class S>
  LawEffortOf<S> between(const LawPairOf<S>& x) const {
    const MovingValue<S> y = along(target, x.time);
    const S slip = x.rate - y.rate;
    LawEffortOf<S> f;
    f.elastic = stiffness * (0.5 * (x.a + x.b) - y.value);
    f.elastic_slope = stiffness * x.kappa;
    f.effort = f.elastic + damping * slip;
    f.slope = f.elastic_slope + damping * x.velocity_gain;
    f.by_rate = damping;
    f.work = -(f.elastic * x.rate + damping * slip * y.rate);
    f.taken = damping * slip * slip;
    if (!acts) {
      f.work = f.work - f.taken;
      f.effort = S(0.0);
      f.slope = f.by_rate = 0;
    }
    return f;
  }
  template <class S>
  LawEffortOf<S> at(const S& x, const S& rate, const S& time) const {
    return between(LawPairOf<S>{x, x, rate, time, 1, 0});
  }
};

/// Of a tendon by its stretch e = l - l0: U = k/2 e^2, T = k e + c e'; tension_only: both vanish where e < 0,
/// and T is cut at 0. Between a taut and a slack end the damper acts on the share of the way that is taut.
template <class P>
struct TensionLawOf {
  P stiffness{}, damping{};
  bool tension_only = false;

  template <class S>
  MaskOf<S> is_slack(const S& stretch) const {
    return tension_only ? stretch < 0.0 : S(1.0) < 0.0;
  }
  template <class S>
  S potential(const S& stretch) const {
    return select(is_slack(stretch), S(0.0), S(0.5 * stiffness * stretch * stretch));
  }
  template <class S>
  S elastic(const S& stretch) const {
    return select(is_slack(stretch), S(0.0), S(stiffness * stretch));
  }
  template <class S>
  S tension(const S& stretch, const S& rate) const {
    const S T = stiffness * stretch + damping * rate;
    const MaskOf<S> hangs = is_slack(stretch), pushes = is_slack(T);
    return select(MaskOf<S>(hangs | pushes), S(0.0), T);
  }

  ElasticAtOf<P> elastic_at(const P& stretch) const {
    const MaskOf<P> slack = tension_only ? stretch <= 0.0 : !all_lanes<P>();
    return {select(slack, P(0.0), stiffness * stretch), select(slack, P(0.0), stiffness)};
  }

  [[gnu::always_inline]] LawEffortOf<P> between(const LawPairOf<P>& x) const {
    using std::abs, std::max;
    LawEffortOf<P> f;
    // Of a state both values are one, but for rounding, which must not lie on both sides of 0.
    const P k = stiffness, &a = x.kappa == 1 ? x.b : x.a, &b = x.b;
    P taut(1.0), d_taut(0.0);  // the share of the way on which it is taut
    const MaskOf<P> is_taut = tension_only ? MaskOf<P>((a >= 0.0) & (b >= 0.0)) : all_lanes<P>();
    const MaskOf<P> is_slack = (!is_taut) & (a <= 0.0) & (b <= 0.0);
    if (may_skip(is_slack)) return f;
    f.elastic = 0.5 * k * (a + b);
    f.elastic_slope = k * x.kappa;
    if (!all(is_taut)) {
      const P change = b - a, e_a = max(a, P(0.0)), e_b = max(b, P(0.0));
      const P part = 0.5 * k * (e_a + e_b) * ((e_b - e_a) / change);
      const P share = (e_a + e_b) / abs(change);
      taut = select(is_taut, taut, share);
      d_taut = select(is_taut, d_taut, select(b > a, 1 - share, share) / abs(change));
      f.elastic_slope = select(is_taut, f.elastic_slope, (k * e_b - part) / change);
      f.elastic = select(is_taut, f.elastic, part);
    }
    const P viscous = damping * x.rate;
    f.effort = f.elastic + taut * viscous;
    f.by_rate = damping * taut;
    f.slope = f.elastic_slope + (damping * taut * x.velocity_gain + viscous * d_taut);
    if (tension_only) {
      const MaskOf<P> pushes = is_slack | (f.effort < 0.0);
      for (P* part : {&f.effort, &f.slope, &f.by_rate}) *part = select(pushes, P(0.0), *part);
      for (P* part : {&f.elastic, &f.elastic_slope}) *part = select(is_slack, P(0.0), *part);
    }
    f.taken = (f.effort - f.elastic) * x.rate;
    return f;
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.stiffness, s.damping, s.tension_only);
  }
};
using TensionLaw = TensionLawOf<double>;

/// The same with a motor that pulls beside it, T_m(t), and where the rest length l0 is wound: the rate of the pair is
/// e'. Motor and winch do the work -T_m l' - T l0'.
template <class P>
struct DrivenTensionOf {
  TensionLawOf<P> passive;
  ProgramOf<P> motor{};

  P potential(const P& stretch) const { return passive.potential(stretch); }
  ElasticAtOf<P> elastic_at(const P& stretch) const { return passive.elastic_at(stretch); }
  P tension(const P& stretch, const P& rate, double time) const {
    return passive.tension(stretch, rate) + motor.value(time);
  }
  LawEffortOf<P> between(const LawPairOf<P>& x) const {
    LawEffortOf<P> f = passive.between(x);
    const P pull = motor.value(x.time);
    f.work = -(f.effort * x.rest_rate + pull * (x.rate + x.rest_rate));
    f.effort += pull;
    return f;
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.passive, s.motor);
  }
};
using DrivenTension = DrivenTensionOf<double>;

/// What a stop does at a state: its effort against the coordinate, and what its damper takes.
template <class S>
struct StopPush {
  S effort, taken;
};

/// Of a stop at a bound of a coordinate x, by the overshoot e = side (x - bound): nothing before it, beyond it
/// the law of a cord that pulls back, so that the effort never holds a coordinate that leaves.
template <class P>
struct StopLawOf {
  P bound{};
  double side = 1;  ///< 1: an upper bound; -1: a lower one
  P stiffness{}, damping{};

  TensionLawOf<P> contact() const { return {stiffness, damping, true}; }
  template <class S>
  S overshoot(const S& x) const {
    return side * (x - bound);
  }
  template <class S>
  S potential(const S& x) const {
    return contact().potential(overshoot(x));
  }
  ElasticAtOf<P> elastic_at(const P& x) const {
    const ElasticAtOf<P> in = contact().elastic_at(overshoot(x));
    return {side * in.effort, in.slope};
  }
  /// While it is held, `touches` says whether it touches, whatever the overshoot.
  template <class S>
  StopPush<S> at(const S& x, const S& rate, const std::optional<bool>& touches = {}) const {
    const S beyond = overshoot(x), speed = side * rate;
    if (touches ? !*touches : beyond < 0.0) return {S(0.0), S(0.0)};
    const S elastic = stiffness * beyond, push = elastic + damping * speed;
    const S T = push < 0.0 ? S(0.0) : push;
    return {side * T, (T - elastic) * speed};
  }
  LawEffortOf<P> between(const LawPairOf<P>& x) const {
    LawEffortOf<P> f =
        contact().between({overshoot(x.a), overshoot(x.b), side * x.rate, x.time, x.kappa, x.velocity_gain});
    f.elastic *= side;
    f.effort *= side;
    return f;
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.bound, s.side, s.stiffness, s.damping);
  }
};
using StopLaw = StopLawOf<double>;

/// Of friction by a rate v alone, smooth through rest, with the sign of v: it never gives energy, whatever
/// the step.
///   effort = b v + (F_c + (F_s - F_c) exp(-(v / v_s)^2)) v / sqrt(v^2 + v_0^2)
template <class P>
struct FrictionLawOf {
  P coulomb{0.0};            ///< F_c >= 0 [N m, N]
  P viscous{0.0};            ///< b >= 0 [N m s/rad, N s/m]
  P breakaway{0.0};          ///< F_s >= 0: near rest (Stribeck)
  P stribeck_velocity{1.0};  ///< v_s > 0 [rad/s, m/s]: how far that reaches
  P smooth_velocity{0.01};   ///< v_0 > 0 [rad/s, m/s]: below it friction creeps instead of holding

  bool vanishes() const requires std::same_as<P, double> {
    return coulomb == 0 && viscous == 0 && breakaway == 0;
  }
  template <class S>
  S effort(const S& v) const {
    using std::exp, std::sqrt;
    const S far = (1 / stribeck_velocity) * v;
    const S dry = coulomb + (breakaway - coulomb) * exp(-far * far);
    return viscous * v + dry * v / sqrt(v * v + smooth_velocity * smooth_velocity);
  }
  P slope(const P& v) const {
    using std::exp, std::hypot;
    const P far = v / stribeck_velocity, peak = (breakaway - coulomb) * exp(-far * far);
    const P size = hypot(v, smooth_velocity), cosine = smooth_velocity / size;
    return viscous + (coulomb + peak) * cosine * cosine / size -
           peak * (2 * far / stribeck_velocity) * (v / size);
  }
  LawEffortOf<P> between(const LawPairOf<P>& x) const {
    LawEffortOf<P> f;
    f.effort = effort(x.rate);
    f.by_rate = slope(x.rate);
    f.slope = f.by_rate * x.velocity_gain;
    f.taken = f.effort * x.rate;
    return f;
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.coulomb, s.viscous, s.breakaway, s.stribeck_velocity, s.smooth_velocity);
  }
};
using FrictionLaw = FrictionLawOf<double>;

/// U = k/2 angle^2 of a rotation, as a law of its trace w = 1 + 2 cos angle: effort dU/dw. The pair has the
/// angles, but the rate of w. Without differences
///   (U_b - U_a) / (w_b - w_a) = -(k/2) f((b + a)/2) f((b - a)/2),  f(z) = z / sin z.
template <class P>
struct LogLawOf {
  P stiffness{};
  bool compensated = false;

  P potential(const P& angle) const { return 0.5 * stiffness * angle * angle; }
  LawEffortOf<P> between(const LawPairOf<P>& x) const {
    using std::max, std::sin;
    LawEffortOf<P> f;
    f.elastic = -0.5 * stiffness * over_sine(0.5 * (x.b + x.a)) * over_sine(0.5 * (x.b - x.a));
    f.work = f.elastic * x.rate;
    if (compensated) return f;
    f.effort = f.elastic;
    // d effort / d w_b = (d effort / d b) / (-2 sin b): smooth in w_b, though both vanish with b.
    const P at = max(x.b, P(1e-3)), from = x.kappa == 1 ? at : x.a;
    const P mean = 0.5 * (at + from), half = 0.5 * (at - from);
    const P by_angle = -0.5 * stiffness * x.kappa *
                       (over_sine_slope(mean) * over_sine(half) + over_sine(mean) * over_sine_slope(half));
    f.slope = f.elastic_slope = by_angle / (-2 * sin(at));
    return f;
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.stiffness, s.compensated);
  }
};
using LogLaw = LogLawOf<double>;

}  // namespace torsor
