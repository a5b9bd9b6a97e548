#pragma once
// What a description must satisfy before it is a model. Each function throws ModelError with the key path of
// the fault, and brings to unit length what must have it.

#include "torsor/model/model.h"

namespace torsor {

/// Dimension, gravity, bodies, joints, simulation settings, and every name. Afterwards each joint's frames
/// are resolved from its reference and turned so that its axis is z.
void validate_mechanism(ModelDescription& description);

/// Points, tendons (validate_tendons.cc), springs, loads, actuators, controllers, servos (validate_control.cc), couplings, laws.
/// Fills spring and controller lists that were left out or given as one number.
void validate_elements(ModelDescription& description);

/// Names and lengths of `initial` (validate_initial.cc); whether a pose can be reached is asked by
/// initial_coordinates.
void validate_initial(ModelDescription& description, const Topology& topology);

}  // namespace torsor
