#include "torsor/integrator/constrained_integrator.h"

#include <utility>

namespace torsor {
ConstrainedIntegrator::ConstrainedIntegrator(ConstrainedStates& states, ConstrainedState initial)
    : states_(states), state_(std::move(initial)), clock_(state_.time) {
  state_.z.resize(states.flow_count());
  state_.lost.resize(state_.z.size());
}

}  // namespace torsor
