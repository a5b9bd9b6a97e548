#pragma once
// The midpoint variational integrator on the manifold of configurations.

#include "torsor/integrator/implicit_tree.h"

namespace torsor {

/// Hamilton's principle with the discrete Lagrangian of a step, and Lagrange and d'Alembert's for forces:
///   L_d(q0, q1) = h L(q0 exp(h w/2), w),   q1 = q0 exp(h w)                             (1)
///   p0 = -D_1 L_d(q0, q1),   p1 = D_2 L_d(q0, q1)                                       (2)
/// The first of (2) is solved for w, the second gives the momenta at the end: two steps in a row satisfy the
/// discrete Euler-Lagrange equations, and the first starts from p = M(q) v. Rates are reported from momenta
/// the same way. The map (q0, p0) -> (q1, p1) is symplectic and symmetric, and keeps the momentum of every
/// symmetry under which L_d does not change.
class Variational : public ImplicitTreeIntegrator {
 public:
  struct Settings {
    StepMap map = StepMap::exp;
    NewtonSettings newton;
  };
  Variational(TreeSystem& system, TreeState initial, const Settings& settings);
  void pass(StateTape& tape) override {
    ImplicitTreeIntegrator::pass(tape);
    tape(unknowns_, p_);
  }

  const std::vector<double>& momenta() const { return p_; }

 private:
  NewtonReport solve(const Interval& times, double h) override;
  bool complete(const Interval& times, double h) override;
  void commit(const Interval& times, double h) override;
  void forget() override { unknowns_.forget(); }
  const char* advice(bool finite) const override;
  DiscreteStep discrete_step(const Interval& times, double h) const;
  NewtonSettings newton_settings(double h);
  void set_middle(const DiscreteStep& step, std::span<const double> w);
  void linearize(const DiscreteStep& step, std::span<const double> w, std::span<double> r,
                 std::span<double> J);
  void set_residual(const DiscreteStep& step, std::span<const double> w, std::span<double> r);

  DiscreteLagrangian& lagrangian_;
  TreeDynamics& dynamics_;
  Settings settings_;
  RateSolver unknowns_;    ///< w
  std::vector<double> p_;  ///< momenta of the state
  std::vector<double> p0_, p1_, xi_, q_, v_, power_;
};

}  // namespace torsor
