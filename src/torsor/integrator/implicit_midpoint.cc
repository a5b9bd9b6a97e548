#include "torsor/integrator/implicit_midpoint.h"

#include <array>
#include <utility>

namespace torsor {
namespace {

/// Up to so many rates a dense tangent is the quickest from the first step on; up to so many it is affordable
/// where Anderson's acceleration fails.
constexpr int kDense = 30, kMostDense = 3000;

}  // namespace

ImplicitMidpoint::ImplicitMidpoint(TreeSystem& system, TreeState initial, const NewtonSettings& newton)
    : ImplicitTreeIntegrator(system, std::move(initial)),
      dynamics_(system),
      settings_(newton),
      unknowns_(system.rate_count(), {kDense, kMostDense, true}, system),
      zero_(system.rate_count()),
      w_(system.rate_count()),
      xi_(system.rate_count()),
      q_(system.coordinate_count()),
      a_(system.rate_count()),
      p_(system.flow_count()) {}

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

void ImplicitMidpoint::evaluate_midpoint(double middle) {
  manifold_.retract(state_.q, xi_, q_);
  ++evaluations_;
  dynamics_.evaluate(middle, q_, w_, a_, p_);
}

NewtonReport ImplicitMidpoint::solve(const Interval& times, double h) {
  const double middle = times.at(0.5);
  dynamics_.hold_states({state_.z, 0.5 * h});
  const auto residual = [&](std::span<const double> x, std::span<double> r) {
    set_midpoint(h, x);
    evaluate_midpoint(middle);
    set_residual(h, x, r);
  };
  const auto linearize = [&](std::span<const double> x, std::span<double> r, std::span<double> J) {
    set_midpoint(h, x);
    ++evaluations_;
    dynamics_.evaluate_tangent(middle, state_.q, 0.5 * h, w_, a_, J);
    set_residual(h, x, r);
    const std::size_t n = x.size();
    for (double& entry : J) entry *= -0.5 * h;
    for (std::size_t i = 0; i < n; ++i) J[i * n + i] += 1;
  };
  const auto factorise = [&](StiffInverse& inverse) {
    inverse.factorise(q_, w_, a_, std::array{Complex(0.5 * h)});
  };
  return unknowns_.solve(h, zero_, rate_scale(h), settings_, residual, linearize, factorise);
}

bool ImplicitMidpoint::complete(const Interval& times, double h) {
  set_midpoint(h, unknowns_.x());
  if (!p_.empty()) evaluate_midpoint(times.at(0.5));
  for (std::size_t i = 0; i < xi_.size(); ++i) xi_[i] = h * w_[i];
  manifold_.retract(state_.q, xi_, q_);
  return all_finite(q_) && all_finite(p_);
}

void ImplicitMidpoint::commit(const Interval&, double h) {
  state_.q.swap(q_);  // (2)
  for (std::size_t i = 0; i < state_.v.size(); ++i) state_.v[i] += unknowns_.x()[i];
  for (std::size_t i = 0; i < state_.z.size(); ++i) state_.z[i] += h * p_[i];
  unknowns_.remember();
}

}  // namespace torsor
