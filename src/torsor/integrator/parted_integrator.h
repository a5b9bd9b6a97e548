#pragma once
// Implicit methods that make a step which does not converge in parts.

#include "torsor/integrator/constrained_integrator.h"
#include "torsor/integrator/constrained_newton.h"

namespace torsor {

class PartedIntegrator : public ConstrainedIntegrator {
 public:
  /// A step that is not found is halved, and of its parts those that are not found, again and again. So a singular position
  /// takes short parts, and what is before and after it does not. If no parts keep the energy, they may lose a little.
  void step(double h) final;

 protected:
  PartedIntegrator(ConstrainedStates& states, ConstrainedState initial)
      : ConstrainedIntegrator(states, std::move(initial)), saved_(state_) {}

  /// Leaves what Newton's method did in report_; whether the state has advanced. If not, it is as it was.
  virtual bool try_step(double h) = 0;
  /// Drops what was learnt from past steps for guesses.
  virtual void forget() = 0;

  ConstrainedNewton::Report report_;
  bool has_refused_ = false;  ///< a step that is near a solution, but does not keep the energy
  bool in_parts_ = false;     ///< the step was not found as a whole
  double leniency_ = 1;       ///< how much more than it should a step may lose of the energy

 private:
  bool try_parts(double h, int halvings);
  bool try_part(double h, int halvings);

  ConstrainedState saved_;  ///< where a step in parts begins
  int tries_left_ = 0;
};

}  // namespace torsor
