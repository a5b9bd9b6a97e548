#pragma once
// The generalized-alpha method on a configuration manifold: Bruels and Cardona (2010), as Arnold, Bruels and
// Cardona (2015) analyse it.

#include <memory>

#include "torsor/integrator/alpha_coefficients.h"
#include "torsor/integrator/integrator.h"
#include "torsor/numerics/anderson.h"
#include "torsor/numerics/newton.h"

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
class TreeGeneralizedAlpha : public TreeIntegrator {
 public:
  struct Settings {
    double rho = 0.9;  ///< spectral radius for infinite steps, 0..1
    NewtonSettings newton;
  };

  TreeGeneralizedAlpha(TreeSystem& system, TreeState initial, const Settings& settings);
  void step(double h) override;
  void expect_jump() override { started_ = false; }
  void pass(StateTape& tape) override;

 private:
  void start(double time);
  void predict(double h);
  NewtonReport solve(double end, double h);
  NewtonReport solve_dense(double end, double h);
  void set_end(double end, double h, std::span<const double> increment, std::span<double> residual);
  void set_motion(double h, std::span<const double> increment);
  void set_residual(double h, std::span<const double> increment, std::span<double> residual) const;
  double position_share(double h) const { return c_.beta * h / c_.gamma; }  ///< of v1 - v0 in (1)
  double acceleration_share(double h) const {                               ///< of v1' in (2)
    return c_.gamma * h * (1 - c_.alpha_f) / (1 - c_.alpha_m);
  }

  NewtonSettings settings_;
  AlphaCoefficients c_;
  std::unique_ptr<DenseNewton> dense_;  ///< for trees that are not too large for it
  std::unique_ptr<Anderson> large_;     ///< for those that are not small
  bool stiff_ = false;                  ///< whether only a tangent leads to the end of a step
  Clock clock_;
  std::vector<double> accelerations_, algorithmic_, power_;  ///< v', a and the flows' rates at the state
  std::vector<double> increment_, last_, before_last_;       ///< of v: now, and in the two steps before
  double last_h_ = 0;
  int history_ = 0;
  bool started_ = false;
  std::vector<double> xi_, q_, v_, a_, p_, back_, q_back_;
};

}  // namespace torsor
