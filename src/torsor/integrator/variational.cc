#include "torsor/integrator/variational.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/base/norm.h"

namespace torsor {
namespace {

// Above it, articulated bodies in place of a tangent are faster; a tangent still helps those of middle size
// where forces are stiff.
constexpr int kDense = 30, kMostDense = 500;

}  // namespace

Variational::Variational(TreeSystem& system, TreeState initial, const Settings& settings)
    : TreeIntegrator(system, std::move(initial)),
      settings_(settings),
      clock_(state_.time),
      p_(system.rate_count()),
      w_(system.rate_count()),
      last_(system.rate_count()),
      before_(system.rate_count()),
      earlier_(system.rate_count()),
      p0_(system.rate_count()),
      p1_(system.rate_count()),
      xi_(system.rate_count()),
      q_(system.coordinate_count()),
      v_(system.rate_count()),
      power_(system.flow_count()) {
  const int n = system.rate_count();
  if (n <= kMostDense) dense_ = std::make_unique<DenseNewton>(n);
  if (n > kDense) large_ = std::make_unique<Anderson>(n);
  system_.momenta(state_.q, state_.v, p_);
}

/// Extends the rates of the last steps as a parabola; a new step size starts afresh.
void Variational::predict(double h) {
  if (std::abs(h - last_h_) > 1e-9 * h) {  // the last step of a run differs by rounding
    history_ = 0;
    if (dense_) dense_->forget();
    last_h_ = h;
  }
  for (std::size_t i = 0; i < w_.size(); ++i) {
    w_[i] = history_ == 0   ? state_.v[i]
            : history_ == 1 ? last_[i]
            : history_ == 2 ? 2 * last_[i] - before_[i]
                            : 3 * (last_[i] - before_[i]) + earlier_[i];
  }
}

void Variational::set_middle(const DiscreteStep& step, std::span<const double> w) {
  for (std::size_t i = 0; i < w.size(); ++i) xi_[i] = 0.5 * step.h * w[i];
  system_.retract(step.q0, xi_, q_);
}

/// The first of (2) times M^-1 at the middle: what its tangent multiplied with that is, the unit matrix up to
/// terms of order h, hardly changes from one step to the next.
void Variational::set_residual(const DiscreteStep& step, std::span<const double> w, std::span<double> r) {
  ++evaluations_;
  system_.discrete_momenta(step, w, p0_, p1_, power_);
  for (std::size_t i = 0; i < r.size(); ++i) p0_[i] -= p_[i];
  set_middle(step, w);
  system_.rates(q_, p0_, r);
}

void Variational::linearize(const DiscreteStep& step, std::span<const double> w, std::span<double> r,
                            std::span<double> J) {
  ++evaluations_;
  system_.discrete_tangent(step, w, p0_, J);
  for (std::size_t i = 0; i < r.size(); ++i) p0_[i] -= p_[i];
  set_middle(step, w);
  system_.rates(q_, p0_, r);
  for (std::size_t first = 0; first < J.size(); first += r.size()) {
    const std::span<double> column = J.subspan(first, r.size());
    system_.rates(q_, column, v_);
    std::copy(v_.begin(), v_.end(), column.begin());
  }
}

/// The rounding of momenta, seen in the rates: along a chain the momenta at its root are those of all links,
/// while the inertia that yields is that of one, so that w is known only to M^-1 (epsilon p).
NewtonSettings Variational::newton_settings(double h) {
  constexpr double kWellBelow = 0.01, kMargin = 64, kMost = 1e-5;
  for (std::size_t i = 0; i < p_.size(); ++i) {
    const double error = std::numeric_limits<double>::epsilon() * std::abs(p_[i]);
    xi_[i] = i % 2 == 0 ? error : -error;
  }
  system_.rates(state_.q, xi_, v_);
  NewtonSettings settings = settings_.newton;
  const double rounding = smaller(max_abs(v_) / rate_scale(h), kMost);
  settings.tolerance = larger(settings.tolerance, kWellBelow * rounding);
  settings.rounding_floor = larger(settings.rounding_floor, kMargin * rounding);
  return settings;
}

NewtonReport Variational::solve_dense(const DiscreteStep& step) {
  return dense_->solve(
      w_, rate_scale(step.h), newton_settings(step.h),
      [&](std::span<const double> w, std::span<double> r) { set_residual(step, w, r); },
      [&](std::span<const double> w, std::span<double> r, std::span<double> J) { linearize(step, w, r, J); });
}

NewtonReport Variational::solve_large(const DiscreteStep& step) {
  return large_->solve(w_, rate_scale(step.h), newton_settings(step.h),
                       [&](std::span<const double> w, std::span<double> r) { set_residual(step, w, r); });
}

/// Where articulated bodies do not get there, a tangent may; and where the extension of the last steps is no
/// guess, as after a kink, the rates of the state.
NewtonReport Variational::solve(const DiscreteStep& step) {
  NewtonReport report;
  for (const bool again : {false, true}) {
    if (again) history_ = 0;
    if (large_) {
      predict(step.h);
      report = solve_large(step);
      if (report.converged) return report;
    }
    if (dense_) {
      predict(step.h);
      report = solve_dense(step);
      if (report.converged) return report;
    }
  }
  return report;
}

void Variational::step(double h) {
  const double middle = inside(clock_.time(), clock_.after(h)).at(0.5);
  const DiscreteStep discrete{middle, h, state_.q, settings_.map};
  const NewtonReport report = solve(discrete);
  const auto fail = [&](const char* advice) {
    history_ = 0;
    throw StepFailure(clock_.time(), h, report.correction, report.iterations, advice);
  };
  if (!report.converged) {
    fail(std::isfinite(report.correction)
             ? "Newton's method does not converge: take a smaller step"
             : "a joint turns too far in the step, or has no mass to move: take a smaller step");
  }
  ++evaluations_;
  system_.discrete_momenta(discrete, w_, p0_, p1_, power_);
  for (std::size_t i = 0; i < w_.size(); ++i) {
    xi_[i] = h * w_[i];
    // What the step adds, not its end: what Newton left of p0 then does not gather in the momenta.
    p1_[i] = p_[i] + (p1_[i] - p0_[i]);  // (2)
  }
  system_.retract(state_.q, xi_, q_);  // (1)
  system_.rates(q_, p1_, v_);
  if (!all_finite(q_) || !all_finite(v_) || !all_finite(power_)) {
    fail("the state is no longer finite: take a smaller step");
  }

  state_.q.swap(q_);
  state_.v.swap(v_);
  p_.swap(p1_);
  for (std::size_t i = 0; i < state_.z.size(); ++i) state_.z[i] += h * power_[i];
  clock_.advance(h);
  state_.time = clock_.time();
  solver_ = {report.iterations, report.correction};
  earlier_.swap(before_);
  before_.swap(last_);
  last_.swap(w_);
  history_ = std::min(history_ + 1, 3);
}

}  // namespace torsor
