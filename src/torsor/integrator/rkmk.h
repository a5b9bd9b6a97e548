#pragma once
// Explicit Runge-Kutta methods of fixed step on the configuration manifold, after Munthe-Kaas (1999).

#include "torsor/integrator/chart_stages.h"
#include "torsor/integrator/integrator.h"

namespace torsor {

/// In the chart q_n exp(xi), whose rate is dexp^-1_{-xi} v (Müller (89), exactly, not as a series), any
/// tableau keeps the order that it has in vector spaces: 2 by the explicit midpoint, 3 and 4 by the classical
/// methods of Kutta (1901).
class Rkmk : public TreeIntegrator {
 public:
  Rkmk(TreeSystem& system, TreeState initial, int order);
  void step(double h) override;
  void pass(StateTape& tape) override {
    TreeIntegrator::pass(tape);
    tape(clock_, stages_);
  }

 private:
  const ExplicitTableau& tableau_;
  ChartStages stages_;
  ChartVector increment_;
  std::vector<double> q_, v_;
  Clock clock_;
};

}  // namespace torsor
