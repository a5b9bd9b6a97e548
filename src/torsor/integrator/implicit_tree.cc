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
  tape(needs_tangent_, last_, before_, earlier_, last_h_, history_);
  if (dense_) tape(*dense_);
}

RateSolver::RateSolver(int rates, const Policy& policy)
    : policy_(policy), x_(rates), last_(rates), before_(rates), earlier_(rates) {
  if (rates <= policy.dense_up_to) dense_ = std::make_unique<DenseNewton>(rates);
  if (rates > policy.large_above) large_ = std::make_unique<Anderson>(rates);
}

/// A new step size starts afresh.
void RateSolver::predict(double h, std::span<const double> guess) {
  if (std::abs(h - last_h_) > 1e-9 * h) {  // the last step of a run differs by rounding
    forget();
    if (dense_) dense_->forget();
    last_h_ = h;
  }
  for (std::size_t i = 0; i < x_.size(); ++i) {
    x_[i] = history_ == 0   ? guess[i]
            : history_ == 1 ? last_[i]
            : history_ == 2 ? 2 * last_[i] - before_[i]
                            : 3 * (last_[i] - before_[i]) + earlier_[i];
  }
}

void RateSolver::remember() {
  earlier_.swap(before_);
  before_.swap(last_);
  std::copy(x_.begin(), x_.end(), last_.begin());
  history_ = std::min(history_ + 1, policy_.degree + 1);
}

}  // namespace torsor
