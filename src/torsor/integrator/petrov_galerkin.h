#pragma once
// Petrov-Galerkin methods of higher order in time (Kotyczka-Götz-Herrmann 2.2; Betsch-Steinmann).

#include <memory>

#include "torsor/formulation/weak_form.h"
#include "torsor/integrator/parted_integrator.h"

namespace torsor {

/// Trial functions of degree m + 1, test functions of degree m >= 1: (1), (2) of weak_form.h. Positions at
/// the nodes have order 2 (m + 1); constraints on them hold exactly, the energy to the rule for potentials.
/// Angular momentum changes by h int (x - P x) x F ds, P the projection on the test functions, F all forces:
/// nothing where their rule has m + 1 points. For constraints that rule is good enough, since int G(x) dx/ds
/// has degree 2m + 1; for potentials it gives up energy.
/// Velocities at the nodes do not satisfy G v = 0: they are of order m + 1 for odd, m + 2 for even m, and
/// their projection is of the order of the positions. For m = 0 see EnergyMomentum, which solves the same
/// equations without the multipliers inside bodies.
class PetrovGalerkin final : public PartedIntegrator {
 public:
  struct Settings {
    int m = 1;
    int constraint_points = 0, force_points = 0;  ///< 0: m + 1; m + 3
    ConstrainedNewtonSettings newton;
  };

  PetrovGalerkin(ConstrainedSystem& system, ConstrainedState initial, const Settings& settings);
  void pass(StateTape& tape) override {
    PartedIntegrator::pass(tape);
    tape(last_, before_last_, x_0_, v_0_, last_h_, history_, rest_, embedded_);
    tape.require(history_ >= 0 && history_ <= 2, "more steps before than are kept");
  }

 private:
  bool try_step(double h) override;
  void forget() override {
    last_h_ = 0;
    rest_ = 0;
    embedded_ = false;
  }
  void predict(double h);
  bool solve();
  /// Simplified Newton with the mean tangent, (3) of weak_form.h, to the same accuracy as Newton's method;
  /// where that is too slow, the guess is left as it was.
  bool solve_on_mean();
  const WeakStep& evaluate(std::span<const double> unknowns, std::span<double> r);

  ConstrainedNewtonSettings settings_;
  GalerkinBasis basis_;
  std::unique_ptr<WeakForm> form_;
  ConstrainedNewton newton_;
  WeakStep step_;
  std::vector<double> unknowns_, guess_, last_, before_last_, r_;
  std::vector<double> x_0_, v_0_, x_1_, v_1_;  ///< in the coordinates of the form
  std::vector<double> z_0_;
  ConstrainedState before_;  ///< x and v of the state where a step begins
  double last_h_ = 0;
  int history_ = 0;        ///< steps of this size before, up to two
  int rest_ = 0;           ///< steps before the mean tangent is tried again
  bool embedded_ = false;  ///< x_0_, v_0_ are the state; embedding it anew would add a rounding each step
};

}  // namespace torsor
