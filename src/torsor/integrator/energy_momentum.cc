#include "torsor/integrator/energy_momentum.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "torsor/base/compensated_sum.h"

namespace torsor {
namespace {

ConstrainedState with_lost_parts(ConstrainedState state) {
  state.x_lost.resize(state.x.size());
  state.v_lost.resize(state.v.size());
  return state;
}

}  // namespace

EnergyMomentum::EnergyMomentum(ConstrainedSystem& system, ConstrainedState initial,
                               const ConstrainedNewtonSettings& settings, int elastic_points)
    : PartedIntegrator(system, with_lost_parts(std::move(initial))),
      settings_(settings),
      elastic_rule_(gauss_rule(elastic_points)),
      equations_(system),
      servos_(system),
      newton_(system.unknown_count()),
      unknowns_(system.unknown_count()),
      history_(unknowns_.size()),
      dx_(system.coordinate_count()),
      x_(dx_.size()),
      w_(dx_.size()),
      mean_velocity_(dx_.size()),
      dz_(state_.z.size()) {}

void EnergyMomentum::forget() {
  history_.forget();
  last_h_ = 0;
}

/// Extends the unknowns of the last steps; a new step size starts from the velocity.
void EnergyMomentum::predict(double h) {
  if (std::abs(h - last_h_) > 1e-9 * h) {  // the last step of a run differs by rounding
    history_.forget();
    std::fill(unknowns_.begin(), unknowns_.end(), 0.0);
    last_h_ = h;
  }
  if (history_.steps() < 3) {
    equations_.set_increments(state_.x, state_.v, h, unknowns_);
    return;
  }
  history_.predict(unknowns_);
}

void EnergyMomentum::set_motion(double h, std::span<const double> unknowns) {
  equations_.retract(state_.x, unknowns, dx_, x_);
  for (std::size_t i = 0; i < dx_.size(); ++i) {
    x_[i] = state_.x[i] + (dx_[i] + state_.x_lost[i]);
    w_[i] = std::fma(-h, state_.v[i], dx_[i]) - h * state_.v_lost[i];  // (1)
    mean_velocity_[i] = dx_[i] / h;
  }
}

/// (1) in two doubles. By w it would be v_0 + 2 w / h; but a factor 2 / h rounds alike in all steps, and at coarse
/// steps, where v may turn about in each, w is larger than dx. Both would be a trend in the energy.
void EnergyMomentum::advance_velocity(double h) {
  const double per_second = 1 / h;
  for (std::size_t i = 0; i < dx_.size(); ++i) {
    const double mean = mean_velocity_[i],
                 rest = std::fma(-mean, h, dx_[i]) * per_second;  // dx / h is the sum of both
    double lost;
    const double v = exact_sum(2 * mean, -state_.v[i], lost);
    state_.v[i] = exact_sum(v, lost + (2 * rest - state_.v_lost[i]), state_.v_lost[i]);
  }
}

bool EnergyMomentum::try_step(double h) {
  begin_step();
  point_.time = clock_.time() + 0.5 * h;
  point_.start_time = state_.time;
  point_.end_time = clock_.after(h);
  point_.x_a = state_.x;
  point_.x_b = x_;
  point_.angles = state_.angles;
  point_.w = w_;
  point_.velocity = mean_velocity_;
  point_.velocity_gain = 1 / h;
  point_.kappa = 0.5;
  point_.force_gain = 0.5 * h * h;
  point_.elastic_rule = elastic_rule_;
  point_.z = state_.z;
  point_.begin = clock_.time();
  point_.step = h;
  point_.same_start = false;

  predict(h);
  report_ = newton_.solve(
      equations_, unknowns_,
      settings_, [&](std::span<const double> unknowns, std::span<double> r) -> const auto& {
        ++evaluations_;
        set_motion(h, unknowns);
        equations_.residual(point_, unknowns, r);
        point_.same_start = true;
        return point_;
      });
  solver_.iterations += report_.iterations;
  solver_.residual = report_.correction;
  if (!report_.converged) return false;

  set_motion(h, unknowns_);
  std::fill(dz_.begin(), dz_.end(), 0.0);
  point_.same_start = false;
  equations_.add_flows(point_, unknowns_, h, dz_);
  add_compensated(dz_, state_.z, state_.lost);
  advance_velocity(h);
  if (!all_finite(state_.v) || !all_finite(state_.z)) return false;
  add_compensated(dx_, state_.x, state_.x_lost);
  states_.settle(state_.x, state_.x_lost, state_.angles);
  clock_.advance(h);
  state_.time = clock_.time();
  std::fill(dz_.begin(), dz_.end(), 0.0);
  servos_.lead_rates(state_.time, state_.x, state_.angles, state_.v, state_.v_lost, dz_);
  add_compensated(dz_, state_.z, state_.lost);
  history_.remember(unknowns_, [&](std::span<const double> miss) { return equations_.size(miss); });
  return true;
}

}  // namespace torsor
