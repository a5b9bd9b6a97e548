#pragma once
// Explicit Runge-Kutta stages in the chart xi -> q0 exp(xi): Munthe-Kaas (1999) with the exact dexp^-1.

#include <array>
#include <span>
#include <vector>

#include "torsor/base/number_block.h"
#include "torsor/base/pack_math.h"
#include "torsor/base/state_tape.h"
#include "torsor/formulation/tree_system.h"
#include "torsor/integrator/explicit_tableau.h"

namespace torsor {

/// The unknowns (xi, v, z) of a step, or their derivatives at a stage: one after the other, in whole blocks, since sums of
/// the stages of small mechanisms are short.
template <class S>
class ChartVectorOf {
 public:
  ChartVectorOf(int rates, int flows)
      : rates_(rates), size_(2 * rates + flows), all_(NumberBlock<S>::padded(size_)) {}

  /// h * sum of weights_i k_i over the first `count` of k; for ChartStagesOf alone.
  void set_sum(double h, const std::array<double, kMaxStages>& weights, int count,
               const std::vector<ChartVectorOf>& k);
  /// From changes to what is there at their end.
  void add_to_rates(const std::vector<S>& start) { add(start, v()); }
  void add_to_flows(const std::vector<S>& start) { add(start, z()); }

  std::span<S> all() { return std::span(all_).first(size_); }
  std::span<S> xi() { return all().first(rates_); }
  std::span<S> v() { return all().subspan(rates_, rates_); }
  std::span<S> z() { return all().subspan(2 * rates_); }
  std::span<const S> all() const { return std::span(all_).first(size_); }
  std::span<const S> xi() const { return all().first(rates_); }
  std::span<const S> v() const { return all().subspan(rates_, rates_); }
  std::span<const S> z() const { return all().subspan(2 * rates_); }

  void pass(StateTape& tape) requires std::same_as<S, double> { tape(all_); }

 private:
  static void add(const std::vector<S>& start, std::span<S> change) {
    for (std::size_t i = 0; i < start.size(); ++i) change[i] += start[i];
  }

  std::size_t rates_, size_;
  std::vector<S> all_;
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
  /// Stage derivative k_i at time t after k_0 .. k_{i-1}; also leaves q and v of the stage below.
  void evaluate_stage(int i, double t, double h, const Vector& q0, const Vector& v0, const Vector& z0);
  /// Takes a known right-hand side (acceleration and flows) at (q0, v0) for k_0.
  void reuse_start(const Vector& v0, const ChartVectorOf<S>& known);
  /// sum = h * sum of weights_i k_i.
  void combine(double h, const std::array<double, kMaxStages>& weights, ChartVectorOf<S>& sum) const;

  const ChartVectorOf<S>& k(int i) const { return k_[i]; }
  const Vector& q() const { return q_; }
  std::span<const S> v() const { return at_.v(); }
  long evaluations() const { return evaluations_; }
  void pass(StateTape& tape) { tape(evaluations_); }

 private:
  const TreeChartOf<S>& chart_;
  TreeAccelerationsOf<S>& dynamics_;
  const ExplicitTableau& tableau_;
  std::vector<ChartVectorOf<S>> k_;
  bool has_states_;
  ChartVectorOf<S> at_;  ///< a stage; without flows where elements have no states
  Vector q_;             ///< its configuration
  long evaluations_ = 0;
};
using ChartStages = ChartStagesOf<double>;

extern template class ChartStagesOf<double>;
extern template class ChartStagesOf<Pack<4>>;
extern template class ChartStagesOf<Pack<8>>;

}  // namespace torsor
