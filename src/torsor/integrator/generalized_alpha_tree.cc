#include "torsor/integrator/generalized_alpha_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace torsor {
namespace {

// A tangent is fastest up to the one, and takes 72 MB at the other.
constexpr int kDense = 30, kMostDense = 3000;

}  // namespace

TreeGeneralizedAlpha::TreeGeneralizedAlpha(TreeSystem& system, TreeState initial, const Settings& settings)
    : ImplicitTreeIntegrator(system, std::move(initial)),
      dynamics_(system),
      settings_(settings.newton),
      c_(settings.rho),
      unknowns_(system.rate_count(), {kDense, kMostDense, true}, system),
      accelerations_(system.rate_count()),
      algorithmic_(system.rate_count()),
      power_(system.flow_count()),
      zero_(system.rate_count()),
      xi_(system.rate_count()),
      q_(system.coordinate_count()),
      v_(system.rate_count()),
      a_(system.rate_count()),
      p_(system.flow_count()),
      back_(system.rate_count()),
      q_back_(system.coordinate_count()) {}

void TreeGeneralizedAlpha::start(double time) {
  ++evaluations_;
  dynamics_.hold_states({state_.z});
  dynamics_.evaluate(time, state_.q, state_.v, accelerations_, power_);
  std::copy(accelerations_.begin(), accelerations_.end(), algorithmic_.begin());
  forget();
  started_ = true;
}

void TreeGeneralizedAlpha::set_motion(double h, std::span<const double> increment) {
  const double share = position_share(h);
  for (std::size_t i = 0; i < xi_.size(); ++i) {
    const double a_0 = algorithmic_[i], driven = increment[i] - h * (1 - c_.gamma) * a_0;
    xi_[i] = h * (state_.v[i] + h * (0.5 - c_.beta) * a_0) + share * driven;  // (1)
    v_[i] = state_.v[i] + increment[i];
  }
  manifold_.retract(state_.q, xi_, q_);
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

NewtonReport TreeGeneralizedAlpha::solve(const Interval& times, double h) {
  if (!started_) start(times.begin);
  dynamics_.hold_states({state_.z, 0.5 * h, power_});
  const auto residual = [&](std::span<const double> x, std::span<double> r) {
    set_motion(h, x);
    ++evaluations_;
    dynamics_.evaluate(times.end, q_, v_, a_, p_);
    set_residual(h, x, r);
  };
  // q1 = q' exp(s v1) for a q' that is held: what exp of a sum is more than a product of two, the tangent
  // leaves out, a term of order h |v1| beside 1.
  const auto linearize = [&](std::span<const double> x, std::span<double> r, std::span<double> J) {
    set_motion(h, x);
    const double s = position_share(h), share = acceleration_share(h);
    for (std::size_t i = 0; i < back_.size(); ++i) back_[i] = -s * v_[i];
    manifold_.retract(q_, back_, q_back_);
    ++evaluations_;
    dynamics_.evaluate_tangent(times.end, q_back_, s, v_, a_, J);
    set_residual(h, x, r);
    const std::size_t n = x.size();
    for (double& entry : J) entry *= -share;
    for (std::size_t i = 0; i < n; ++i) J[i * n + i] += 1;
  };
  // Springs see the product of the two shares, dampers the one of accelerations alone: close to its root.
  const auto factorise = [&](StiffInverse& inverse) {
    inverse.factorise(q_, v_, a_, std::array{Complex(std::sqrt(acceleration_share(h) * position_share(h)))});
  };
  return unknowns_.solve(h, zero_, rate_scale(h), settings_, residual, linearize, factorise);
}

bool TreeGeneralizedAlpha::complete(const Interval& times, double h) {
  set_motion(h, unknowns_.x());
  if (!p_.empty()) {
    ++evaluations_;
    dynamics_.evaluate(times.end, q_, v_, a_, p_);
  }
  return all_finite(q_) && all_finite(p_);
}

void TreeGeneralizedAlpha::commit(const Interval& times, double h) {
  const std::vector<double>& increment = unknowns_.x();
  for (std::size_t i = 0; i < v_.size(); ++i) {
    const double a_0 = algorithmic_[i], a_1 = (increment[i] / h - (1 - c_.gamma) * a_0) / c_.gamma;  // (2)
    const double mean = (1 - c_.alpha_m) * a_1 + c_.alpha_m * a_0;
    accelerations_[i] = (mean - c_.alpha_f * accelerations_[i]) / (1 - c_.alpha_f);  // (3)
    algorithmic_[i] = a_1;
  }
  for (std::size_t i = 0; i < p_.size(); ++i) state_.z[i] += 0.5 * h * (power_[i] + p_[i]);
  power_.swap(p_);
  state_.q.swap(q_);
  state_.v.swap(v_);
  unknowns_.remember();
  started_ = times.end == clock_.after(h);  // forces may jump at a breakpoint, and accelerations with them
}

}  // namespace torsor
