#pragma once
// Inverse dynamics as a linear function of the inertial parameters of the bodies: what identification and
// adaptive control need.

#include <span>
#include <vector>

#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/rate_runs.h"
#include "torsor/tree/tree.h"

namespace torsor {

inline constexpr int kInertialParameters = 10;

/// pi of one body in its own frame: mass, first moment x y z, tensor about the origin xx yy zz xy xz yz.
void set_inertial_parameters(const Inertia<double>& I, std::span<double> pi);

template <class S>
struct RegressorWorkspace {
  explicit RegressorWorkspace(const Tree& tree);

  RateRuns runs;
  InverseDynamicsWorkspace<S> motion;
  std::vector<S> effort;
  std::vector<Pose<S>> X_WN;
  std::vector<Twist<S>> J;
};

/// Y with Y pi = efforts of inverse_dynamics without applied wrenches, for whatever parameters pi; those of
/// rotors (armature.h) are left out. Row-major,
/// tree.rate_count rows, ten columns for each body of the model in the model's order. Those of a body that
/// cannot move are zero. O(bodies x depth) beside the clearing of Y.
template <class S>
void inverse_dynamics_regressor(const Tree& tree, RegressorWorkspace<S>& workspace, std::span<const S> q,
                                std::span<const S> qd, std::span<const S> qdd, std::span<S> Y);

}  // namespace torsor
