#pragma once
// The energy-momentum scheme of Gonzalez and Betsch (Uhlar-Betsch (5)): discrete gradients of potentials and
// constraints.

#include "integrator/constrained_integrator.h"
#include "integrator/constrained_newton.h"

namespace torsor {

/// One step from (x_0, v_0), with discrete gradients marked by a bar:
///   x_1 - x_0 = h/2 (v_0 + v_1)
///   M (v_1 - v_0) = h (f - grad V - G^T lambda + B tau),   g(x_1) = 0,  c(x_1, t_1) = 0 (5)
/// With the increment dx = x_1 - x_0 as unknown and sigma = h^2/2:
///   M (dx - h v_0) = sigma (...),   v_1 = 2 dx / h - v_0 (1)
/// The sum of both over dx: the energy changes by the work of f and B tau, exactly, whatever h. Angular
/// momentum is kept since all gradients are those of functions that do not change under turns, at the
/// midpoint. Solving for increments keeps rounding relative to them: an energy error of a rounding a step.
class EnergyMomentum final : public ConstrainedIntegrator {
 public:
  EnergyMomentum(ConstrainedSystem& system, ConstrainedState initial,
                 const ConstrainedNewtonSettings& settings = {});

  /// A step that does not converge is made in halves, down to a 64th, before it fails.
  void step(double h) override;

 private:
  bool try_step(double h);
  bool step_in_parts(double h, int parts);
  void predict(double h);
  const ConstrainedPoint& evaluate(double h, std::span<const double> unknowns, std::span<double> r);

  ConstrainedNewtonSettings settings_;
  ConstrainedNewton newton_;
  ConstrainedNewton::Report report_;
  ConstrainedPoint point_;
  std::vector<double> unknowns_, last_, before_last_;
  std::vector<double> dx_, x_, w_, mean_velocity_;
  ConstrainedState saved_;
  double last_h_ = 0;
  int history_ = 0;
};

}  // namespace torsor
