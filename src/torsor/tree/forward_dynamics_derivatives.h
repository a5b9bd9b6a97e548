#pragma once
// Analytic derivatives of forward dynamics, O(n^2).

#include <span>
#include <vector>

#include "torsor/tree/forward_dynamics.h"
#include "torsor/tree/inverse_dynamics_derivatives.h"
#include "torsor/tree/scalars.h"

namespace torsor {

struct ForwardDynamicsDerivativesWorkspace {
  explicit ForwardDynamicsDerivativesWorkspace(const Tree& tree);

  ForwardDynamicsWorkspace<double> forward;
  InverseDynamicsDerivativesWorkspace<double> inverse;
  std::vector<double> effort;
  std::vector<int> node_of;         ///< by rate
  std::vector<Wrench<Pack8>> bias;  ///< of the nodes, eight right-hand sides at once
  std::vector<Twist<Pack8>> acceleration;
  std::vector<Pack8> solution;  ///< by rate
  std::vector<Pack8> product;   ///< a matrix by rows of packs, the last one padded; for small trees
};

/// qdd = forward dynamics of (q, qd, effort), and its partial derivatives, row-major as in
/// inverse_dynamics_derivatives:
///   d qdd/d effort = M^-1,   d qdd/dq = -M^-1 dQ/dq,   d qdd/dqd = -M^-1 dQ/dqd   at (q, qd, qdd).
void forward_dynamics_derivatives(const Tree& tree, ForwardDynamicsDerivativesWorkspace& workspace,
                                  std::span<const double> q, std::span<const double> qd,
                                  std::span<const double> effort, std::span<double> qdd,
                                  std::span<double> by_q, std::span<double> by_qd,
                                  std::span<double> by_effort);

}  // namespace torsor
