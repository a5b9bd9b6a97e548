#pragma once
// How many ways a mechanism with loops can move.

#include "model/model.h"

namespace torsor {

struct Mobility {
  int dof = 0;                    ///< independent rates of the whole mechanism
  int redundant_constraints = 0;  ///< of the loop joints: those that follow from the others
};

/// By the rank of the loop conditions in the configuration q of all joints (model/initial.h), where the loops
/// are taken as closed. A singular configuration has more freedom than those around it.
Mobility mobility(const Model& model, const std::vector<double>& q);

}  // namespace torsor
