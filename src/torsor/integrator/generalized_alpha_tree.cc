#include "torsor/integrator/generalized_alpha_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "torsor/base/error.h"

namespace torsor {
namespace {

// A tangent is fastest up to the one, and takes 72 MB at the other.
constexpr int kDense = 30, kMostDense = 3000;

}  // namespace

TreeGeneralizedAlpha::TreeGeneralizedAlpha(TreeSystem& system, TreeState initial, const Settings& settings)
    : TreeIntegrator(system, std::move(initial)),
      settings_(settings.newton),
      c_(settings.rho),
      clock_(state_.time),
      accelerations_(system.rate_count()),
      algorithmic_(system.rate_count()),
      power_(system.flow_count()),
      increment_(system.rate_count()),
      last_(system.rate_count()),
      before_last_(system.rate_count()),
      xi_(system.rate_count()),
      q_(system.coordinate_count()),
      v_(system.rate_count()),
      a_(system.rate_count()),
      p_(system.flow_count()),
      back_(system.rate_count()),
      q_back_(system.coordinate_count()) {
  const int n = system.rate_count();
  if (n <= kMostDense) dense_ = std::make_unique<DenseNewton>(n);
  if (n > kDense) large_ = std::make_unique<Anderson>(n);
}

void TreeGeneralizedAlpha::pass(StateTape& tape) {
  TreeIntegrator::pass(tape);
  tape(clock_, stiff_, accelerations_, algorithmic_, power_, last_, before_last_, last_h_, history_,
       started_);
  if (dense_) tape(*dense_);
}

void TreeGeneralizedAlpha::start(double time) {
  evaluate(time, state_.q, state_.v, accelerations_, power_);
  std::copy(accelerations_.begin(), accelerations_.end(), algorithmic_.begin());
  history_ = 0;
  started_ = true;
}

/// Extends the increments of the last two steps in a straight line; a new step size starts afresh.
void TreeGeneralizedAlpha::predict(double h) {
  if (std::abs(h - last_h_) > 1e-9 * h) {  // the last step of a run differs by rounding
    history_ = 0;
    if (dense_) dense_->forget();
    last_h_ = h;
  }
  for (std::size_t i = 0; i < increment_.size(); ++i) {
    increment_[i] = history_ == 0 ? 0.0 : history_ == 1 ? last_[i] : 2 * last_[i] - before_last_[i];
  }
}

void TreeGeneralizedAlpha::set_motion(double h, std::span<const double> increment) {
  const double share = position_share(h);
  for (std::size_t i = 0; i < xi_.size(); ++i) {
    const double a_0 = algorithmic_[i], driven = increment[i] - h * (1 - c_.gamma) * a_0;
    xi_[i] = h * (state_.v[i] + h * (0.5 - c_.beta) * a_0) + share * driven;  // (1)
    v_[i] = state_.v[i] + increment[i];
  }
  system_.retract(state_.q, xi_, q_);
}

/// (2) with (3) and (4) in it.
void TreeGeneralizedAlpha::set_residual(double h, std::span<const double> increment,
                                        std::span<double> residual) const {
  const double share = acceleration_share(h), lag = c_.gamma * h / (1 - c_.alpha_m);
  for (std::size_t i = 0; i < increment.size(); ++i) {
    const double known = h * (1 - c_.gamma) * algorithmic_[i] +
                         lag * (c_.alpha_f * accelerations_[i] - c_.alpha_m * algorithmic_[i]);
    residual[i] = increment[i] - known - share * a_[i];
  }
}

void TreeGeneralizedAlpha::set_end(double end, double h, std::span<const double> increment,
                                   std::span<double> residual) {
  set_motion(h, increment);
  evaluate(end, q_, v_, a_, p_);
  set_residual(h, increment, residual);
}

NewtonReport TreeGeneralizedAlpha::solve_dense(double end, double h) {
  // q1 = q' exp(s v1) for a q' that is held: what exp of a sum is more than a product of two, the tangent
  // leaves out, a term of order h |v1| beside 1.
  const auto linearize = [&](std::span<const double> x, std::span<double> r, std::span<double> J) {
    set_motion(h, x);
    const double s = position_share(h), share = acceleration_share(h);
    for (std::size_t i = 0; i < back_.size(); ++i) back_[i] = -s * v_[i];
    system_.retract(q_, back_, q_back_);
    ++evaluations_;
    system_.evaluate_tangent(end, q_back_, s, v_, a_, J);
    set_residual(h, x, r);
    const std::size_t n = x.size();
    for (double& entry : J) entry *= -share;
    for (std::size_t i = 0; i < n; ++i) J[i * n + i] += 1;
  };
  return dense_->solve(
      increment_, rate_scale(h), settings_,
      [&](std::span<const double> x, std::span<double> r) { set_end(end, h, x, r); }, linearize);
}

/// Leaves the increment of v in increment_.
NewtonReport TreeGeneralizedAlpha::solve(double end, double h) {
  NewtonReport report;
  if (large_ && !stiff_) {
    predict(h);
    report = large_->solve(increment_, rate_scale(h), settings_,
                           [&](std::span<const double> x, std::span<double> r) { set_end(end, h, x, r); });
    if (report.converged || !dense_) return report;
  }
  predict(h);
  report = solve_dense(end, h);
  stiff_ = report.converged;
  return report;
}

void TreeGeneralizedAlpha::step(double h) {
  const double end = clock_.after(h);
  const Interval times = inside(clock_.time(), end);
  if (!started_) start(times.begin);
  const NewtonReport report = solve(times.end, h);
  const auto fail = [&](const char* advice) {
    history_ = 0;
    throw StepFailure(clock_.time(), h, report.correction, report.iterations, advice);
  };
  if (!report.converged) {
    fail(std::isfinite(report.correction)
             ? "Newton's method does not converge: take a smaller step"
             : "no finite acceleration: take a smaller step, and look for joints that carry no mass");
  }
  set_motion(h, increment_);
  if (!p_.empty()) evaluate(times.end, q_, v_, a_, p_);
  if (!all_finite(q_) || !all_finite(p_)) fail("the state is no longer finite: take a smaller step");

  for (std::size_t i = 0; i < v_.size(); ++i) {
    const double a_0 = algorithmic_[i], a_1 = (increment_[i] / h - (1 - c_.gamma) * a_0) / c_.gamma;  // (2)
    const double mean = (1 - c_.alpha_m) * a_1 + c_.alpha_m * a_0;
    accelerations_[i] = (mean - c_.alpha_f * accelerations_[i]) / (1 - c_.alpha_f);  // (3)
    algorithmic_[i] = a_1;
  }
  for (std::size_t i = 0; i < p_.size(); ++i) state_.z[i] += 0.5 * h * (power_[i] + p_[i]);
  power_.swap(p_);
  state_.q.swap(q_);
  state_.v.swap(v_);
  clock_.advance(h);
  state_.time = clock_.time();
  solver_ = {report.iterations, report.correction};
  before_last_.swap(last_);
  std::copy(increment_.begin(), increment_.end(), last_.begin());
  history_ = std::min(history_ + 1, 2);
  started_ = times.end == end;  // forces may jump at a breakpoint, and accelerations with them
}

}  // namespace torsor
