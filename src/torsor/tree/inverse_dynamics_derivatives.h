#pragma once
// Analytic derivatives of inverse dynamics, O(n depth).

#include <span>
#include <vector>

#include "torsor/tree/node_angle.h"
#include "torsor/tree/rate_runs.h"
#include "torsor/tree/screw_rows.h"
#include "torsor/tree/tree.h"
#include "torsor/tree/velocity_inertia.h"

namespace torsor {

template <class S>
struct InverseDynamicsDerivativesWorkspace {
  explicit InverseDynamicsDerivativesWorkspace(const Tree& tree);

  RateRuns runs;
  std::vector<SineCosine<S>> angles;
  std::vector<Pose<S>> X_WN;
  std::vector<Twist<S>> V, A;                  ///< spatial, of the nodes; -gravity on the ground
  std::vector<Inertia<S>> inertia;             ///< composite
  std::vector<VelocityInertia<S>> velocity;    ///< composite
  std::vector<Wrench<S>> F;                    ///< composite
  std::vector<Twist<S>> J, Psi, Psi_dot, sum;  ///< by rate: J, Psi', Psi'', Psi' + J'
  ScrewRows<S> J_rows, Psi_rows, Psi_dot_rows, sum_rows;
};

/// effort = inverse dynamics of (q, qd, qdd), and its partial derivatives, row-major: entry (i, j) at i * n +
/// j is that of effort i by coordinate (or rate) j. Derivatives by a spherical, planar or free node are along
/// its body-fixed increments.
template <class S>
void inverse_dynamics_derivatives(const Tree& tree, InverseDynamicsDerivativesWorkspace<S>& workspace,
                                  std::span<const S> q, std::span<const S> qd, std::span<const S> qdd,
                                  std::span<S> effort, std::span<S> by_q, std::span<S> by_qd);

}  // namespace torsor
