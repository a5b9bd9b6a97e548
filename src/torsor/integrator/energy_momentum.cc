#include "torsor/integrator/energy_momentum.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "torsor/base/compensated_sum.h"
#include "torsor/base/norm.h"
#include "torsor/base/pack_math.h"

namespace torsor {
namespace {

/// Of guesses. From 4 to 8, steps of a chain of 64 balls take 2.1 iterations instead of 3; from 8 to 12 nothing is won.
constexpr int kMostDegree = 8;
/// Most steps take one or two iterations. Those of so many may have met a singular position.
constexpr int kMany = 3;
/// Of the largest measure of the loops so far: below it a singular position may be near.
constexpr double kNear = 0.5;
/// Work of what is left of the equations, over the largest kinetic energy so far. Where loops fold, rounding makes some
/// 1e-13 of it.
constexpr double kMostWork = 1e-11;
/// Of the largest measure of the loops so far: in whole steps, only below it is the work of rounding computed, which takes two
/// energies.
constexpr double kFolded = 0.01;
/// Work of rounding in a step, over the largest kinetic energy. Less may be the rounding of the energies themselves.
constexpr double kLeastReturned = 1e-12;
/// The same over twice the kinetic energy. More is not rounding: in all of 10,000 steps a lift of 600 crosses returns 5e-9.
constexpr double kMostReturned = 1e-5;

ConstrainedState with_lost_parts(ConstrainedState state) {
  state.x_lost.resize(state.x.size());
  state.v_lost.resize(state.v.size());
  return state;
}

/// x / h. Divisions are slow: a product with 1 / h and what it leaves, by a fused one, are as exact.
template <class S>
S quotient(const S& x, double h, double over_h) {
  using std::fma;
  const S q = over_h * x;
  return fma(fma(S(-q), S(h), x), S(over_h), q);
}

/// Compensated sums, in these lanes alone.
template <class S>
void add_where(const MaskOf<S>& lanes, std::span<const S> terms, std::span<S> sums, std::span<S> lost) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    S sum = sums[i], rest = lost[i];
    add_exactly(terms[i], sum, rest);
    sums[i] = select(lanes, sum, sums[i]);
    lost[i] = select(lanes, rest, lost[i]);
  }
}

}  // namespace

template <class S>
EnergyMomentumScheme<S>::EnergyMomentumScheme(StepEquationsOf<S>& equations,
                                              const ConstrainedNewtonSettings& settings, int elastic_points,
                                              std::size_t flow_count, std::vector<FreeAxisOf<S>> free_axes)
    : unknowns(equations.unknown_count()),
      history(unknowns.size(), kMostDegree, equations.weights()),
      settings_(settings),
      elastic_rule_(gauss_rule(elastic_points)),
      equations_(equations),
      newton_(equations.unknown_count()),
      start_(std::move(free_axes), equations.coordinate_count()),
      guess_(unknowns.size()),
      dx_(equations.coordinate_count()),
      x_(dx_.size()),
      w_(dx_.size()),
      mean_velocity_(dx_.size()),
      dz_(flow_count),
      left_(unknowns.size()) {}

template <class S>
void EnergyMomentumScheme<S>::restart(std::vector<FreeAxisOf<S>> free_axes) {
  std::fill(unknowns.begin(), unknowns.end(), S(0.0));
  history.restart(equations_.weights());
  start_ = NearPositionsOf<S>(std::move(free_axes), equations_.coordinate_count());
  report = {};
  last_h = 0;
  most_loops = most_energy = S(0.0);
}

/// Extends the unknowns of the last steps; a new step size starts from the velocity.
template <class S>
void EnergyMomentumScheme<S>::predict(double h, const ConstrainedStateOf<S>& state) {
  if (std::abs(h - last_h) > 1e-9 * h) {  // the last step of a run differs by rounding
    history.forget();
    std::fill(unknowns.begin(), unknowns.end(), S(0.0));
    last_h = h;
  }
  const MaskOf<S> few = history.steps() < 3.0;
  if (any(few)) equations_.set_increments(start_.x(), state.v, h, unknowns);
  if (all(few)) return;
  if constexpr (std::same_as<S, double>) {
    history.predict(unknowns);
  } else {
    std::copy(unknowns.begin(), unknowns.end(), guess_.begin());
    history.predict(unknowns);
    for (std::size_t i = 0; i < guess_.size(); ++i) unknowns[i] = select(few, guess_[i], unknowns[i]);
  }
}

template <class S>
void EnergyMomentumScheme<S>::set_mean_velocity(double h, std::span<const S> of_unknowns) {
  equations_.retract(start_.x(), of_unknowns, dx_, x_);
  const double per_second = 1 / h;
  for (std::size_t i = 0; i < dx_.size(); ++i) mean_velocity_[i] = quotient(dx_[i], h, per_second);
}

template <class S>
void EnergyMomentumScheme<S>::set_motion(double h, const ConstrainedStateOf<S>& state,
                                         std::span<const S> of_unknowns) {
  using std::fma;
  const std::span<const S> x = start_.x(), lost = start_.lost();
  equations_.retract(x, of_unknowns, dx_, x_);
  const double per_second = 1 / h;
  for (std::size_t i = 0; i < dx_.size(); ++i) {
    x_[i] = x[i] + (dx_[i] + lost[i]);
    w_[i] = fma(S(-h), state.v[i], dx_[i]) - h * state.v_lost[i];  // (1)
    mean_velocity_[i] = quotient(dx_[i], h, per_second);
  }
}

/// By (5) the energy changes by 2 / h^2 (eta . r + sigma lambda . (g(x_1) - g(x_0))) where the residual r of the motion
/// and the constraints g are not zero.
template <class S>
S EnergyMomentumScheme<S>::work_left(double h, const ConstrainedStateOf<S>& state) {
  std::vector<S>& multipliers = guess_;
  multipliers = unknowns;
  std::fill(mean_velocity_.begin(), mean_velocity_.end(), S(0.0));
  equations_.set_increments(start_.x(), mean_velocity_, h, multipliers);
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = start_.x()[i] + start_.lost()[i];
  const double end_time = std::exchange(point_.end_time, point_.start_time);
  equations_.residual(point_, multipliers, left_);
  point_.end_time = end_time;
  S work(0.0);
  for (std::size_t i = 0; i < left_.size(); ++i) work -= multipliers[i] * left_[i];

  set_motion(h, state, unknowns);
  equations_.residual(point_, unknowns, left_);
  for (std::size_t i = 0; i < left_.size(); ++i) work += unknowns[i] * left_[i];
  return work;
}

template <class S>
MaskOf<S> EnergyMomentumScheme<S>::near_singular(const ConstrainedStateOf<S>& state, const S& loops,
                                                 const Mask& asked) {
  const Mask watched = asked & (loops < 1.0);
  if (!any(watched)) return watched;
  most_loops = select(watched, S(larger(most_loops, loops)), most_loops);
  most_energy = select(watched, S(larger(most_energy, equations_.kinetic_energy(state.v))), most_energy);
  return watched & (loops < kNear * most_loops);
}

/// In a singular position multipliers may be as large as they like, and corrections, which are lengths and turns, do not
/// tell whether a solution has been found: in a fold of a lattice, one of 5e-12 left 1e-3 of the energy.
template <class S>
MaskOf<S> EnergyMomentumScheme<S>::losing(double h, const ConstrainedStateOf<S>& state, const Mask& lanes) {
  const Mask unsure = lanes & (report.iterations >= kMany);
  if (!any(unsure)) return unsure;
  const S work = work_left(h, state), most = 0.5 * h * h * leniency * kMostWork * most_energy;
  return unsure & (!((work <= most) & (-work <= most)));
}

/// (1) in two doubles. By w it would be v_0 + 2 w / h; but a factor 2 / h rounds alike in all steps, and at coarse
/// steps, where v may turn about in each, w is larger than dx. Both would be a trend in the energy.
template <class S>
void EnergyMomentumScheme<S>::advance_velocity(double h, ConstrainedStateOf<S>& state, const Mask& lanes) {
  using std::fma;
  const double per_second = 1 / h;
  for (std::size_t i = 0; i < dx_.size(); ++i) {
    const S mean = mean_velocity_[i],
            rest = fma(-mean, S(h), dx_[i]) * per_second;  // dx / h is the sum of both
    S lost, v_lost;
    const S v = exact_sum(S(2 * mean), -state.v[i], lost);
    state.v[i] = select(lanes, exact_sum(v, lost + (2 * rest - state.v_lost[i]), v_lost), state.v[i]);
    state.v_lost[i] = select(lanes, v_lost, state.v_lost[i]);
  }
}

template <class S>
MaskOf<S> EnergyMomentumScheme<S>::advance(double h, const Clock& clock, ConstrainedStateOf<S>& state,
                                           const S& loops, const Mask& asked) {
  point_.time = clock.time() + 0.5 * h;
  point_.start_time = state.time;
  point_.end_time = clock.after(h);
  start_.set(state.x, state.x_lost);
  point_.x_a = start_.x();
  point_.x_b = x_;
  point_.angles = state.angles;
  point_.w = w_;
  point_.velocity = mean_velocity_;
  point_.velocity_gain = 1 / h;
  point_.kappa = 0.5;
  point_.force_gain = 0.5 * h * h;
  point_.elastic_rule = elastic_rule_;
  point_.z = state.z;
  point_.begin = clock.time();
  point_.step = h;
  point_.same_start = false;

  const Mask near = near_singular(state, loops, asked);
  predict(h, state);
  report = newton_.solve(
      equations_, unknowns, settings_,
      [&](std::span<const S> trial, std::span<S> r) -> const auto& {
        set_motion(h, state, trial);
        equations_.residual(point_, trial, r);
        point_.same_start = true;
        return point_;
      },
      asked);
  refused = losing(h, state, report.converged & near);
  report.converged = report.converged & (!refused);
  if (!any(report.converged)) return report.converged;

  if (dz_.empty()) {
    set_mean_velocity(h, unknowns);
  } else {
    set_motion(h, state, unknowns);
    std::fill(dz_.begin(), dz_.end(), S(0.0));
    point_.same_start = false;
    equations_.add_flows(point_, unknowns, h, dz_);
  }
  const MaskOf<S> finite = report.converged & all_finite<S>(mean_velocity_) & all_finite<S>(dz_);
  if (!any(finite)) return finite;
  add_where<S>(finite, dz_, state.z, state.lost);
  advance_velocity(h, state, finite);
  add_where<S>(finite, dx_, state.x, state.x_lost);
  history.remember(unknowns);
  return finite;
}

template class EnergyMomentumScheme<double>;
template class EnergyMomentumScheme<Pack<4>>;
template class EnergyMomentumScheme<Pack<8>>;

EnergyMomentum::EnergyMomentum(ConstrainedSystem& system, ConstrainedState initial,
                               const ConstrainedNewtonSettings& settings, int elastic_points)
    : PartedIntegrator(system, with_lost_parts(std::move(initial))),
      system_(system),
      scheme_(system, settings, elastic_points, state_.z.size(), system.free_axes()),
      dz_(state_.z.size()) {}

void EnergyMomentum::restart(ConstrainedState initial) {
  start_at(with_lost_parts(std::move(initial)));
  report_ = {};
  scheme_.restart(system_.free_axes());
}

void EnergyMomentum::forget() {
  scheme_.history.forget();
  scheme_.last_h = 0;
}

bool EnergyMomentum::returns_energy(double loops) const {
  // In a large lattice rounding may hide a fold from the measure; but there steps are seldom found as a whole.
  const double most = in_parts_ ? kNear : kFolded;
  return loops < most * scheme_.most_loops && scheme_.elastic_points() == 0 && system_.may_scale_rates();
}

double EnergyMomentum::balance() {
  system_.hold_states(state_.z);
  return system_.balance(state_.time, state_.x, state_.v, state_.angles, state_.z);
}

/// By a fold multipliers are as large as they like, and rounding of the constraints does work against them. How much, the
/// energies of both states know far better than the residual. Rates that are scaled by a number near 1 still satisfy the
/// constraints, whose rates are linear in them.
void EnergyMomentum::return_energy(double before) {
  const double lost = before - balance(), twice = 2 * system_.kinetic_energy(state_.v);
  if (!(std::abs(lost) > kLeastReturned * scheme_.most_energy && std::abs(lost) <= kMostReturned * twice))
    return;
  const double factor = lost / twice;
  for (std::size_t i = 0; i < state_.v.size(); ++i)
    add_exactly(factor * state_.v[i], state_.v[i], state_.v_lost[i]);
  state_.returned += std::abs(lost);
}

bool EnergyMomentum::try_step(double h) {
  const double loops = begin_step();
  const bool is_folded = returns_energy(loops);
  const double before = is_folded ? balance() : 0;
  scheme_.leniency = leniency_;
  const bool found = scheme_.advance(h, clock_, state_, loops);
  has_refused_ = has_refused_ || scheme_.refused;
  report_ = scheme_.report;
  evaluations_ += report_.evaluations;
  solver_.iterations += report_.iterations;
  solver_.residual = report_.correction;
  if (!found) return false;
  states_.settle(state_.x, state_.x_lost, state_.angles);
  clock_.advance(h);
  state_.time = clock_.time();
  std::fill(dz_.begin(), dz_.end(), 0.0);
  system_.lead_rates(state_.time, state_.x, state_.angles, state_.v, state_.v_lost, dz_);
  add_compensated<double>(dz_, state_.z, state_.lost);
  if (is_folded && report_.iterations >= kMany) return_energy(before);
  return true;
}

}  // namespace torsor
