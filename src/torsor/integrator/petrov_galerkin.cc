#include "torsor/integrator/petrov_galerkin.h"

#include <algorithm>
#include <utility>

namespace torsor {

PetrovGalerkin::PetrovGalerkin(ConstrainedSystem& system, ConstrainedState initial, const Settings& settings)
    : PartedIntegrator(system, std::move(initial)),
      settings_(settings.newton),
      basis_(settings.m, settings.constraint_points > 0 ? settings.constraint_points : settings.m + 1,
             settings.force_points > 0 ? settings.force_points : settings.m + 3),
      form_(system.make_weak_form(basis_)),
      newton_(basis_.stages() * (form_->coordinate_count() + form_->multiplier_count())),
      unknowns_(static_cast<std::size_t>(basis_.stages()) *
                (form_->coordinate_count() + form_->multiplier_count())),
      last_(unknowns_.size()),
      x_0_(form_->coordinate_count()),
      v_0_(x_0_.size()),
      x_1_(x_0_.size()),
      v_1_(x_0_.size()) {}

/// Goes on with the polynomials of the last step; a new step size starts from the velocity.
void PetrovGalerkin::predict(double h) {
  const int stages = basis_.stages(), n = form_->coordinate_count();
  if (h != last_h_) {
    last_h_ = h;
    std::fill(unknowns_.begin(), unknowns_.end(), 0.0);
    for (int i = 0; i < n; ++i) unknowns_[i] = h * v_0_[i];
    return;
  }
  last_.swap(unknowns_);
  const auto go_on = [&](int first, int count) {
    for (int j = 0; j < stages; ++j) {
      for (int i = 0; i < count; ++i) {
        double sum = 0;
        for (int k = 0; k < stages; ++k) sum += basis_.continued(j, k) * last_[first + k * count + i];
        unknowns_[first + j * count + i] = sum;
      }
    }
  };
  go_on(0, n);
  go_on(stages * n, form_->multiplier_count());
}

const WeakStep& PetrovGalerkin::evaluate(std::span<const double> unknowns, std::span<double> r) {
  ++evaluations_;
  for (std::size_t i = 0; i < x_1_.size(); ++i) x_1_[i] = x_0_[i] + unknowns[i];
  form_->residual(step_, unknowns, r);
  return step_;
}

bool PetrovGalerkin::try_step(double h) {
  begin_step();
  if (!embedded_) form_->embed(state_.x, state_.v, x_0_, v_0_);
  embedded_ = false;
  step_ = {clock_.time(), h, x_0_, v_0_, state_.angles, x_1_};
  predict(h);
  report_ = newton_.solve(*form_, unknowns_, settings_,
                          [&](std::span<const double> unknowns, std::span<double> r) -> const WeakStep& {
                            return evaluate(unknowns, r);
                          });
  solver_.iterations += report_.iterations;
  solver_.residual = report_.correction;
  if (!report_.converged) return false;

  form_->add_flows(step_, unknowns_, state_.z);
  const std::size_t n = x_1_.size();
  for (std::size_t i = 0; i < n; ++i) {
    x_1_[i] = x_0_[i] + unknowns_[i];
    double change = 0;
    for (int k = 0; k < basis_.stages(); ++k) change += basis_.end_rate(k) * unknowns_[k * n + i];
    v_1_[i] = change / h + basis_.start_rate() * v_0_[i];  // (4) of galerkin_basis.h
  }
  form_->project(x_1_, v_1_, state_.x, state_.v);
  x_0_.swap(x_1_);
  v_0_.swap(v_1_);
  if (!all_finite(state_.v) || !all_finite(state_.z)) return false;
  states_.settle(state_.x, state_.angles);
  clock_.advance(h);
  state_.time = clock_.time();
  embedded_ = true;
  return true;
}

}  // namespace torsor
