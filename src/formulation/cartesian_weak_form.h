#pragma once
// The formulation cartesian on polynomials of time.

#include "formulation/cartesian.h"
#include "formulation/rotationless_weak_form.h"

namespace torsor {

/// x_R = T x + const (cartesian.h) takes polynomials into polynomials. Of the constraints of Rotationless all
/// but |d| = 1 hold for these by themselves, and their multipliers take up what T^T leaves out of its
/// equations: its solution from an embedded start is the embedded solution. In x alone the mass matrix (34)
/// is full; in the directors every body meets its neighbours only.
class CartesianWeakForm final : public RotationlessWeakForm<2> {
 public:
  CartesianWeakForm(const Cartesian& cartesian, Rotationless<2>& full, const GalerkinBasis& basis)
      : RotationlessWeakForm(full, basis),
        cartesian_(cartesian),
        x_R_(full.coordinate_count()),
        v_R_(x_R_.size()) {}

  void embed(std::span<const double> x, std::span<const double> v, std::span<double> x_form,
             std::span<double> v_form) const override {
    cartesian_.embed(x, x_R_);
    cartesian_.embed_rates(v, v_R_);
    RotationlessWeakForm::embed(x_R_, v_R_, x_form, v_form);
  }
  void project(std::span<const double> x_form, std::span<const double> v_form, std::span<double> x,
               std::span<double> v) const override {
    RotationlessWeakForm::project(x_form, v_form, x_R_, v_R_);
    cartesian_.coordinates_of(x_R_, x);
    cartesian_.coordinates_of(v_R_, v);
  }

 private:
  const Cartesian& cartesian_;
  mutable std::vector<double> x_R_, v_R_;
};

}  // namespace torsor
