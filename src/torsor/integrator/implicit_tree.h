#pragma once
// What implicit methods on trees share: a step is predicted, solved and committed.

#include <algorithm>
#include <memory>

#include "torsor/formulation/tree_system.h"
#include "torsor/integrator/extrapolation.h"
#include "torsor/integrator/integrator.h"
#include "torsor/numerics/anderson.h"
#include "torsor/numerics/newton.h"

namespace torsor {

/// A method says how its unknowns are found, what the end of the step follows from them, and how the state
/// moves there. Where the unknowns are not found, or the end is not finite, the state stays.
class ImplicitTreeIntegrator : public TreeIntegrator {
 public:
  void step(double h) final;
  void pass(StateTape& tape) override;

 protected:
  ImplicitTreeIntegrator(const TreeManifold& manifold, TreeState initial);
  /// One step, without the clock.
  void take(double begin, double end, double h);
  virtual const char* advice(bool finite) const;  ///< where the unknowns are not found

  Clock clock_;

 private:
  virtual NewtonReport solve(const Interval& times, double h) = 0;  ///< from what the last steps let expect
  virtual bool complete(const Interval& times, double h) = 0;       ///< the end; false if it is not finite
  virtual void commit(const Interval& times, double h) = 0;
  virtual void forget() = 0;  ///< the last steps
};

/// Rates, or what a step adds to them, as the only unknowns of a step. They are guessed from the last steps
/// and found with a tangent, or, in large trees, by Anderson's acceleration in O(n), until that fails. Where
/// that takes many iterations, since tensions along a chain grow stiff with its length or joints have springs,
/// the inverse of the stiff part of the tangent goes in front of it, O(n) too.
class RateSolver {
 public:
  struct Policy {
    int large_above;     ///< so many rates, Anderson's acceleration comes first
    int dense_up_to;     ///< so many rates, there is a tangent
    bool keeps_tangent;  ///< once it was needed
  };
  RateSolver(int rates, const Policy& policy, const StageDynamics& system);

  /// Leaves the unknowns in x(). `guess` are those of a step without steps before it; `residual` and
  /// `linearize` as for DenseNewton; `factorise(inverse)` at the state of the last residual, with one factor.
  /// Where the last steps are no guess, as after a kink, `guess` is.
  template <class Residual, class Linearize, class Factorise>
  NewtonReport solve(double h, std::span<const double> guess, double scale, const NewtonSettings& settings,
                     Residual&& residual, Linearize&& linearize, Factorise&& factorise);
  std::vector<double>& x() { return x_; }
  void remember();  ///< x
  void forget() { history_.forget(); }
  void pass(StateTape& tape);

 private:
  void predict(double h, std::span<const double> guess);
  template <class Residual, class Factorise>
  NewtonReport accelerate(double scale, const NewtonSettings& settings, Residual&& residual,
                          Factorise&& factorise);
  void apply_inverse(std::span<double> r);

  static constexpr int kPatience = 15;        ///< so many iterations cost more than a tangent, at least
  static constexpr int kWorthAnInverse = 12;  ///< so many iterations without cost more than those with it
  Policy policy_;
  std::unique_ptr<DenseNewton> dense_;
  std::unique_ptr<Anderson> large_;
  std::unique_ptr<StiffInverse> stiff_;
  std::vector<Complex> stiff_x_;
  bool needs_tangent_ = false, use_inverse_ = false;
  std::vector<double> x_;
  Extrapolation history_;  ///< of steps of the length last_h_
  double last_h_ = 0;
};

template <class Residual, class Factorise>
NewtonReport RateSolver::accelerate(double scale, const NewtonSettings& settings, Residual&& residual,
                                    Factorise&& factorise) {
  bool factorised = false;
  return large_->solve(x_, scale, settings, [&](std::span<const double> x, std::span<double> r) {
    residual(x, r);
    if (!use_inverse_) return;
    if (!factorised) factorise(*stiff_);
    factorised = true;
    apply_inverse(r);
  });
}

template <class Residual, class Linearize, class Factorise>
NewtonReport RateSolver::solve(double h, std::span<const double> guess, double scale,
                               const NewtonSettings& settings, Residual&& residual, Linearize&& linearize,
                               Factorise&& factorise) {
  NewtonReport report;
  for (const bool again : {false, true}) {
    if (again && history_.steps() == 0) break;
    if (again) forget();
    while (large_ && !needs_tangent_) {
      const bool has_more = stiff_ && !use_inverse_;
      NewtonSettings brief = settings;
      if (has_more || dense_) brief.max_iterations = std::min(brief.max_iterations, kPatience);
      predict(h, guess);
      report = accelerate(scale, brief, residual, factorise);
      if (report.iterations >= kWorthAnInverse || !report.converged) use_inverse_ = stiff_ != nullptr;
      if (report.converged) return report;
      if (!has_more) break;
    }
    if (dense_) {
      predict(h, guess);
      report = dense_->solve(x_, scale, settings, residual, linearize);
      needs_tangent_ = report.converged && policy_.keeps_tangent;
      if (report.converged) return report;
    }
  }
  return report;
}

}  // namespace torsor
