#include "torsor/integrator/petrov_galerkin.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace torsor {
namespace {

// The mean tangent is given up, and not tried for so many steps, where corrections shrink by less than the
// first: an exact one costs as much as some ten of its iterations, and takes two or three of its own.
constexpr double kSlow = 0.25;
constexpr int kRest = 5;
// Contractions are this share of the turns in a step or more, even if the first ones happen to be smaller.
constexpr double kTurnShare = 0.1;
// What is left has the sign of the guess's error, step after step: it must stay far below the rounding of the
// increments, or energy drifts by it.
constexpr double kLeft = 0.05;
// Corrections of so many roundings of the coordinates may be nothing else.
constexpr double kFloor = 10, kNoise = 500;

}  // namespace

PetrovGalerkin::PetrovGalerkin(ConstrainedSystem& system, ConstrainedState initial, const Settings& settings)
    : PartedIntegrator(system, std::move(initial)),
      settings_(settings.newton),
      basis_(settings.m, settings.constraint_points > 0 ? settings.constraint_points : settings.m + 1,
             settings.force_points > 0 ? settings.force_points : settings.m + 3),
      form_(system.make_weak_form(basis_)),
      newton_(basis_.stages() * (form_->coordinate_count() + form_->multiplier_count())),
      unknowns_(static_cast<std::size_t>(basis_.stages()) *
                (form_->coordinate_count() + form_->multiplier_count())),
      guess_(unknowns_.size()),
      last_(unknowns_.size()),
      before_last_(unknowns_.size()),
      r_(unknowns_.size()),
      x_0_(form_->coordinate_count()),
      v_0_(x_0_.size()),
      x_1_(x_0_.size()),
      v_1_(x_0_.size()),
      z_0_(state_.z),
      before_(state_) {}

/// Goes on with polynomials of the last steps, of the coordinates with one through both. Multipliers are less
/// regular: one step serves them better, and for m = 1, where the slope is not theirs, straight lines. Where
/// the mean tangent failed, the step may not resolve the motion, and two steps would tell less than one.
void PetrovGalerkin::predict(double h) {
  const int stages = basis_.stages(), n = form_->coordinate_count();
  if (h != last_h_) {  // from the velocity
    last_h_ = h;
    history_ = 0;
    std::fill(unknowns_.begin(), unknowns_.end(), 0.0);
    for (int i = 0; i < n; ++i) unknowns_[i] = h * v_0_[i];
    return;
  }
  const auto go_on = [&](int first, int count, int steps) {
    for (int j = 0; j < stages; ++j) {
      double* guess = &unknowns_[first + j * count];
      std::fill_n(guess, count, 0.0);
      for (int k = 0; k < stages * steps; ++k) {
        const double factor = steps == 1 ? basis_.continued(j, k) : basis_.continued_from_two(j, k);
        const double* from = &(k < stages ? last_ : before_last_)[first + k % stages * count];
        for (int i = 0; i < count; ++i) guess[i] += factor * from[i];
      }
    }
  };
  const int known = rest_ > 0 ? 1 : history_;
  go_on(0, n, known);
  if (stages == 2 && known == 2) {
    for (std::size_t i = stages * n; i < unknowns_.size(); ++i) unknowns_[i] = 2 * last_[i] - before_last_[i];
  } else {
    go_on(stages * n, form_->multiplier_count(), 1);
  }
}

const WeakStep& PetrovGalerkin::evaluate(std::span<const double> unknowns, std::span<double> r) {
  ++evaluations_;
  for (std::size_t i = 0; i < x_1_.size(); ++i) x_1_[i] = x_0_[i] + unknowns[i];
  form_->residual(step_, unknowns, r);
  return step_;
}

bool PetrovGalerkin::solve_on_mean() {
  report_ = {};
  std::copy(unknowns_.begin(), unknowns_.end(), guess_.begin());
  evaluate(unknowns_, r_);
  form_->factorise_mean(step_, unknowns_);
  const double rounding = form_->rounding(x_1_);
  double moved = 0, contraction = 1, before = 0, before_that = 0;
  bool settled = false;  // g(x(1)) has come down to rounding
  for (int& k = report_.iterations;; ++k) {
    form_->solve_mean(r_);
    form_->correct(r_, unknowns_);
    const double size = form_->size(r_), now = size / before;
    if (k == 0) moved = form_->size(unknowns_);
    // The first correction may be small beside what the multipliers have to change.
    if (k > 0 && !settled) contraction = k < 3 ? now : larger(now, before / before_that);
    const double left = size * larger(contraction, kTurnShare * moved);
    report_.correction = size;
    report_.converged = left <= kLeft * settings_.tolerance * moved || (settled && now > 0.5);
    if (report_.converged) return true;
    const bool rounded = size <= kNoise * rounding;
    settled = settled || size <= kFloor * rounding || (k > 0 && rounded && now > 0.5);
    const bool slow = !rounded && (k == 2 ? now > 1 : k > 2 && size > kSlow * kSlow * before_that);
    if (slow || !std::isfinite(size) || k == settings_.max_iterations) break;
    before_that = before;
    before = size;
    evaluate(unknowns_, r_);
    if (settled) form_->drop_values(r_);
  }
  std::copy(guess_.begin(), guess_.end(), unknowns_.begin());
  return false;
}

bool PetrovGalerkin::solve() {
  if (rest_ > 0) {
    --rest_;
  } else {
    const bool solved = solve_on_mean();
    solver_.iterations += report_.iterations;
    if (solved) return true;
    rest_ = kRest;
  }
  report_ = newton_.solve(*form_, unknowns_, settings_,
                          [&](std::span<const double> unknowns, std::span<double> r) -> const WeakStep& {
                            return evaluate(unknowns, r);
                          });
  solver_.iterations += report_.iterations;
  return report_.converged;
}

bool PetrovGalerkin::try_step(double h) {
  begin_step();
  if (!embedded_) form_->embed(state_.x, state_.v, x_0_, v_0_);
  embedded_ = false;
  z_0_ = state_.z;
  step_ = {clock_.time(), h, x_0_, v_0_, state_.angles, x_1_, z_0_};
  predict(h);
  const bool solved = solve();
  solver_.residual = report_.correction;
  if (!solved) return false;

  before_last_.swap(last_);
  std::copy(unknowns_.begin(), unknowns_.end(), last_.begin());
  history_ = std::min(history_ + 1, 2);
  form_->add_flows(step_, unknowns_, state_.z);
  const std::size_t n = x_1_.size();
  for (std::size_t i = 0; i < n; ++i) {
    x_1_[i] = x_0_[i] + unknowns_[i];
    double change = 0;
    for (int k = 0; k < basis_.stages(); ++k) change += basis_.end_rate(k) * unknowns_[k * n + i];
    v_1_[i] = change / h + basis_.start_rate() * v_0_[i];  // (4) of galerkin_basis.h
  }
  before_.x = state_.x;
  before_.v = state_.v;
  form_->project(x_1_, v_1_, state_.x, state_.v);
  x_0_.swap(x_1_);
  v_0_.swap(v_1_);
  if (!all_finite(state_.v) || !all_finite(state_.z)) {
    state_.x = before_.x;
    state_.v = before_.v;
    state_.z = z_0_;
    return false;
  }
  states_.settle(state_.x, {}, state_.angles);
  clock_.advance(h);
  state_.time = clock_.time();
  embedded_ = true;
  return true;
}

}  // namespace torsor
