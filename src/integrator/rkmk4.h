#pragma once
// The classical Runge-Kutta method of order 4 on the configuration manifold.

#include "integrator/chart_stages.h"
#include "integrator/integrator.h"

namespace torsor {

/// Kutta (1901) in the chart q_n exp(xi) with the exact dexp^-1 (Munthe-Kaas 1999).
class Rkmk4 : public TreeIntegrator {
 public:
  Rkmk4(TreeSystem& system, TreeState initial);
  void step(double h) override;

 private:
  ChartStages stages_;
  ChartVector increment_;
  std::vector<double> q_, v_;
  Clock clock_;
};

}  // namespace torsor
