#pragma once
// Scalar laws: the effort of a spring, damper, tendon or hold by what it measures (a coordinate, a length, an
// angle) and its rate. A law knows no bodies; formulation/elements/ puts it on a measure.

#include <algorithm>
#include <cmath>
#include <optional>

#include "torsor/lie/series.h"
#include "torsor/model/program.h"

namespace torsor {

/// What a law sees of a step: values at its ends and the rate between them. A state is a pair of twice the
/// same value with kappa 1.
template <class S>
struct LawPairOf {
  S a{}, b{}, rate{};
  S time{0.0};               ///< at which programs are read
  double kappa = 0.5;        ///< share of b in the middle
  double velocity_gain = 0;  ///< d rate / d b
  double rest_rate = 0;      ///< of where the values are counted from, as far as the rate is counted from it
};
using LawPair = LawPairOf<double>;

/// What it answers: against the value, elastic (b - a) = U_b - U_a exactly.
template <class S>
struct LawEffortOf {
  S elastic{}, effort{};                ///< the latter with the damper
  double elastic_slope = 0, slope = 0;  ///< their derivatives by b
  double by_rate = 0;                   ///< derivative of the effort by the rate alone
  S work{}, taken{};                    ///< powers that the ledger books: of a source, of the damper
};
using LawEffort = LawEffortOf<double>;

/// The elastic part at one value, and its derivative.
struct ElasticAt {
  double effort = 0, slope = 0;
};

/// U = k/2 (x - rest)^2, effort dU/dx + c x'. A controller may do the work of the spring in its stead.
struct SpringDamper {
  double stiffness = 0, damping = 0, rest = 0;
  bool compensated = false;

  double potential(double x) const { return 0.5 * stiffness * (x - rest) * (x - rest); }
  LawEffort between(const LawPair& x) const {
    LawEffort f;
    f.elastic = stiffness * (0.5 * (x.a + x.b) - rest);
    f.elastic_slope = stiffness * x.kappa;
    const double viscous = damping * x.rate;
    f.effort = compensated ? viscous : f.elastic + viscous;
    f.slope = (compensated ? 0 : f.elastic_slope) + damping * x.velocity_gain;
    f.by_rate = damping;
    f.work = f.elastic * x.rate;  // booked where a controller does it or would
    f.taken = damping * x.rate * x.rate;
    return f;
  }
};

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
struct TensionLaw {
  double stiffness = 0, damping = 0;
  bool tension_only = false;

  template <class S>
  bool is_slack(const S& stretch) const {
    return tension_only && stretch < 0.0;
  }
  template <class S>
  S potential(const S& stretch) const {
    return is_slack(stretch) ? S(0.0) : 0.5 * stiffness * stretch * stretch;
  }
  template <class S>
  S elastic(const S& stretch) const {
    return is_slack(stretch) ? S(0.0) : stiffness * stretch;
  }
  template <class S>
  S tension(const S& stretch, const S& rate) const {
    if (is_slack(stretch)) return S(0.0);
    const S T = stiffness * stretch + damping * rate;
    return tension_only && T < 0.0 ? S(0.0) : T;
  }

  ElasticAt elastic_at(double stretch) const {
    if (tension_only && stretch <= 0) return {};
    return {stiffness * stretch, stiffness};
  }

  [[gnu::always_inline]] LawEffort between(const LawPair& x) const {
    LawEffort f;
    const double k = stiffness, a = x.a, b = x.b;
    double taut = 1, d_taut = 0;  // the share of the way on which it is taut
    if (!tension_only || (a >= 0 && b >= 0)) {
      f.elastic = 0.5 * k * (a + b);
      f.elastic_slope = k * x.kappa;
    } else if (a <= 0 && b <= 0) {
      return f;
    } else {
      const double change = b - a, e_a = std::max(a, 0.0), e_b = std::max(b, 0.0);
      f.elastic = 0.5 * k * (e_a + e_b) * ((e_b - e_a) / change);
      f.elastic_slope = (k * e_b - f.elastic) / change;
      taut = (e_a + e_b) / std::abs(change);
      d_taut = (b > a ? 1 - taut : taut) / std::abs(change);
    }
    const double viscous = damping * x.rate;
    f.effort = f.elastic + taut * viscous;
    f.by_rate = damping * taut;
    f.slope = f.elastic_slope + (damping * taut * x.velocity_gain + viscous * d_taut);
    if (tension_only && f.effort < 0) f.effort = f.slope = f.by_rate = 0;
    f.taken = (f.effort - f.elastic) * x.rate;
    return f;
  }
};

/// The same with a motor that pulls beside it, T_m(t), and where the rest length l0 is wound: the rate of the pair is
/// e'. Motor and winch do the work -T_m l' - T l0'.
struct DrivenTension {
  TensionLaw passive;
  Program motor{};

  double potential(double stretch) const { return passive.potential(stretch); }
  ElasticAt elastic_at(double stretch) const { return passive.elastic_at(stretch); }
  double tension(double stretch, double rate, double time) const {
    return passive.tension(stretch, rate) + motor.value(time);
  }
  LawEffort between(const LawPair& x) const {
    LawEffort f = passive.between(x);
    const double pull = motor.value(x.time);
    f.work = -(f.effort * x.rest_rate + pull * (x.rate + x.rest_rate));
    f.effort += pull;
    return f;
  }
};

/// What a stop does at a state: its effort against the coordinate, and what its damper takes.
template <class S>
struct StopPush {
  S effort, taken;
};

/// Of a stop at a bound of a coordinate x, by the overshoot e = side (x - bound): nothing before it, beyond it
/// the law of a cord that pulls back, so that the effort never holds a coordinate that leaves.
struct StopLaw {
  double bound = 0;
  double side = 1;  ///< 1: an upper bound; -1: a lower one
  double stiffness = 0, damping = 0;

  TensionLaw contact() const { return {stiffness, damping, true}; }
  template <class S>
  S overshoot(const S& x) const {
    return side * (x - bound);
  }
  template <class S>
  S potential(const S& x) const {
    return contact().potential(overshoot(x));
  }
  ElasticAt elastic_at(double x) const {
    const ElasticAt in = contact().elastic_at(overshoot(x));
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
  LawEffort between(const LawPair& x) const {
    LawEffort f =
        contact().between({overshoot(x.a), overshoot(x.b), side * x.rate, x.time, x.kappa, x.velocity_gain});
    f.elastic *= side;
    f.effort *= side;
    return f;
  }
};

/// Of friction by a rate v alone, smooth through rest, with the sign of v: it never gives energy, whatever
/// the step.
///   effort = b v + (F_c + (F_s - F_c) exp(-(v / v_s)^2)) v / sqrt(v^2 + v_0^2)
struct FrictionLaw {
  double coulomb = 0;             ///< F_c >= 0 [N m, N]
  double viscous = 0;             ///< b >= 0 [N m s/rad, N s/m]
  double breakaway = 0;           ///< F_s >= 0: near rest (Stribeck)
  double stribeck_velocity = 1;   ///< v_s > 0 [rad/s, m/s]: how far that reaches
  double smooth_velocity = 0.01;  ///< v_0 > 0 [rad/s, m/s]: below it friction creeps instead of holding

  bool vanishes() const { return coulomb == 0 && viscous == 0 && breakaway == 0; }
  template <class S>
  S effort(const S& v) const {
    using std::exp, std::sqrt;
    const S far = (1 / stribeck_velocity) * v;
    const S dry = coulomb + (breakaway - coulomb) * exp(-far * far);
    return viscous * v + dry * v / sqrt(v * v + smooth_velocity * smooth_velocity);
  }
  double slope(double v) const {
    const double far = v / stribeck_velocity, peak = (breakaway - coulomb) * std::exp(-far * far);
    const double size = std::hypot(v, smooth_velocity), cosine = smooth_velocity / size;
    return viscous + (coulomb + peak) * cosine * cosine / size -
           peak * (2 * far / stribeck_velocity) * (v / size);
  }
  LawEffort between(const LawPair& x) const {
    LawEffort f;
    f.effort = effort(x.rate);
    f.by_rate = slope(x.rate);
    f.slope = f.by_rate * x.velocity_gain;
    f.taken = f.effort * x.rate;
    return f;
  }
};

/// U = k/2 angle^2 of a rotation, as a law of its trace w = 1 + 2 cos angle: effort dU/dw. The pair has the
/// angles, but the rate of w. Without differences
///   (U_b - U_a) / (w_b - w_a) = -(k/2) f((b + a)/2) f((b - a)/2),  f(z) = z / sin z.
struct LogLaw {
  double stiffness = 0;
  bool compensated = false;

  double potential(double angle) const { return 0.5 * stiffness * angle * angle; }
  LawEffort between(const LawPair& x) const {
    LawEffort f;
    f.elastic = -0.5 * stiffness * over_sine(0.5 * (x.b + x.a)) * over_sine(0.5 * (x.b - x.a));
    f.work = f.elastic * x.rate;
    if (compensated) return f;
    f.effort = f.elastic;
    // d effort / d w_b = (d effort / d b) / (-2 sin b): smooth in w_b, though both vanish with b.
    const double at = std::max(x.b, 1e-3), from = x.kappa == 1 ? at : x.a;
    const double mean = 0.5 * (at + from), half = 0.5 * (at - from);
    const double by_angle =
        -0.5 * stiffness * x.kappa *
        (over_sine_slope(mean) * over_sine(half) + over_sine(mean) * over_sine_slope(half));
    f.slope = f.elastic_slope = by_angle / (-2 * std::sin(at));
    return f;
  }
};

}  // namespace torsor
