#pragma once
// Implicit methods that make a step which does not converge in parts.

#include "torsor/integrator/constrained_integrator.h"
#include "torsor/integrator/constrained_newton.h"

namespace torsor {

class PartedIntegrator : public ConstrainedIntegrator {
 public:
  /// A step that does not converge is made in halves, down to a 64th, before it fails.
  void step(double h) final;

 protected:
  PartedIntegrator(ConstrainedStates& states, ConstrainedState initial)
      : ConstrainedIntegrator(states, std::move(initial)), saved_(state_) {}

  /// Leaves what Newton's method did in report_; whether the state has advanced. If not, it is as it was.
  virtual bool try_step(double h) = 0;
  /// Drops what was learnt from past steps for guesses.
  virtual void forget() = 0;

  ConstrainedNewton::Report report_;

 private:
  bool try_parts(double h, int parts);

  ConstrainedState saved_;  ///< where a step in parts begins
};

}  // namespace torsor
