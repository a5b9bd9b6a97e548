#pragma once
// Explicit Runge-Kutta methods of fixed step on the configuration manifold, after Munthe-Kaas (1999).

#include "torsor/integrator/chart_stages.h"
#include "torsor/integrator/integrator.h"

namespace torsor {

/// Of order 2 the explicit midpoint, of orders 3 and 4 the classical methods of Kutta (1901), of order 5 that of Dormand
/// and Prince (1980) without the stage that its estimate of the error takes.
const ExplicitTableau& explicit_tableau(int order);

/// In the chart q_n exp(xi), whose rate is dexp^-1_{-xi} v (Müller (89), exactly, not as a series), any
/// tableau keeps the order that it has in vector spaces. Of one mechanism or of a pack of them.
template <class S>
class RkmkScheme {
 public:
  RkmkScheme(const TreeChartOf<S>& chart, TreeAccelerationsOf<S>& dynamics, const ExplicitTableau& tableau);

  /// One step of the lanes that are asked for; of which the end is finite. The others stay where they are.
  MaskOf<S> advance(const Interval& times, double h, std::vector<S>& q, std::vector<S>& v, std::vector<S>& z,
                    const MaskOf<S>& asked = all_lanes<S>());

  const ExplicitTableau& tableau() const { return tableau_; }

 private:
  const TreeChartOf<S>& chart_;
  const ExplicitTableau& tableau_;
  ChartStagesOf<S> stages_;
  ChartVectorOf<S> increment_;
  std::vector<S> q_;
};

extern template class RkmkScheme<double>;
extern template class RkmkScheme<Pack<4>>;
extern template class RkmkScheme<Pack<8>>;

/// The scheme on one mechanism.
class Rkmk final : public TreeIntegrator {
 public:
  Rkmk(TreeSystem& system, TreeState initial, int order);
  void step(double h) override;
  void pass(StateTape& tape) override {
    TreeIntegrator::pass(tape);
    tape(clock_);
  }

 private:
  template <class P>
  friend class PackRkmk;

  RkmkScheme<double> scheme_;
  Clock clock_;
};

}  // namespace torsor
