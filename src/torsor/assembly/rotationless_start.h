#pragma once
// A model in redundant coordinates at its consistent start.

#include "torsor/formulation/constrained_mechanism.h"
#include "torsor/integrator/constrained_integrator.h"

namespace torsor {

struct ConstrainedStart {
  ConstrainedMechanism mechanism;
  ConstrainedState initial;
  std::string assembly;  ///< what had to move (simulation/assembly.h)
};

/// Throws ModelError on an inconsistent start (simulation/assembly.h) and on what the formulation does not
/// have.
ConstrainedStart make_rotationless_start(const Model& model);
ConstrainedStart make_cartesian_start(const Model& model);

}  // namespace torsor
