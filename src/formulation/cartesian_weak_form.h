#pragma once
// The formulation cartesian on polynomials of time: that of directors, whose coordinates are linear in these.

#include "formulation/cartesian.h"
#include "formulation/rotationless_weak_form.h"

namespace torsor {

/// p of degree m in x embeds as p_R = T p. On such polynomials joints hold, and of the constraints inside a
/// body d_1 . d_2 = 0 holds and the other two are (27), once each. Newton's steps in directors, which meet
/// the derivatives of all of these, do not leave the image of T: they are steps in x, and their centres of
/// mass are p. Equations and multipliers are therefore those of directors; beside them each stage has room
/// among its multipliers for the equations that x does without.
class CartesianWeakForm final : public WeakForm {
 public:
  CartesianWeakForm(const Cartesian& system, Rotationless<2>& full, const GalerkinBasis& basis);

  int coordinate_count() const override { return system_.coordinate_count(); }
  int multiplier_count() const override {
    return form_.multiplier_count() + form_.coordinate_count() - coordinate_count();
  }
  void begin_step(const WeakStep& step) override { form_.begin_step(embedded(step)); }
  void residual(const WeakStep& step, std::span<const double> unknowns, std::span<double> r) override;
  bool factorise(const WeakStep& step, std::span<const double> unknowns) override;
  void solve(std::span<double> r) override;
  void add_flows(const WeakStep& step, std::span<const double> unknowns, std::span<double> z) override;
  double correct(std::span<const double> change, std::span<double> unknowns) const override;
  double size(std::span<const double> unknowns) const override;
  double rounding(std::span<const double> x) const override { return system_.rounding(x); }

 private:
  WeakStep embedded(const WeakStep& step);
  /// Into full_unknowns_.
  void embed_unknowns(std::span<const double> unknowns);

  const Cartesian& system_;
  RotationlessWeakForm<2> form_;
  int stages_;
  std::vector<double> x_0_, v_0_, x_b_, full_unknowns_, solution_;
};

}  // namespace torsor
