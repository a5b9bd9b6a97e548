#pragma once
// The mass matrix by composite bodies: O(n depth).

#include <array>
#include <span>
#include <vector>

#include "tree/node_angle.h"
#include "tree/tree.h"

namespace torsor {

template <class S>
struct MassMatrixWorkspace {
  explicit MassMatrixWorkspace(const Tree& tree);

  std::vector<SineCosine<S>> angles;
  std::vector<Pose<S>> X_WN;
  std::vector<Inertia<S>> composite;  ///< of a node and all it carries
  std::vector<Twist<S>> J;            ///< joint screws by rate
  std::array<std::vector<S>, 6>
      J_by_component;  ///< the same, a row for each component: rows are what SIMD reads

  /// The rates of a node and its ancestors as few runs of neighbours: rows of M are filled run by run.
  struct Run {
    int first, end;
  };
  std::vector<Run> runs;
  std::vector<int> runs_end;  ///< of each node, in `runs`; they begin where those of the node before it end
  bool is_full = false;       ///< every two rates share a way to the ground: no entry of M is zero for good
};

/// M, both triangles, rate_count x rate_count (symmetric, so row- or column-major alike).
template <class S>
void mass_matrix(const Tree& tree, MassMatrixWorkspace<S>& workspace, std::span<const S> q, std::span<S> M);

}  // namespace torsor
