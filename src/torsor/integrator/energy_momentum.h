#pragma once
// The energy-momentum scheme of Gonzalez and Betsch (Uhlar-Betsch (5)): discrete gradients of potentials and
// constraints.

#include "torsor/integrator/extrapolation.h"
#include "torsor/integrator/parted_integrator.h"

namespace torsor {

/// One step from (x_0, v_0), with discrete gradients marked by a bar:
///   x_1 - x_0 = h/2 (v_0 + v_1)
///   M (v_1 - v_0) = h (f - grad V - G^T lambda + B tau),   g(x_1) = 0,  c(x_1, t_1) = 0              (5)
/// With the increment dx = x_1 - x_0 as unknown and sigma = h^2/2:
///   M (dx - h v_0) = sigma (...),   v_1 = 2 dx / h - v_0                                             (1)
/// The sum of both over dx: the energy changes by the work of f and B tau, exactly, whatever h. Angular
/// momentum is kept since all gradients are those of functions that do not change under turns, at the
/// midpoint.
///
/// Rounding: x, v and the flows are sums of increments without what rounding would take from them, so that the
/// increments of all steps add up to what the energies see.
///
/// With Gauss points for the elastic forces of tendons instead of discrete gradients it is the
/// Petrov-Galerkin method of lowest order, Kotyczka-Götz-Herrmann (19), and its energy is as good as that
/// rule.
class EnergyMomentum final : public PartedIntegrator {
 public:
  /// `elastic_points` 0: discrete gradients.
  EnergyMomentum(ConstrainedSystem& system, ConstrainedState initial,
                 const ConstrainedNewtonSettings& settings = {}, int elastic_points = 0);
  void pass(StateTape& tape) override {
    PartedIntegrator::pass(tape);
    tape(unknowns_, history_, last_h_);
  }

 private:
  bool try_step(double h) override;
  void forget() override;
  void predict(double h);
  /// dx, x_1, w and the mean velocity of unknowns.
  void set_motion(double h, std::span<const double> unknowns);
  void advance_velocity(double h);

  ConstrainedNewtonSettings settings_;
  std::vector<GaussPoint> elastic_rule_;
  StepEquations& equations_;
  ServoLead& servos_;
  ConstrainedNewton newton_;
  ConstrainedPoint point_;
  std::vector<double> unknowns_;
  Extrapolation history_;  ///< of steps of the length last_h_
  std::vector<double> dx_, x_, w_, mean_velocity_, dz_;
  double last_h_ = 0;
};

}  // namespace torsor
