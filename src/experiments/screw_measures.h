#pragma once
// Measures of Müller's algorithms on the tree of a model, at random states with a fixed seed.

#include "experiments/experiment.h"
#include "torsor/tree/representation.h"

namespace torsor {

// Relative differences, largest of all states.
Measure form_difference(int run, Representation form);  ///< of efforts, from the body-fixed recursion
Measure projection_difference(int run);                 ///< Euler-Jourdain equations (78) from the recursion
Measure mass_difference(int run);                       ///< J^T M J (81) from composite bodies
Measure christoffel_difference(int run);                ///< three brackets (86) from Binet's form (87)
Measure velocity_term_difference(int run);              ///< (85) with these symbols from the recursion
Measure jourdain_velocity_difference(int run);          ///< C qd with C of (84) from the recursion
/// Q' and Q'' (6.3) from extrapolated differences of Q along the motion; for trees of single axes.
Measure effort_rate_difference(int run);
Measure effort_acceleration_difference(int run);

/// Multiplications and additions of the recursion in a form, a joint.
Measure operations_per_joint(int run, Representation form);

}  // namespace torsor
