#pragma once
// The generalized-alpha method on a configuration manifold: Bruels and Cardona (2010), as Arnold, Bruels and
// Cardona (2015) analyse it.

#include "torsor/integrator/alpha_coefficients.h"
#include "torsor/integrator/implicit_tree.h"

namespace torsor {

/// One step from (q0, v0), with accelerations v' and algorithmic accelerations a, which lag behind them:
///   q1 = q0 exp(h v0 + h^2 ((1/2 - beta) a0 + beta a1))                           (1)
///   v1 = v0 + h ((1 - gamma) a0 + gamma a1)                                       (2)
///   (1 - alpha_m) a1 + alpha_m a0 = (1 - alpha_f) v1' + alpha_f v0'               (3)
///   v1' = a(t1, q1, v1)                                                           (4)
/// solved for the increment v1 - v0, of which a1 and the increment in (1) are linear functions. Without
/// constraints a tree has no modes of infinite frequency, which is where the method for constrained systems
/// (generalized_alpha.h) is weak. Flows are summed by the trapezoidal rule. Large trees are solved by
/// fixed-point iteration with Anderson's acceleration, which is O(n), until that fails for forces that are
/// stiff.
class TreeGeneralizedAlpha : public ImplicitTreeIntegrator {
 public:
  struct Settings {
    double rho = 0.9;  ///< spectral radius for infinite steps, 0..1
    NewtonSettings newton;
  };

  TreeGeneralizedAlpha(TreeSystem& system, TreeState initial, const Settings& settings);
  void expect_jump() override { started_ = false; }
  void pass(StateTape& tape) override {
    ImplicitTreeIntegrator::pass(tape);
    tape(unknowns_, accelerations_, algorithmic_, power_, started_);
  }

 private:
  NewtonReport solve(const Interval& times, double h) override;
  bool complete(const Interval& times, double h) override;
  void commit(const Interval& times, double h) override;
  void forget() override { unknowns_.forget(); }
  void start(double time);
  void set_motion(double h, std::span<const double> increment);
  void set_residual(double h, std::span<const double> increment, std::span<double> residual) const;
  double position_share(double h) const { return c_.beta * h / c_.gamma; }  ///< of v1 - v0 in (1)
  double acceleration_share(double h) const {                               ///< of v1' in (2)
    return c_.gamma * h * (1 - c_.alpha_f) / (1 - c_.alpha_m);
  }

  TreeDynamics& dynamics_;
  NewtonSettings settings_;
  AlphaCoefficients c_;
  RateSolver unknowns_;                                      ///< v1 - v0
  std::vector<double> accelerations_, algorithmic_, power_;  ///< v', a and the flows' rates at the state
  bool started_ = false;
  std::vector<double> zero_, xi_, q_, v_, a_, p_, back_, q_back_;
};

}  // namespace torsor
