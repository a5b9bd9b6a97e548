#pragma once
// Explicit Runge-Kutta stages in the chart xi -> q0 exp(xi): Munthe-Kaas (1999) with the exact dexp^-1.

#include <array>
#include <vector>

#include "torsor/base/pack_math.h"
#include "torsor/base/state_tape.h"
#include "torsor/formulation/tree_system.h"
#include "torsor/integrator/explicit_tableau.h"

namespace torsor {

/// The unknowns (xi, v, z) of a step, or their derivatives at a stage.
template <class S>
struct ChartVectorOf {
  ChartVectorOf(int rates, int flows) : xi(rates), v(rates), z(flows) {}
  std::vector<S> xi, v, z;

  void pass(StateTape& tape) requires std::same_as<S, double> { tape(xi, v, z); }
};
using ChartVector = ChartVectorOf<double>;

/// Of one mechanism or of a pack of them, which share the time and the step.
template <class S>
class ChartStagesOf {
 public:
  using Vector = std::vector<S>;

  ChartStagesOf(const TreeChartOf<S>& chart, TreeAccelerationsOf<S>& dynamics,
                const ExplicitTableau& tableau);

  /// Stage derivatives at (q0, v0) itself: k_0.
  void evaluate_start(double t, const Vector& q0, const Vector& v0, const Vector& z0);
  /// Stage derivative k_i at time t after k_0 .. k_{i-1}; also leaves xi, q and v of the stage below.
  void evaluate_stage(int i, double t, double h, const Vector& q0, const Vector& v0, const Vector& z0);
  /// Takes a known right-hand side (acceleration and flows) at (q0, v0) for k_0.
  void reuse_start(const Vector& v0, const ChartVectorOf<S>& known);
  /// sum = h * sum of weights_i k_i.
  void combine(double h, const std::array<double, kMaxStages>& weights, ChartVectorOf<S>& sum) const;

  const ChartVectorOf<S>& k(int i) const { return k_[i]; }
  const Vector& q() const { return q_; }
  const Vector& v() const { return v_; }
  const Vector& xi() const { return xi_; }
  long evaluations() const { return evaluations_; }
  void pass(StateTape& tape) { tape(evaluations_); }

 private:
  const TreeChartOf<S>& chart_;
  TreeAccelerationsOf<S>& dynamics_;
  const ExplicitTableau& tableau_;
  std::vector<ChartVectorOf<S>> k_;
  Vector xi_, v_, q_;
  Vector z_;  ///< empty where elements have no states
  long evaluations_ = 0;
};
using ChartStages = ChartStagesOf<double>;

extern template class ChartStagesOf<double>;
extern template class ChartStagesOf<Pack<4>>;
extern template class ChartStagesOf<Pack<8>>;

}  // namespace torsor
