#include "torsor/integrator/implicit_midpoint.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "torsor/base/error.h"

namespace torsor {

ImplicitMidpoint::ImplicitMidpoint(TreeSystem& system, TreeState initial, const NewtonSettings& newton)
    : TreeIntegrator(system, std::move(initial)),
      settings_(newton),
      newton_(system.rate_count()),
      clock_(state_.time),
      increment_(system.rate_count()),
      last_(system.rate_count()),
      before_last_(system.rate_count()),
      w_(system.rate_count()),
      xi_(system.rate_count()),
      q_(system.coordinate_count()),
      a_(system.rate_count()),
      p_(system.flow_count()) {}

/// Extends the increments of the last two steps in a straight line; a new step size starts afresh.
void ImplicitMidpoint::predict(double h) {
  if (h != last_h_) {
    history_ = 0;
    newton_.forget();
    last_h_ = h;
  }
  for (std::size_t i = 0; i < increment_.size(); ++i) {
    increment_[i] = history_ == 0 ? 0.0 : history_ == 1 ? last_[i] : 2 * last_[i] - before_last_[i];
  }
}

void ImplicitMidpoint::set_midpoint(double h, std::span<const double> increment) {
  for (std::size_t i = 0; i < w_.size(); ++i) {
    w_[i] = state_.v[i] + 0.5 * increment[i];  // (1)
    xi_[i] = 0.5 * h * w_[i];
  }
}

void ImplicitMidpoint::set_residual(double h, std::span<const double> increment,
                                    std::span<double> residual) const {
  for (std::size_t i = 0; i < increment.size(); ++i) residual[i] = increment[i] - h * a_[i];  // (3)
}

/// Leaves the increment of v in increment_.
NewtonReport ImplicitMidpoint::solve(double middle, double h) {
  const auto residual = [&](std::span<const double> x, std::span<double> r) {
    set_midpoint(h, x);
    system_.retract(state_.q, xi_, q_);
    evaluate(middle, q_, w_, a_, p_);
    set_residual(h, x, r);
  };
  const auto linearize = [&](std::span<const double> x, std::span<double> r, std::span<double> J) {
    set_midpoint(h, x);
    ++evaluations_;
    system_.evaluate_tangent(middle, state_.q, 0.5 * h, w_, a_, J);
    set_residual(h, x, r);
    const std::size_t n = x.size();
    for (double& entry : J) entry *= -0.5 * h;
    for (std::size_t i = 0; i < n; ++i) J[i * n + i] += 1;
  };
  return newton_.solve(increment_, rate_scale(h), settings_, residual, linearize);
}

void ImplicitMidpoint::step(double h) {
  const double middle = inside(clock_.time(), clock_.after(h)).at(0.5);
  predict(h);
  const NewtonReport report = solve(middle, h);
  const auto fail = [&](const char* advice) {
    history_ = 0;
    throw StepFailure(clock_.time(), h, report.correction, report.iterations, advice);
  };
  if (!report.converged) {
    fail(std::isfinite(report.correction)
             ? "Newton's method does not converge: take a smaller step"
             : "no finite acceleration: take a smaller step, and look for joints that carry no mass");
  }
  set_midpoint(h, increment_);
  if (!p_.empty()) {
    system_.retract(state_.q, xi_, q_);
    evaluate(middle, q_, w_, a_, p_);
  }
  for (std::size_t i = 0; i < xi_.size(); ++i) xi_[i] = h * w_[i];
  system_.retract(state_.q, xi_, q_);
  if (!all_finite(q_) || !all_finite(p_)) fail("the state is no longer finite: take a smaller step");

  state_.q.swap(q_);  // (2)
  for (std::size_t i = 0; i < state_.v.size(); ++i) state_.v[i] += increment_[i];
  for (std::size_t i = 0; i < state_.z.size(); ++i) state_.z[i] += h * p_[i];
  clock_.advance(h);
  state_.time = clock_.time();
  solver_ = {report.iterations, report.correction};
  before_last_.swap(last_);
  std::copy(increment_.begin(), increment_.end(), last_.begin());
  history_ = std::min(history_ + 1, 2);
}

}  // namespace torsor
