#pragma once
// Explicit Runge-Kutta stages in the chart xi -> q0 exp(xi): Munthe-Kaas (1999) with the exact dexp^-1.

#include <array>
#include <vector>

#include "torsor/base/state_tape.h"
#include "torsor/formulation/tree_system.h"

namespace torsor {

inline constexpr int kMaxStages = 7;

/// Row i holds the weights of the stages before it.
struct ExplicitTableau {
  int stages = 0;
  std::array<std::array<double, kMaxStages>, kMaxStages> a{};
  std::array<double, kMaxStages> b{}, c{};
};

/// The unknowns (xi, v, z) of a step, or their derivatives at a stage.
struct ChartVector {
  ChartVector(int rates, int flows) : xi(rates), v(rates), z(flows) {}
  std::vector<double> xi, v, z;

  void pass(StateTape& tape) { tape(xi, v, z); }
};

class ChartStages {
 public:
  ChartStages(const TreeManifold& manifold, TreeDynamics& dynamics, const ExplicitTableau& tableau);

  /// Stage derivatives at (q0, v0) itself: k_0.
  void evaluate_start(double t, const std::vector<double>& q0, const std::vector<double>& v0,
                      const std::vector<double>& z0);
  /// Stage derivative k_i at time t after k_0 .. k_{i-1}; also leaves xi, q and v of the stage below.
  void evaluate_stage(int i, double t, double h, const std::vector<double>& q0, const std::vector<double>& v0,
                      const std::vector<double>& z0);
  /// Takes a known right-hand side (acceleration and flows) at (q0, v0) for k_0.
  void reuse_start(const std::vector<double>& v0, const ChartVector& known);
  /// sum = h * sum of weights_i k_i.
  void combine(double h, const std::array<double, kMaxStages>& weights, ChartVector& sum) const;

  const ChartVector& k(int i) const { return k_[i]; }
  const std::vector<double>& q() const { return q_; }
  const std::vector<double>& v() const { return v_; }
  const std::vector<double>& xi() const { return xi_; }
  long evaluations() const { return evaluations_; }
  void pass(StateTape& tape) { tape(evaluations_); }

 private:
  const TreeManifold& manifold_;
  TreeDynamics& dynamics_;
  const ExplicitTableau& tableau_;
  std::vector<ChartVector> k_;
  std::vector<double> xi_, v_, q_;
  std::vector<double> z_;  ///< empty where elements have no states
  long evaluations_ = 0;
};

}  // namespace torsor
