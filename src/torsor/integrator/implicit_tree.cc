#include "torsor/integrator/implicit_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "torsor/base/error.h"

namespace torsor {

ImplicitTreeIntegrator::ImplicitTreeIntegrator(const TreeManifold& manifold, TreeState initial)
    : TreeIntegrator(manifold, std::move(initial)), clock_(state_.time) {}

const char* ImplicitTreeIntegrator::advice(bool finite) const {
  return finite ? "Newton's method does not converge: take a smaller step"
                : "no finite acceleration: take a smaller step, and look for joints that carry no mass";
}

void ImplicitTreeIntegrator::take(double begin, double end, double h) {
  const Interval times = inside(begin, end);
  const NewtonReport report = solve(times, h);
  const auto fail = [&](const char* reason) {
    forget();
    throw StepFailure(begin, h, report.correction, report.iterations, reason);
  };
  if (!report.converged) fail(advice(std::isfinite(report.correction)));
  if (!complete(times, h)) fail("the state is no longer finite: take a smaller step");
  commit(times, h);
  state_.time = end;
  solver_ = {report.iterations, report.correction};
}

void ImplicitTreeIntegrator::step(double h) {
  take(clock_.time(), clock_.after(h), h);
  clock_.advance(h);
}

void ImplicitTreeIntegrator::pass(StateTape& tape) {
  TreeIntegrator::pass(tape);
  tape(clock_);
}

void RateSolver::pass(StateTape& tape) {
  tape(needs_tangent_, use_inverse_, history_, last_h_);
  tape.require(stiff_ || !use_inverse_, "no such solver");
  if (dense_) tape(*dense_);
}

RateSolver::RateSolver(int rates, const Policy& policy, const StageDynamics& system)
    : policy_(policy), x_(rates), history_(rates) {
  if (rates <= policy.dense_up_to) dense_ = std::make_unique<DenseNewton>(rates);
  if (rates <= policy.large_above) return;
  large_ = std::make_unique<Anderson>(rates);
  stiff_ = system.make_stiff_inverse(1);
  stiff_x_.resize(rates);
}

void RateSolver::apply_inverse(std::span<double> r) {
  std::copy(r.begin(), r.end(), stiff_x_.begin());
  stiff_->solve(0, stiff_x_);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = stiff_x_[i].re;
}

/// A new step size starts afresh.
void RateSolver::predict(double h, std::span<const double> guess) {
  if (std::abs(h - last_h_) > 1e-9 * h) {  // the last step of a run differs by rounding
    forget();
    if (dense_) dense_->forget();
    last_h_ = h;
  }
  if (history_.steps() == 0) {
    std::copy(guess.begin(), guess.end(), x_.begin());
  } else {
    history_.predict(x_);
  }
}

void RateSolver::remember() { history_.remember(x_); }

}  // namespace torsor
