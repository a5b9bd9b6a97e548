#pragma once
// Gauss-Legendre with a controlled error: every step once as a whole and once in halves.

#include "torsor/integrator/gauss_legendre.h"
#include "torsor/integrator/switch_sides.h"

namespace torsor {

/// The halves count. Their error is, by Richardson, the difference over 2^2s - 1, measured in the largest
/// norm of err_i / (tolerance (1 + |y_i|)) over coordinates, rates and flows (flows by the largest of them).
/// `step(h)` is divided into as many inner steps as that asks for, one at least; they end on breakpoints of
/// programs, and where a switch of the system changes its side (a stop is touched or left), to which they
/// close in by straight interpolation. Steps that follow the motion are not symmetric: what Gauss's methods owe to that, a bounded
/// energy error, is lost; the length of quaternions is kept.
class StepDoubling : public TreeIntegrator {
 public:
  StepDoubling(TreeSystem& system, TreeState initial, const GaussLegendre::Settings& settings,
               double tolerance);
  void step(double h) override;
  void pass(StateTape& tape) override {
    TreeIntegrator::pass(tape);
    tape(halves_, whole_, clock_, inner_, last_error_, accepted_, rejected_, sides_, switch_time_);
  }
  bool finds_switches() const override { return true; }
  std::string note() const override;

  long accepted() const { return accepted_; }
  long rejected() const { return rejected_; }

 private:
  double try_step(double begin, double end);
  double error_norm() const;
  double propose_end(double target) const;
  bool is_switched(double begin, double end);
  void copy_state(double time);
  [[noreturn]] void fail(double begin, double h, const std::string& advice);

  GaussLegendre halves_, whole_;
  TreeState start_, start_lost_;
  double tolerance_;
  int order_;
  Clock clock_;
  double inner_ = 0;  ///< length of the next inner step; 0: not known
  double last_error_ = 0;
  long accepted_ = 0, rejected_ = 0;
  SwitchSides sides_;
  double switch_time_ = 0;  ///< at which one changes; of interest while it lies ahead
};

}  // namespace torsor
