#pragma once
// The generalized-alpha method of Chung and Hulbert for constrained systems of index 3, as Arnold and Bruels
// (2007) analyse it: what the industry steps with.

#include "torsor/integrator/alpha_coefficients.h"
#include "torsor/integrator/constrained_integrator.h"
#include "torsor/integrator/constrained_newton.h"

namespace torsor {

/// One step from (x_0, v_0), with accelerations x'' and algorithmic accelerations a, which lag behind them by
/// (1 - rho)/(1 + rho) of a step:
///   x_1 = x_0 + h v_0 + h^2 ((1/2 - beta) a_0 + beta a_1),   v_1 = v_0 + h ((1 - gamma) a_0 + gamma a_1) (1)
///   (1 - alpha_m) a_1 + alpha_m a_0 = (1 - alpha_f) x''_1 + alpha_f x''_0                            (2)
///   M x''_1 = f(t_1, x_1, v_1) - G(x_1)^T lambda + B(x_1) tau,   g(x_1) = 0,   c(x_1, t_1) = 0       (3)
/// (1) and (2) make x''_1 a linear function of the increment dx = x_1 - x_0, the unknown. Multiplied with
///   sigma = beta h^2 (1 - alpha_f)/(1 - alpha_m),                                                    (4)
/// sigma x''_1 grows with dx by 1, as (2) of system.h has it. Velocities satisfy the constraints to the order
/// of the method only. Of stiff modes and of what the constraints excite, rho is left after a step, so that
/// energy decays; at rho = 1 nothing damps the oscillations of multipliers, and they may grow.
class GeneralizedAlpha final : public ConstrainedIntegrator {
 public:
  struct Settings {
    double rho = 0.9;  ///< spectral radius for infinite steps, 0..1
    /// Its energy is of second order: it can afford higher floors by folded positions.
    ConstrainedNewtonSettings newton = {.floor = 1e5, .singular_floor = 4e8};
  };

  GeneralizedAlpha(ConstrainedSystem& system, ConstrainedState initial, const Settings& settings);

  void step(double h) override;
  void expect_jump() override { started_ = false; }
  void pass(StateTape& tape) override {
    ConstrainedIntegrator::pass(tape);
    tape(accelerations_, algorithmic_, multipliers_, started_);
  }

 private:
  void start(double time, double h);
  void share_multipliers(double time, double h);
  void set_motion(double h, std::span<const double> unknowns);
  void add_flows(const Interval& times, double h);
  [[noreturn]] void fail(double h, double residual, const char* advice) const;
  double gain(double h) const { return c_.beta * h * h * (1 - c_.alpha_f) / (1 - c_.alpha_m); }  // (4)

  ConstrainedNewtonSettings settings_;
  AlphaCoefficients c_;
  StepEquations& equations_;
  ConstrainedAccelerations& dynamics_;
  const ServoLead& servos_;
  ConstrainedNewton newton_;
  ConstrainedPoint point_;
  std::vector<double> accelerations_, algorithmic_;  ///< x'' and a of the state
  std::vector<double> multipliers_;                  ///< lambda and tau of the state, among the unknowns
  std::vector<double> unknowns_;
  std::vector<double> dx_, x_, w_, v_, a_, z_, mean_velocity_, mean_multipliers_;
  bool started_ = false;
};

}  // namespace torsor
