#include "torsor/integrator/variational.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

// Above it, articulated bodies in place of a tangent are faster; a tangent still helps those of middle size
// where forces are stiff.
constexpr int kDense = 30, kMostDense = 500;

}  // namespace

Variational::Variational(TreeSystem& system, TreeState initial, const Settings& settings)
    : ImplicitTreeIntegrator(system, std::move(initial)),
      lagrangian_(system),
      dynamics_(system),
      settings_(settings),
      unknowns_(system.rate_count(), {kDense, kMostDense, false}, system),
      p_(system.rate_count()),
      p0_(system.rate_count()),
      p1_(system.rate_count()),
      xi_(system.rate_count()),
      q_(system.coordinate_count()),
      v_(system.rate_count()),
      power_(system.flow_count()) {
  lagrangian_.momenta(state_.q, state_.v, p_);
}

const char* Variational::advice(bool finite) const {
  return finite ? ImplicitTreeIntegrator::advice(finite)
                : "a joint turns too far in the step, or has no mass to move: take a smaller step";
}

DiscreteStep Variational::discrete_step(const Interval& times, double h) const {
  return {times.at(0.5), h, state_.q, settings_.map};
}

void Variational::set_middle(const DiscreteStep& step, std::span<const double> w) {
  for (std::size_t i = 0; i < w.size(); ++i) xi_[i] = 0.5 * step.h * w[i];
  manifold_.retract(step.q0, xi_, q_);
}

/// The first of (2) times M^-1 at the middle: what its tangent multiplied with that is, the unit matrix up to
/// terms of order h, hardly changes from one step to the next.
void Variational::set_residual(const DiscreteStep& step, std::span<const double> w, std::span<double> r) {
  ++evaluations_;
  lagrangian_.discrete_momenta(step, w, p0_, p1_, power_);
  for (std::size_t i = 0; i < r.size(); ++i) p0_[i] -= p_[i];
  set_middle(step, w);
  lagrangian_.rates(q_, p0_, r);
}

void Variational::linearize(const DiscreteStep& step, std::span<const double> w, std::span<double> r,
                            std::span<double> J) {
  ++evaluations_;
  lagrangian_.discrete_tangent(step, w, p0_, J);
  for (std::size_t i = 0; i < r.size(); ++i) p0_[i] -= p_[i];
  set_middle(step, w);
  lagrangian_.rates(q_, p0_, r);
  for (std::size_t first = 0; first < J.size(); first += r.size()) {
    const std::span<double> column = J.subspan(first, r.size());
    lagrangian_.rates(q_, column, v_);
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
  lagrangian_.rates(state_.q, xi_, v_);
  NewtonSettings settings = settings_.newton;
  const double rounding = smaller(max_abs(v_) / rate_scale(h), kMost);
  settings.tolerance = larger(settings.tolerance, kWellBelow * rounding);
  settings.rounding_floor = larger(settings.rounding_floor, kMargin * rounding);
  return settings;
}

NewtonReport Variational::solve(const Interval& times, double h) {
  const DiscreteStep step = discrete_step(times, h);
  dynamics_.hold_states({state_.z, 0.5 * h});
  return unknowns_.solve(
      h, state_.v, rate_scale(h), newton_settings(h),
      [&](std::span<const double> w, std::span<double> r) { set_residual(step, w, r); },
      [&](std::span<const double> w, std::span<double> r, std::span<double> J) { linearize(step, w, r, J); },
      [&](StiffInverse& inverse) {
        // v_ becomes the acceleration over the half step from v to w; q_ is the middle.
        for (std::size_t i = 0; i < v_.size(); ++i) v_[i] = (unknowns_.x()[i] - state_.v[i]) / (0.5 * h);
        inverse.factorise(q_, unknowns_.x(), v_, std::array{Complex(0.5 * h)});
      });
}

bool Variational::complete(const Interval& times, double h) {
  const std::vector<double>& w = unknowns_.x();
  ++evaluations_;
  lagrangian_.discrete_momenta(discrete_step(times, h), w, p0_, p1_, power_);
  for (std::size_t i = 0; i < w.size(); ++i) {
    xi_[i] = h * w[i];
    // What the step adds, not its end: what Newton left of p0 then does not gather in the momenta.
    p1_[i] = p_[i] + (p1_[i] - p0_[i]);  // (2)
  }
  manifold_.retract(state_.q, xi_, q_);  // (1)
  lagrangian_.rates(q_, p1_, v_);
  return all_finite(q_) && all_finite(v_) && all_finite(power_);
}

void Variational::commit(const Interval&, double h) {
  state_.q.swap(q_);
  state_.v.swap(v_);
  p_.swap(p1_);
  for (std::size_t i = 0; i < state_.z.size(); ++i) state_.z[i] += h * power_[i];
  unknowns_.remember();
}

}  // namespace torsor
