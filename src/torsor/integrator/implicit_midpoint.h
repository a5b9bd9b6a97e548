#pragma once
// The implicit midpoint rule in body-fixed increments.

#include "torsor/integrator/integrator.h"
#include "torsor/numerics/newton.h"

namespace torsor {

///   w  = (v0 + v1)/2                                                   (1)
///   q1 = q0 exp(h w)                                                   (2)
///   v1 = v0 + h a(t + h/2, q0 exp(h w/2), w)                           (3)
/// solved for the increment v1 - v0. Symmetric under time reversal, hence a bounded energy error where the
/// motion is reversible; the flows are summed at the midpoint.
class ImplicitMidpoint : public TreeIntegrator {
 public:
  ImplicitMidpoint(TreeSystem& system, TreeState initial, const NewtonSettings& newton = {});
  void step(double h) override;
  void pass(StateTape& tape) override {
    TreeIntegrator::pass(tape);
    tape(clock_, newton_, last_, before_last_, last_h_, history_);
  }

 private:
  void predict(double h);
  NewtonReport solve(double middle, double h);
  void set_midpoint(double h, std::span<const double> increment);
  void set_residual(double h, std::span<const double> increment, std::span<double> residual) const;

  NewtonSettings settings_;
  DenseNewton newton_;
  Clock clock_;
  std::vector<double> increment_, last_, before_last_;  ///< of v: now, and in the two steps before
  double last_h_ = 0;
  int history_ = 0;
  std::vector<double> w_, xi_, q_, a_, p_;
};

}  // namespace torsor
