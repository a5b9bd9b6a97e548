#pragma once
// Composite bodies in the spatial representation: all in world axes about the world origin, so that the way
// from a joint to each of its ancestors costs one pairing of screws and no frame change. M = J^T M J, Müller
// (81).

#include <algorithm>
#include <type_traits>

#include "torsor/base/error.h"
#include "torsor/tree/kinematics.hpp"
#include "torsor/tree/mass_matrix.h"
#include "torsor/tree/node_angles.hpp"

namespace torsor {

template <class S>
MassMatrixWorkspace<S>::MassMatrixWorkspace(const Tree& tree)
    : angles(tree.size()),
      X_WN(tree.size()),
      composite(tree.size()),
      J(tree.rate_count),
      J_rows(std::is_same_v<S, double> ? tree.rate_count : 0),
      runs(tree) {}

/// Copies the lower triangle to the upper one, block by block: a column at a time would touch a cache line
/// for every entry.
template <class S>
inline void mirror(S* M, int n) {
  constexpr int kBlock = 8;
  for (int j = 0; j < n; j += kBlock) {
    const int end = std::min(n, j + kBlock);
    for (int r = j + 1; r < n; ++r) {
      for (int c = j; c < std::min(r, end); ++c) M[c * n + r] = M[r * n + c];
    }
  }
}

template <class S>
void mass_matrix(const Tree& tree, MassMatrixWorkspace<S>& workspace, std::span<const S> q, std::span<S> M) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("M", M.size(), tree.matrix_size());
  auto* const X_WN = workspace.X_WN.data();
  auto* const composite = workspace.composite.data();
  auto* const J = workspace.J.data();
  node_angles(tree, q, std::span(workspace.angles));
  const int n = tree.size();
  const int rates = tree.rate_count;
  X_WN[0] = {};
  for (int i = 1; i < n; ++i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      const Pose<S> X = X_WN[node.parent] * motion.pose(node, workspace.angles[i], q.data() + node.q);
      motion.spatial_screws(node, X, J + node.v);  // (104)
      composite[i] = to_parent(X, node.inertia);   // (34)
      X_WN[i] = X;
    });
  }
  if constexpr (std::is_same_v<S, double>) {
    for (int r = 0; r < rates; ++r) workspace.J_rows.set(r, J[r]);
  }
  if (!workspace.runs.cover_all_pairs()) std::fill(M.begin(), M.end(), S(0.0));
  for (int i = n - 1; i > 0; --i) {
    const TreeNode& node = tree.nodes[i];
    const Inertia<S> I = composite[i];
    if (node.parent != 0) composite[node.parent] = composite[node.parent] + I;
    with_motion(node.joint, [&](auto motion) {
      for (int r = node.v; r < node.v + static_cast<int>(motion.axes.size()); ++r) {
        const Wrench<S> F = I * J[r];
        S* const row = M.data() + r * rates;
        for (const RateRun& run : workspace.runs.of(i)) {
          if constexpr (std::is_same_v<S, double>) {
            fill_pairings(workspace.J_rows, F, run, row);
          } else {
            for (int c = run.first; c < run.end; ++c) row[c] = dot(J[c], F);
          }
          // Ancestors that stand later in the file than their descendants.
          for (int c = std::max(run.first, r + 1); c < run.end; ++c) M[c * rates + r] = row[c];
        }
      }
    });
  }
  mirror(M.data(), rates);
}

}  // namespace torsor
