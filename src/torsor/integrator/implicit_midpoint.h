#pragma once
// The implicit midpoint rule in body-fixed increments.

#include "torsor/integrator/implicit_tree.h"

namespace torsor {

///   w  = (v0 + v1)/2                                                   (1)
///   q1 = q0 exp(h w)                                                   (2)
///   v1 = v0 + h a(t + h/2, q0 exp(h w/2), w)                           (3)
/// solved for the increment v1 - v0. Symmetric under time reversal, hence a bounded energy error where the
/// motion is reversible; the flows are summed at the midpoint.
class ImplicitMidpoint : public ImplicitTreeIntegrator {
 public:
  ImplicitMidpoint(TreeSystem& system, TreeState initial, const NewtonSettings& newton = {});
  void pass(StateTape& tape) override {
    ImplicitTreeIntegrator::pass(tape);
    tape(unknowns_);
  }

 private:
  NewtonReport solve(const Interval& times, double h) override;
  bool complete(const Interval& times, double h) override;
  void commit(const Interval& times, double h) override;
  void forget() override { unknowns_.forget(); }
  void set_midpoint(double h, std::span<const double> increment);
  void set_residual(double h, std::span<const double> increment, std::span<double> residual) const;
  void evaluate_midpoint(double middle);

  TreeDynamics& dynamics_;
  NewtonSettings settings_;
  RateSolver unknowns_;  ///< v1 - v0
  std::vector<double> zero_, w_, xi_, q_, a_, p_;
};

}  // namespace torsor
