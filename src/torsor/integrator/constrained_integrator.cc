#include "torsor/integrator/constrained_integrator.h"

#include <utility>

namespace torsor {
ConstrainedIntegrator::ConstrainedIntegrator(ConstrainedSystem& system, ConstrainedState initial)
    : system_(system), state_(std::move(initial)), clock_(state_.time) {
  state_.z.resize(system.flow_count());
}

}  // namespace torsor
