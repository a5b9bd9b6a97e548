#include "torsor/integrator/generalized_alpha.h"

#include <cmath>
#include <utility>

#include "torsor/base/error.h"

namespace torsor {

GeneralizedAlpha::GeneralizedAlpha(ConstrainedSystem& system, ConstrainedState initial,
                                   const Settings& settings)
    : ConstrainedIntegrator(system, std::move(initial)),
      settings_(settings.newton),
      c_(settings.rho),
      equations_(system),
      dynamics_(system),
      servos_(system),
      newton_(system.unknown_count()),
      accelerations_(system.coordinate_count()),
      algorithmic_(accelerations_.size()),
      multipliers_(system.unknown_count()),
      unknowns_(multipliers_.size()),
      dx_(accelerations_.size()),
      x_(dx_.size()),
      w_(dx_.size()),
      v_(dx_.size()),
      a_(dx_.size()),
      z_(state_.z.size()),
      mean_velocity_(dx_.size()),
      mean_multipliers_(multipliers_.size()) {}

void GeneralizedAlpha::fail(double h, double residual, const char* advice) const {
  throw StepFailure(clock_.time(), h, residual, solver_.iterations, advice);
}

void GeneralizedAlpha::start(double time, double h) {
  states_.hold_states(state_.z);
  if (!dynamics_.accelerate(time, state_.x, state_.v, state_.angles, multipliers_, accelerations_)) {
    fail(h, 0,
         "no accelerations in this position, in which the mechanism is singular, or bodies without mass that "
         "nothing holds");
  }
  algorithmic_ = accelerations_;
  started_ = true;
}

/// Those of the last step are of its shares of efforts: the mean of both ends, by which flows are booked, would
/// be of first order. Taken anew with the shares of this step.
void GeneralizedAlpha::share_multipliers(double time, double h) {
  states_.hold_states(state_.z);
  if (!dynamics_.accelerate(time, state_.x, state_.v, state_.angles, multipliers_, a_)) {
    fail(h, 0, "no accelerations in this position, in which servos cannot lead their outputs");
  }
}

/// x_1, a_1, v_1 and sigma x''_1 for an increment.
void GeneralizedAlpha::set_motion(double h, std::span<const double> unknowns) {
  equations_.retract(state_.x, unknowns, dx_, x_);
  const double share = c_.beta * h * h, lag = share / (1 - c_.alpha_m);
  for (std::size_t i = 0; i < dx_.size(); ++i) {
    const double a_0 = algorithmic_[i];
    const double driven = dx_[i] - h * (state_.v[i] + h * (0.5 - c_.beta) * a_0);
    a_[i] = driven / share;                                                      // (1)
    v_[i] = state_.v[i] + h * ((1 - c_.gamma) * a_0 + c_.gamma * a_[i]);         // (1)
    w_[i] = driven + lag * (c_.alpha_m * a_0 - c_.alpha_f * accelerations_[i]);  // (2), (4)
  }
}

/// At the middle of the step, with the mean of the multipliers: of second order, like the motion.
void GeneralizedAlpha::add_flows(const Interval& times, double h) {
  const double per_force = 1 / gain(h);
  for (std::size_t i = 0; i < multipliers_.size(); ++i) {
    mean_multipliers_[i] = 0.5 * (multipliers_[i] + per_force * unknowns_[i]);
  }
  for (std::size_t i = 0; i < dx_.size(); ++i) mean_velocity_[i] = dx_[i] / h;
  ConstrainedPoint middle = point_;
  middle.time = times.at(0.5);
  middle.start_time = state_.time;
  middle.x_a = state_.x;
  middle.velocity = mean_velocity_;
  middle.velocity_gain = 1 / h;
  middle.kappa = 0.5;
  middle.force_gain = 1;
  z_ = state_.z;
  equations_.add_flows(middle, mean_multipliers_, h, z_);
}

void GeneralizedAlpha::step(double h) {
  solver_ = {};
  const double end = clock_.after(h);
  const Interval times = inside(states_.breakpoints(), clock_.time(), end);
  if (!started_) start(times.begin, h);
  if (servos_.shares_efforts()) share_multipliers(times.begin, h);
  begin_step();
  point_.time = times.end;
  point_.start_time = point_.end_time = end;
  point_.x_a = point_.x_b = x_;
  point_.angles = state_.angles;
  point_.w = w_;
  point_.velocity = v_;
  point_.velocity_gain = c_.gamma / (c_.beta * h);
  point_.kappa = 1;
  point_.force_gain = gain(h);
  point_.z = state_.z;
  point_.begin = times.begin;
  point_.step = h;

  const auto solve_from = [&](double share) {
    for (std::size_t i = 0; i < unknowns_.size(); ++i) unknowns_[i] = share * gain(h) * multipliers_[i];
    for (std::size_t i = 0; i < v_.size(); ++i) v_[i] = state_.v[i] + 0.5 * h * algorithmic_[i];
    equations_.set_increments(state_.x, v_, h, unknowns_);
    return newton_.solve(
        equations_, unknowns_,
        settings_, [&](std::span<const double> unknowns, std::span<double> r) -> const auto& {
          ++evaluations_;
          set_motion(h, unknowns);
          equations_.residual(point_, unknowns, r);
          return point_;
        });
  };
  ConstrainedNewton::Report report = solve_from(1);
  // By a singular position the multipliers of the last step may lead nowhere.
  if (!report.converged) report = solve_from(0);
  solver_.iterations = report.iterations;
  solver_.residual = report.correction;
  if (!report.converged) {
    fail(
        h, report.correction,
        "Newton's method does not converge: take a smaller step, or energy-momentum, and look for a position "
        "in which the mechanism is singular");
  }

  set_motion(h, unknowns_);
  add_flows(times, h);
  if (!all_finite(v_) || !all_finite(z_)) {
    fail(h, report.correction,
         "no finite step: take a smaller one, and look for bodies without mass that nothing holds");
  }
  const double per_force = 1 / gain(h);
  for (std::size_t i = 0; i < multipliers_.size(); ++i) multipliers_[i] = per_force * unknowns_[i];
  for (std::size_t i = 0; i < w_.size(); ++i) accelerations_[i] = per_force * w_[i];
  algorithmic_.swap(a_);
  state_.x.swap(x_);
  state_.v.swap(v_);
  state_.z.swap(z_);
  states_.settle(state_.x, {}, state_.angles);
  clock_.advance(h);
  state_.time = clock_.time();
  started_ = times.end == end;  // forces may jump at a breakpoint, and accelerations with them
}

}  // namespace torsor
