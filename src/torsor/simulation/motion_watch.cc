#include "torsor/simulation/motion_watch.h"

#include <algorithm>
#include <cmath>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

constexpr double kResolved = 0.01, kCoarse = 0.1;           ///< errors in a radian of a swing, (2)
constexpr double kResolvedTurn = 0.02;                      ///< likewise of a turn
constexpr double kCoarseRate = 0.5, kUnresolvedRate = 2;    ///< of constraints, over speeds
constexpr double kResolvedPhase = 1.0, kCoarsePhase = 2.0;  ///< beyond, differences of speeds tell nothing
constexpr double kEqual = 1e-6;                             ///< steps that differ by less, relative

/// (2)
double error_in_a_radian(double phase, int order) {
  return 2 * std::pow(phase, order) / std::tgamma(order + 3.0);
}
double resolved_phase(int order) {
  return std::min(kResolvedPhase, std::pow(0.5 * kResolved * std::tgamma(order + 3.0), 1.0 / order));
}

MotionVerdict judge(double phase, int order, double resolved) {
  const double error = error_in_a_radian(phase, order);
  if (error <= resolved && phase <= kResolvedPhase) return MotionVerdict::resolved;
  return error <= kCoarse && phase <= kCoarsePhase ? MotionVerdict::coarse : MotionVerdict::unresolved;
}

/// The next below of 1, 2, 5 times a power of ten.
double round_step(double step) {
  const double power = std::pow(10.0, std::floor(std::log10(step)));
  for (const double digit : {5.0, 2.0}) {
    if (digit * power <= step) return digit * power;
  }
  return power;
}

}  // namespace

MotionWatch::MotionWatch(const Manifest& manifest)
    : names_(manifest.bodies),
      weights_(manifest.weights),
      last_(manifest.weights.size()),
      before_(manifest.weights.size()),
      order_(std::max(1, manifest.order)),
      turns_count_(manifest.formulation != "joint" || manifest.has_quaternions),
      controlled_to_(manifest.controlled_to) {}

void MotionWatch::feed(double time, std::span<const BodySpeed> speeds, double constraint_rate) {
  const double h = time - time_;
  const bool looked_at = looks();
  ++fed_;
  constraint_rate_ = larger(constraint_rate_, constraint_rate);
  if (!looked_at) {
    in_a_row_ = 0;
    time_ = time;
    return;
  }
  equal_ = in_a_row_ >= 2 && std::abs(h - step_) <= kEqual * h ? equal_ + 1 : 0;
  double size = 0, change = 0, bend = 0, turn = 0;
  std::size_t turning = 0;
  for (std::size_t b = 0; b < weights_.size(); ++b) {
    const auto& [mass, inertia] = weights_[b];
    const BodySpeed &now = speeds[b], &last = last_[b];
    BodySpeed& before = before_[b];
    const Vec3<double> dv = now.velocity - last.velocity, dw = now.angular_velocity - last.angular_velocity;
    const Vec3<double> ddv = dv - (last.velocity - before.velocity),
                       ddw = dw - (last.angular_velocity - before.angular_velocity);
    const double spin = dot(now.angular_velocity, now.angular_velocity);
    size += mass * dot(now.velocity, now.velocity) + inertia * spin;
    change += mass * dot(dv, dv) + inertia * dot(dw, dw);
    bend += mass * dot(ddv, ddv) + inertia * dot(ddw, ddw);
    if (spin > turn) turn = spin, turning = b;
    speed_ = larger({speed_, dot(now.velocity, now.velocity), mass > 0 ? inertia / mass * spin : 0});
    before = now;
  }
  last_.swap(before_);
  size_ = larger(size_, size);
  if (in_a_row_ > 0) {
    change_.raise(change, time);
    const double before = turn_.value;
    turn_.raise(turn * h * h, time);
    if (turn_.value > before) turning_ = turning;
    longest_ = std::max(longest_, h);
  }
  if (equal_ > 0) bend_.raise(bend, time - step_);
  time_ = time;
  step_ = h;
  ++in_a_row_;
}

void MotionWatch::pass(StateTape& tape) {
  tape(last_, before_, time_, step_, longest_, fed_, in_a_row_, equal_, size_, change_, bend_, turn_,
       turning_);
  tape(speed_, constraint_rate_);
  tape.require(turning_ == 0 || turning_ < names_.size(), "a body that it has not");
}

MotionIndicator MotionWatch::report(bool rests) const {
  MotionIndicator seen;
  seen.order = order_;
  seen.controlled_to = controlled_to_;
  if (size_ > 0) {
    seen.phase = 2 * std::asin(std::min(1.0, 0.5 * std::pow(bend_.value / size_, 0.25)));  // (1)
    seen.velocity_change = std::sqrt(change_.value / size_);
  }
  seen.phase_time = bend_.time;
  seen.turn = std::sqrt(turn_.value);
  seen.turn_time = turn_.time;
  if (!names_.empty()) seen.turn_body = names_[turning_];
  if (speed_ > 0) seen.constraint_rate = constraint_rate_ / std::sqrt(speed_);
  if (controlled_to_ > 0) {
    seen.verdict = MotionVerdict::controlled;
  } else if (!rests) {
    if (bend_.value > 0 && fed_ > 3) seen.verdict = judge(seen.phase, order_, kResolved);
    const auto worsen = [&](MotionVerdict other) {
      if (other > MotionVerdict::resolved) seen.verdict = std::max(seen.verdict, other);
    };
    if (turns_count_) worsen(judge(seen.turn, order_, kResolvedTurn));
    if (!(seen.constraint_rate <= kCoarseRate)) worsen(MotionVerdict::coarse);
    if (!(seen.constraint_rate <= kUnresolvedRate)) worsen(MotionVerdict::unresolved);
  }
  if (seen.verdict > MotionVerdict::resolved) {
    // A phase near pi may be any larger one; errors of rates shrink with h^2.
    const double phase = seen.phase > kCoarsePhase ? 10 * resolved_phase(order_) : seen.phase;
    const double by_rate =
        std::sqrt(std::min(1.0, 0.2 * kCoarseRate / std::max(seen.constraint_rate, 1e-300)));
    const double share = resolved_phase(order_) / std::max(phase, turns_count_ ? seen.turn : 0.0);
    seen.try_step = round_step(longest_ * std::min({0.5, share, by_rate}));
  }
  return seen;
}

}  // namespace torsor
