#pragma once
// The mass matrix by composite bodies: O(n depth).

#include <span>
#include <vector>

#include "torsor/tree/node_angle.h"
#include "torsor/tree/rate_runs.h"
#include "torsor/tree/screw_rows.h"
#include "torsor/tree/tree.h"

namespace torsor {

template <class S>
struct MassMatrixWorkspace {
  explicit MassMatrixWorkspace(const Tree& tree);

  std::vector<SineCosine<S>> angles;
  std::vector<Pose<S>> X_WN;
  std::vector<Inertia<S>> composite;  ///< of a node and all it carries
  std::vector<Twist<S>> J;            ///< joint screws by rate
  ScrewRows<S> J_rows;                ///< the same, for plain numbers: a pack of states is in SIMD already
  RateRuns runs;
};

/// M, both triangles, rate_count x rate_count (symmetric, so row- or column-major alike).
template <class S>
void mass_matrix(const Tree& tree, MassMatrixWorkspace<S>& workspace, std::span<const S> q, std::span<S> M);

}  // namespace torsor
