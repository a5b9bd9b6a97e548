#include "torsor/integrator/dopri5.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/base/norm.h"

namespace torsor {
namespace {

using Weights = std::array<double, kMaxStages>;

/// Order 5 minus the embedded order 4.
constexpr Weights kError{71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                         -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
constexpr Weights kDense{-12715105075.0 / 11282082432,  0,
                         87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                         701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                         69997945.0 / 29380423};

// Step control of Hairer's code: safety, the exponents of the PI controller, bounds of one change.
constexpr double kSafety = 0.9, kBeta = 0.04, kExponent = 0.2 - 0.75 * kBeta;
constexpr double kShrink = 0.2, kGrow = 10;

void copy_state(const TreeState& from, TreeState& to) {
  to.time = from.time;
  std::copy(from.q.begin(), from.q.end(), to.q.begin());
  std::copy(from.v.begin(), from.v.end(), to.v.begin());
  std::copy(from.z.begin(), from.z.end(), to.z.begin());
}

}  // namespace

Dopri5::Dopri5(TreeSystem& system, TreeState initial, const Settings& settings)
    : TreeIntegrator(system, std::move(initial)),
      settings_(settings),
      stages_(system, system, kDormandPrince),
      clock_(state_.time),
      front_(state_),
      back_(state_),
      increment_(system.rate_count(), system.flow_count()),
      error_(increment_),
      known_(increment_),
      at_(increment_),
      dense3_(increment_),
      dense4_(increment_),
      dense5_(increment_),
      sides_(system),
      q_(system.coordinate_count()),
      switch_time_(state_.time) {
  sides_.settle(front_.q);
}

/// What was stepped ahead was stepped with forces of the past.
void Dopri5::expect_jump() {
  copy_state(state_, front_);
  copy_state(state_, back_);
  fresh_start_ = true;
  sides_.settle(front_.q);
  switch_time_ = front_.time;
}

void Dopri5::pass(StateTape& tape) {
  TreeIntegrator::pass(tape);
  tape(stages_, clock_, front_, back_, increment_, known_, dense3_, dense4_, dense5_);
  tape(h_, last_error_, started_, fresh_start_, accepted_, rejected_, sides_, switch_time_);
}

void Dopri5::step(double h) {
  const double target = clock_.after(h);
  {
    const SwitchSides::Hold hold(sides_);
    long attempts = 0;
    while (front_.time < target) advance(attempts);
  }
  clock_.advance(h);
  output_at(target);
  solver_ = {0, last_error_ * settings_.tolerance};
}

/// One inner step, with as many attempts as it takes.
void Dopri5::advance(long& attempts) {
  start();
  while (true) {
    bool on_breakpoint = false;
    const double end = propose_end(on_breakpoint);
    const double h = end - front_.time;
    if (!(h > 8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(front_.time), 1e-3))) {
      fail(h,
           "the tolerance asks for steps below rounding: the motion is no longer smooth (a tendon that "
           "snaps tight, a singular mass matrix); loosen the tolerance, or take a fixed-step method");
    }
    if (++attempts > settings_.max_attempts) {
      fail(h, "too many inner steps: the system is stiff; take implicit-midpoint, or loosen the tolerance");
    }
    const Interval times = inside(front_.time, end);
    for (int i = 1; i < kDormandPrince.stages; ++i) {
      stages_.evaluate_stage(i, times.at(kDormandPrince.c[i]), h, front_.q, front_.v, front_.z);
    }
    evaluations_ = stages_.evaluations();
    stages_.combine(h, kDormandPrince.b, increment_);
    stages_.combine(h, kError, error_);
    const double error = error_norm();
    if (error <= 1 && !sides_.empty() && is_switched(end)) continue;
    if (error <= 1) {
      const double factor = std::pow(error, kExponent) / std::pow(last_error_, kBeta) / kSafety;
      const double next = h / std::clamp(factor, 1 / kGrow, 1 / kShrink);
      h_ = on_breakpoint ? std::max(h_, next) : next;
      last_error_ = std::max(error, 1e-4);
      accept(end, on_breakpoint);
      return;
    }
    ++rejected_;
    h_ = std::isfinite(error) ? h * std::max(kShrink, kSafety / std::pow(error, kExponent)) : kShrink * h;
  }
}

/// The right-hand side at the front: known from the last stage of the step before, unless a program may jump.
void Dopri5::start() {
  if (fresh_start_) {
    stages_.evaluate_start(inside(front_.time, front_.time + 1).begin, front_.q, front_.v, front_.z);
    fresh_start_ = false;
  } else {
    stages_.reuse_start(front_.v, known_);
  }
  if (!started_) {
    known_ = stages_.k(0);
    h_ = first_step();
    started_ = true;
  }
}

/// Hairer, Norsett, Wanner (II.4.14): from the sizes of the first and second derivatives.
double Dopri5::first_step() {
  const double tolerance = settings_.tolerance;
  const double y = max_abs(front_.v) / (tolerance * (1 + max_abs(front_.v)));
  const double slope = larger(max_abs(front_.v), max_abs(known_.v())) / (tolerance * (1 + max_abs(front_.v)));
  const double trial = y < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * y / slope;
  stages_.evaluate_stage(1, front_.time, 5 * trial, front_.q, front_.v,
                         front_.z);  // a_21 = 1/5: an Euler step by trial
  double change = 0;
  for (std::size_t i = 0; i < front_.v.size(); ++i) {
    change = larger(change, std::abs(stages_.k(1).v()[i] - known_.v()[i]));
  }
  const double curvature = change / trial / (tolerance * (1 + max_abs(front_.v)));
  const double steepest = larger(slope, curvature);
  const double h = steepest <= 1e-15 ? std::max(1e-6, 1e-3 * trial) : std::pow(0.01 / steepest, 0.2);
  return std::isfinite(h) ? std::min(100 * trial, h) : trial;
}

double Dopri5::propose_end(bool& on_breakpoint) {
  double h = h_;
  if (settings_.max_step > 0) h = std::min(h, settings_.max_step);
  const std::vector<double>& kinks = manifold_.breakpoints();
  const auto next = std::upper_bound(kinks.begin(), kinks.end(), front_.time);
  // A remainder below a hundredth of the step is taken along.
  on_breakpoint = next != kinks.end() && front_.time + 1.01 * h >= *next;
  const double end = on_breakpoint ? *next : front_.time + h;
  if (!(switch_time_ > front_.time && switch_time_ <= front_.time + 1.01 * (end - front_.time))) return end;
  on_breakpoint = true;
  return switch_time_;
}

void Dopri5::change_sides() {
  sides_.change();
  switch_time_ = front_.time;
  fresh_start_ = true;
}

/// Whether a step within the tolerance has to be made again, since forces changed sides inside it.
bool Dopri5::is_switched(double end) {
  constexpr double kNear = SwitchSides::kNear;
  const bool lands = switch_time_ == end;
  const double share = lands ? 1 : sides_.mark_crossed(stages_.q()) ? first_switch(end - front_.time) : 2;
  if (share > 1) return false;
  if (share > 1 - kNear) {
    change_sides();
    return false;
  }
  if (share > kNear) {
    switch_time_ = front_.time + share * (end - front_.time);
  } else {  // it stood there, and turned back at once
    change_sides();
    start();
  }
  return true;
}

/// The share of the step at which the first switch changes its side, and which do there.
double Dopri5::first_switch(double h) {
  prepare_dense(h);
  const auto crosses = [&](double share) {
    interpolate(share);
    manifold_.retract(front_.q, at_.xi(), q_);
    return sides_.mark_crossed(q_);
  };
  double before = 0, after = 1;
  while (after - before > 1e-15) {
    const double middle = 0.5 * (before + after);
    (crosses(middle) ? after : before) = middle;
  }
  crosses(after);
  return after;
}

double Dopri5::error_norm() const {
  double worst = 0;
  const auto compare = [&](double error, double size) {
    const double ratio = std::abs(error) / (settings_.tolerance * (1 + size));
    keep_largest(worst, ratio);
  };
  const std::span<const double> xi = increment_.xi(), v = increment_.v();
  const std::span<const double> error_xi = error_.xi(), error_v = error_.v(), error_z = error_.z();
  for (std::size_t i = 0; i < v.size(); ++i) {
    compare(error_xi[i], std::abs(xi[i]));
    compare(error_v[i], larger(std::abs(front_.v[i]), std::abs(front_.v[i] + v[i])));
  }
  const std::size_t flows = front_.z.size() - manifold_.state_count();
  const double flow = max_abs(std::span(front_.z).first(flows));
  for (std::size_t i = 0; i < front_.z.size(); ++i) {
    compare(error_z[i], i < flows ? flow : std::abs(front_.z[i]));
  }
  return worst;
}

void Dopri5::accept(double end, bool on_breakpoint) {
  ++accepted_;
  prepare_dense(end - front_.time);
  copy_state(front_, back_);
  known_ = stages_.k(kDormandPrince.stages - 1);
  fresh_start_ = fresh_start_ || on_breakpoint;
  // The last stage stands at the end of the step.
  std::copy(stages_.q().begin(), stages_.q().end(), front_.q.begin());
  std::copy(stages_.v().begin(), stages_.v().end(), front_.v.begin());
  for (std::size_t i = 0; i < front_.z.size(); ++i) front_.z[i] += increment_.z()[i];
  front_.time = end;
}

void Dopri5::prepare_dense(double h) {
  stages_.combine(h, kDense, dense5_);
  const std::span<const double> first = stages_.k(0).all(), last = stages_.k(kDormandPrince.stages - 1).all();
  const std::span<double> difference = increment_.all(), dense3 = dense3_.all(), dense4 = dense4_.all();
  for (std::size_t i = 0; i < difference.size(); ++i) {
    dense3[i] = h * first[i] - difference[i];
    dense4[i] = difference[i] - h * last[i] - dense3[i];
  }
}

/// Hairer, Norsett, Wanner (II.6), contd5.
void Dopri5::interpolate(double s) {
  const std::span<const double> difference = increment_.all();
  const std::span<const double> dense3 = dense3_.all(), dense4 = dense4_.all(), dense5 = dense5_.all();
  const std::span<double> at = at_.all();
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double inner = dense4[i] + (1 - s) * dense5[i];
    at[i] = s * (difference[i] + (1 - s) * (dense3[i] + s * inner));
  }
}

void Dopri5::output_at(double t) {
  if (t >= front_.time) {
    copy_state(front_, state_);
  } else {
    interpolate((t - back_.time) / (front_.time - back_.time));
    manifold_.retract(back_.q, at_.xi(), state_.q);
    for (std::size_t i = 0; i < state_.v.size(); ++i) state_.v[i] = back_.v[i] + at_.v()[i];
    for (std::size_t i = 0; i < state_.z.size(); ++i) state_.z[i] = back_.z[i] + at_.z()[i];
  }
  state_.time = t;
}

void Dopri5::fail(double h, const std::string& advice) {
  if (front_.time > state_.time) {
    copy_state(front_, state_);
    clock_ = Clock(front_.time);
  }
  throw StepFailure(front_.time, h, last_error_ * settings_.tolerance, 0, advice);
}

}  // namespace torsor
