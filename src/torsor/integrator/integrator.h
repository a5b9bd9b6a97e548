#pragma once
// How time advances on a tree: the state, and what every method offers.

#include <span>
#include <string>
#include <vector>

#include "torsor/base/compensated_sum.h"
#include "torsor/base/pack_math.h"
#include "torsor/base/state_tape.h"
#include "torsor/formulation/tree_system.h"

namespace torsor {

struct TreeState {
  double time = 0;
  std::vector<double> q, v;  ///< configuration, body-fixed rates
  std::vector<double> z;     ///< flows of the ledger since the start

  void pass(StateTape& tape) { tape(time, q, v, z); }
};

/// Time as a sum of steps without the drift of rounding (Kahan): 1e6 steps of 0.01 end within an ulp of 1e4.
class Clock {
 public:
  explicit Clock(double start = 0) : time_(start) {}
  double time() const { return time_; }
  double after(double h) const { return time_ + (h - lost_); }
  void advance(double h) {
    const double step = h - lost_;
    const double sum = time_ + step;
    lost_ = (sum - time_) - step;
    time_ = sum;
  }
  void pass(StateTape& tape) { tape(time_, lost_); }

 private:
  double time_, lost_ = 0;
};

/// The limits of programs from within a step (begin, end): where it starts or ends on a breakpoint, up to
/// rounding, times are moved to the inner side of it.
struct Interval {
  double begin, end;
  double at(double fraction) const;
};
Interval inside(const std::vector<double>& breakpoints, double begin, double end);

struct SolverReport {
  int iterations = 0;   ///< of the last step; 0 for explicit methods
  double residual = 0;  ///< last correction, or error estimate

  void pass(StateTape& tape) { tape(iterations, residual); }
};

/// One method on one system, with its own state.
class TreeIntegrator {
 public:
  virtual ~TreeIntegrator() = default;

  /// Advances by h > 0. Throws StepFailure and then stands at the last good state. Allocates nothing.
  virtual void step(double h) = 0;

  /// Forces may jump here, between two steps, where no breakpoint says so.
  virtual void expect_jump() {}
  /// All that the steps to come depend on, beside the system.
  virtual void pass(StateTape& tape) { tape(state_, solver_, evaluations_); }

  /// Whether its own steps end where a switch of the system changes sides.
  virtual bool finds_switches() const { return false; }

  /// What a reader of the ledger has to know of the way it steps; usually nothing.
  virtual std::string note() const { return ""; }

  const TreeState& state() const { return state_; }
  const SolverReport& solver() const { return solver_; }
  long evaluations() const { return evaluations_; }  ///< of the right-hand side; a tangent counts as one

 protected:
  TreeIntegrator(const TreeManifold& manifold, TreeState initial);

  /// Of the rates; their change by 1 rad/s^2 or 1 m/s^2 stands in where nothing moves.
  double rate_scale(double h) const;
  Interval inside(double begin, double end) const {
    return torsor::inside(manifold_.breakpoints(), begin, end);
  }

  const TreeManifold& manifold_;
  TreeState state_;
  SolverReport solver_;
  long evaluations_ = 0;
};

/// Lane by lane.
template <class S>
MaskOf<S> all_finite(std::span<const S> values) {
  S sum(0.0);
  for (const S& value : values) sum += 0.0 * value;  // not a number if value is infinite or none
  return sum == 0.0;
}
inline bool all_finite(const std::vector<double>& values) { return all_finite<double>(values); }
/// sum += increment, with what rounding takes from it kept for the next time (Kahan, by Knuth's exact sum).
template <class S>
void add_compensated(std::span<const S> increment, std::vector<S>& sum, std::vector<S>& lost) {
  for (std::size_t i = 0; i < sum.size(); ++i) add_exactly(increment[i], sum[i], lost[i]);
}
inline void add_compensated(std::span<const double> increment, std::vector<double>& sum,
                            std::vector<double>& lost) {
  add_compensated<double>(increment, sum, lost);
}

}  // namespace torsor
