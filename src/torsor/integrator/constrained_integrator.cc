#include "torsor/integrator/constrained_integrator.h"

#include <utility>

namespace torsor {
ConstrainedIntegrator::ConstrainedIntegrator(ConstrainedStates& states, ConstrainedState initial)
    : states_(states) {
  start_at(std::move(initial));
}

void ConstrainedIntegrator::start_at(ConstrainedState initial) {
  state_ = std::move(initial);
  state_.z.resize(states_.flow_count());
  state_.lost.resize(state_.z.size());
  clock_ = Clock(state_.time);
  solver_ = {};
  evaluations_ = 0;
  watch_.forget();
}

}  // namespace torsor
