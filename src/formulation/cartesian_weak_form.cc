#include "formulation/cartesian_weak_form.h"

#include <algorithm>
#include <cmath>

namespace torsor {

CartesianWeakForm::CartesianWeakForm(const Cartesian& system, Rotationless<2>& full,
                                     const GalerkinBasis& basis)
    : system_(system),
      form_(full, basis),
      stages_(basis.stages()),
      x_0_(full.coordinate_count()),
      v_0_(x_0_.size()),
      x_b_(x_0_.size()),
      full_unknowns_(static_cast<std::size_t>(stages_) *
                     (form_.coordinate_count() + form_.multiplier_count())),
      solution_(full_unknowns_.size()) {}

WeakStep CartesianWeakForm::embedded(const WeakStep& step) {
  WeakStep inner = step;
  system_.embed(step.x_0, x_0_);
  system_.embed_rates(step.v_0, v_0_);
  system_.embed(step.x_b, x_b_);
  inner.x_0 = x_0_;
  inner.v_0 = v_0_;
  inner.x_b = x_b_;
  return inner;
}

void CartesianWeakForm::embed_unknowns(std::span<const double> unknowns) {
  const std::size_t n = coordinate_count(), N = form_.coordinate_count();
  const std::span<double> full(full_unknowns_);
  for (int k = 0; k < stages_; ++k) {
    system_.embed_rates(unknowns.subspan(n * k, n), full.subspan(N * k, N));
  }
  const std::size_t count = multiplier_count(), taken = form_.multiplier_count();
  for (int k = 0; k < stages_; ++k) {
    std::copy_n(&unknowns[n * stages_ + count * k], taken, &full[N * stages_ + taken * k]);
  }
}

void CartesianWeakForm::residual(const WeakStep& step, std::span<const double> unknowns,
                                 std::span<double> r) {
  embed_unknowns(unknowns);
  form_.residual(embedded(step), full_unknowns_, r);
}

bool CartesianWeakForm::factorise(const WeakStep& step, std::span<const double> unknowns) {
  embed_unknowns(unknowns);
  return form_.factorise(embedded(step), full_unknowns_);
}

void CartesianWeakForm::solve(std::span<double> r) {
  std::copy(r.begin(), r.end(), solution_.begin());
  form_.solve(solution_);
  const std::size_t n = coordinate_count(), N = form_.coordinate_count();
  for (int k = 0; k < stages_; ++k) {
    system_.coordinates_of(std::span(solution_).subspan(N * k, N), r.subspan(n * k, n));
  }
  const std::size_t count = multiplier_count(), taken = form_.multiplier_count();
  for (int k = 0; k < stages_; ++k) {
    double* multipliers = &r[n * stages_ + count * k];
    std::copy_n(&solution_[N * stages_ + taken * k], taken, multipliers);
    std::fill(multipliers + taken, multipliers + count, 0.0);
  }
}

void CartesianWeakForm::add_flows(const WeakStep& step, std::span<const double> unknowns,
                                  std::span<double> z) {
  embed_unknowns(unknowns);
  form_.add_flows(embedded(step), full_unknowns_, z);
}

double CartesianWeakForm::correct(std::span<const double> change, std::span<double> unknowns) const {
  for (std::size_t i = 0; i < change.size(); ++i) unknowns[i] -= change[i];
  return size(change);
}

double CartesianWeakForm::size(std::span<const double> unknowns) const {
  double largest = 0;
  const int count = stages_ * coordinate_count();
  for (int i = 0; i < count; ++i) {
    const double magnitude = std::abs(unknowns[i]) / system_.length();
    largest = magnitude <= largest ? largest : magnitude;  // keeps NaN
  }
  return largest;
}

}  // namespace torsor
