#pragma once
// Where a model starts: computed once, for whoever steps, checks or compares it.

#include <optional>

#include "torsor/assembly/assembly.h"
#include "torsor/assembly/mobility.h"
#include "torsor/assembly/servo_check.h"
#include "torsor/base/error.h"

namespace torsor {

struct ConstrainedMechanism;
template <class S>
struct ConstrainedStateOf;
using ConstrainedState = ConstrainedStateOf<double>;
struct TreeState;

struct Start {
  double time = 0;                        ///< [s]
  Assembly assembly;                      ///< coordinates and rates of all joints, and what had to move
  Mobility mobility;                      ///< there
  std::optional<ServoCheck> servos;       ///< if there are any that can be realised
  std::optional<ModelError> servo_fault;  ///< why they cannot
};

/// Throws ModelError on an inconsistent start (assembly.h).
Start make_start(const Model& model, Redundant redundant = Redundant::counted);

int loop_rank(const Model& model,
              const Start& start);  ///< of the constraints of loops and couplings, without repeated ones
TreeState tree_state(const Start& start);  ///< of a model without loops
ConstrainedState constrained_state(const Model& model, const Start& start,
                                   const ConstrainedMechanism& mechanism);

}  // namespace torsor
