#pragma once
// The matrix C(q, qd) for which Mdot - 2 C is skew, O(n depth).

#include <span>
#include <vector>

#include "torsor/tree/node_angle.h"
#include "torsor/tree/rate_runs.h"
#include "torsor/tree/tree.h"
#include "torsor/tree/velocity_inertia.h"

namespace torsor {

template <class S>
struct CoriolisWorkspace {
  explicit CoriolisWorkspace(const Tree& tree);

  RateRuns runs;
  std::vector<SineCosine<S>> angles;
  std::vector<Pose<S>> X_WN;
  std::vector<Twist<S>> V;                   ///< spatial
  std::vector<Inertia<S>> inertia;           ///< composite
  std::vector<VelocityInertia<S>> velocity;  ///< composite
  std::vector<Twist<S>> J, J_dot;            ///< by rate
};

/// C qd are the velocity terms of inverse dynamics, Mdot = C + C^T, and where all rates are derivatives of
/// coordinates C is the one of Christoffel's symbols. Row-major.
template <class S>
void coriolis_matrix(const Tree& tree, CoriolisWorkspace<S>& workspace, std::span<const S> q,
                     std::span<const S> qd, std::span<S> C);

}  // namespace torsor
