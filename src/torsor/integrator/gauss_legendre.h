#pragma once
// The Gauss-Legendre methods on coordinates as they are, quaternions included.

#include <memory>

#include "torsor/integrator/implicit_tree.h"
#include "torsor/integrator/stage_predictor.h"
#include "torsor/numerics/gauss_tableau.h"

namespace torsor {

/// For q' = E(q) v, v' = a(t, q, v), with stages i = 1 .. s at the times t + c_i h:
///   Q_i = q0 + h sum a_ij E(Q_j) V_j                                                    (1)
///   V_i = v0 + Z_i,   Z_i = h sum a_ij a(t_j, Q_j, V_j)                                 (2)
///   q1 = q0 + h sum b_j E(Q_j) V_j,   v1 = v0 + h sum b_j a(t_j, Q_j, V_j)              (3)
/// Order 2s, symmetric. E is linear in quaternions, whose length is a quadratic invariant: (3) keeps it. For
/// given rates (1) is linear and solved to rounding, so that it holds however well (2) is solved. The stages
/// Q_i are shorter; a(t, Q, V) reads their direction, or with unit_quaternions off, as in the thesis, what
/// (1.19) makes of them: then the energy of a single body on a ball joint is quadratic, and kept. The unknowns of (2) are the increments Z. A sweep evaluates all stages; what it corrects is
///   fixed-point: Z_i - h sum a_ij a_j, as in Sætran (2018), 3.1.2
///   newton:      the same times (1 - h A (x) da/dv - h^2 A^2 (x) da/dq)^-1, of which joint springs and
///                dampers are taken, one eigenvalue of A after the other, in O(n); accelerated if slow
/// State and time are summed with compensation: what a step adds is not rounded to the size of the state.
class GaussLegendre : public ImplicitTreeIntegrator {
 public:
  enum class Iteration { newton, fixed_point };
  struct Settings {
    int stages = 2;
    Iteration iteration = Iteration::newton;
    double tolerance = 1e-16;  ///< of what is left of a correction, over the size of the rates
    int max_iterations = 50;
    bool unit_quaternions = true;  ///< of the stages, as the dynamics read them

    friend bool operator==(const Settings&, const Settings&) = default;
  };
  GaussLegendre(TreeSystem& system, TreeState initial, const Settings& settings);
  void pass(StateTape& tape) override {
    ImplicitTreeIntegrator::pass(tape);
    tape(lost_, predictor_, contraction_, usual_sweeps_, use_inverse_, to_accelerate_, is_fixed_point_);
    tape.require((stiff_ || !use_inverse_) && (anderson_ || to_accelerate_ == 0), "no such solver");
  }

  using ImplicitTreeIntegrator::take;
  const TreeState& lost() const { return lost_; }  ///< what compensated sums still owe the state
  void stand_at(const TreeState& state, const TreeState& lost);
  void forget() override { predictor_.forget(); }

 private:
  template <class P>
  friend class PackGaussLegendre;
  using Vector = std::vector<double>;

  NewtonReport solve(const Interval& times, double h) override;
  bool complete(const Interval& times, double h) override;
  void commit(const Interval& times, double h) override;
  const char* advice(bool finite) const override;
  NewtonReport iterate(const Interval& times, double h);
  NewtonReport accelerate(const Interval& times, double h);
  void set_residual(const Interval& times, double h, std::span<const double> Z, std::span<double> r);
  void set_stages(double h, std::span<const double> Z);
  void sum_stages(double h, std::span<double> sums);
  void factorise(double h);
  void apply_inverse(double h, std::span<double> r);
  void predict(double h);
  double scale(double h) const;

  StageDynamics& dynamics_;
  TreeDynamics& states_;  ///< of elements
  Settings settings_;
  double tolerance_;
  GaussTableau tableau_;
  int stages_, rates_, coordinates_, flows_;
  TreeState lost_;
  Vector Z_, V_, A_, P_, Q_, r_;  ///< stage after stage
  Vector times_;
  Vector dq_, dv_, dz_;

  StagePredictor predictor_;
  double contraction_ = 1;  ///< of the sweeps of the last step

  std::unique_ptr<StiffInverse> stiff_;
  double usual_sweeps_ = 0;
  bool use_inverse_ = false;  ///< from the start with springs or dampers in joints, else once sweeps are many
  bool factorised_ = false;
  std::vector<Complex> sigma_, mode_;
  Vector sum_;
  std::unique_ptr<Anderson> anderson_;
  int to_accelerate_ = 0;       ///< steps
  bool is_fixed_point_ = true;  ///< whether Z is what the last accelerations give
};

}  // namespace torsor
