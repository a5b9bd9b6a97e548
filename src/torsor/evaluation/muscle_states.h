#pragma once
// Muscles in small motions: their activations, and fibres behind elastic tendons, are states beside those of the joints.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "torsor/evaluation/reduced_mechanism.h"

namespace torsor {

/// With w the excitations, at a motion with its states s: f of reduced_mechanism.h changes by f_by_state ds, and
///   ds' = rate_by_u du + rate_by_state ds + rate_by_input dw.
struct MuscleStates {
  std::vector<std::string> states;  ///< `activation.TENDON`, and `fibre.TENDON`: along the path [m]
  std::vector<std::string> inputs;  ///< `excitation.TENDON`
  Eigen::MatrixXd f_by_state, rate_by_u, rate_by_state, rate_by_input;
  bool resting = true;  ///< no state changes there
};

MuscleStates muscle_states(const ReducedMechanism& mechanism, const ReducedConfiguration& at,
                           const ReducedMotion& motion);

}  // namespace torsor
