#pragma once
// How time advances on a constrained system: the state, and what every method offers.

#include <cassert>
#include <concepts>
#include <vector>

#include "torsor/base/state_tape.h"
#include "torsor/formulation/constrained_system.h"
#include "torsor/integrator/integrator.h"
#include "torsor/integrator/singular_watch.h"

namespace torsor {

template <class S>
struct ConstrainedStateOf {
  double time = 0;
  std::vector<S> x, v;
  std::vector<S> angles;                    ///< that count turns
  std::vector<S> z;                         ///< flows of the ledger since the start, and states of elements
  std::vector<S> lost = {};                 ///< what rounding took from these sums
  std::vector<S> x_lost = {}, v_lost = {};  ///< and from x and v, by methods that keep it; else empty
  double returned = 0;  ///< what rounding did by singular positions, and was taken out of the rates [J]

  void pass(StateTape& tape) requires std::same_as<S, double> {
    tape(time, x, v, angles, z, lost, x_lost, v_lost, returned);
  }
};
using ConstrainedState = ConstrainedStateOf<double>;

class ConstrainedIntegrator {
 public:
  virtual ~ConstrainedIntegrator() = default;

  /// Advances by h > 0. Throws StepFailure and then stands at the last good state. Allocates nothing.
  virtual void step(double h) = 0;
  virtual bool can_restart() const { return false; }
  /// Goes to a state in which the system starts, whose numbers may be others than before (RotationlessWork::take), as if it
  /// were made there. Called where can_restart() alone: who gets here has overridden that and forgotten this.
  virtual void restart(ConstrainedState) { assert(false); }
  /// Forces may jump here, between two steps, where no breakpoint says so.
  virtual void expect_jump() {}
  /// All that the steps to come depend on, the system's memory included.
  virtual void pass(StateTape& tape) {
    tape(state_, clock_, solver_, evaluations_, watch_);
    states_.pass(tape);
  }

  const ConstrainedState& state() const { return state_; }
  const SolverReport& solver() const { return solver_; }
  long evaluations() const { return evaluations_; }  ///< of residuals; a tangent counts as one
  /// Times at which the mechanism passed a singular position.
  const std::vector<double>& singular_times() const { return watch_.times(); }

 protected:
  ConstrainedIntegrator(ConstrainedStates& states, ConstrainedState initial);
  void start_at(ConstrainedState initial);
  /// Readies the system for a step from the state, and watches its loops: ConstrainedStates::begin_step().
  double begin_step() {
    states_.hold_states(state_.z);
    const double loops = states_.begin_step(clock_.time(), state_.x, state_.v, state_.angles);
    watch_.feed(clock_.time(), loops);
    return loops;
  }

  ConstrainedStates& states_;
  ConstrainedState state_;
  Clock clock_;
  SolverReport solver_;
  long evaluations_ = 0;

 private:
  template <class P>
  friend class PackEnergyMomentum;

  SingularWatch watch_;
};

}  // namespace torsor
