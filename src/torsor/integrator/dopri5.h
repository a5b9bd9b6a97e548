#pragma once
// Dormand and Prince's method of order 5(4) on the configuration manifold, with step control and dense
// output.

#include <string>
#include <utility>

#include "torsor/integrator/chart_stages.h"
#include "torsor/integrator/integrator.h"
#include "torsor/integrator/switch_sides.h"

namespace torsor {

/// Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), II.4-II.6. The error of a step
/// is measured in the chart at its start, in the largest norm of err_i / (tolerance (1 + |y_i|)): relative
/// and absolute at once, for increments, rates, flows and states of elements alike (flows by the largest of them). `step(h)`
/// moves the output by h; the steps inside are chosen by the tolerance, run ahead of the output, end exactly
/// on breakpoints of programs, and the output is interpolated between them with order 4. Where a switch of
/// the system changes its sign in a step (a stop is touched or left), the zero is found on the interpolation
/// and the step made again to end there.
class Dopri5 : public TreeIntegrator {
 public:
  struct Settings {
    double tolerance = 1e-9;
    double max_step = 0;         ///< [s]; 0: none
    long max_attempts = 100000;  ///< inner steps in one step of the output
  };

  Dopri5(TreeSystem& system, TreeState initial, const Settings& settings);
  Dopri5(TreeSystem& system, TreeState initial) : Dopri5(system, std::move(initial), Settings{}) {}
  void step(double h) override;
  bool finds_switches() const override { return true; }
  void expect_jump() override;
  void pass(StateTape& tape) override;

  long accepted() const { return accepted_; }
  long rejected() const { return rejected_; }

 private:
  void start();
  double first_step();
  void advance(long& attempts);
  double propose_end(bool& on_breakpoint);
  bool is_switched(double end);
  double first_switch(double h);
  void change_sides();
  void interpolate(double s);
  double error_norm() const;
  void accept(double end, bool on_breakpoint);
  void prepare_dense(double h);
  void output_at(double t);
  [[noreturn]] void fail(double h, const std::string& advice);

  Settings settings_;
  ChartStages stages_;
  Clock clock_;      ///< of the output
  TreeState front_;  ///< where the inner steps are
  TreeState back_;   ///< where the last of them began
  ChartVector increment_, error_, known_, at_;
  ChartVector dense3_, dense4_,
      dense5_;              ///< Hairer's coefficients; the first two are back_ and the increment
  double h_ = 0;            ///< proposed
  SwitchSides sides_;       ///< at the front
  std::vector<double> q_;   ///< where a change of them is looked for
  double switch_time_ = 0;  ///< of that change; of interest while it lies ahead
  double last_error_ = 1e-4;
  bool started_ = false, fresh_start_ = true;
  long accepted_ = 0, rejected_ = 0;
};

}  // namespace torsor
