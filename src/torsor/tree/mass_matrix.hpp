#pragma once
// Composite bodies in the spatial representation: all in world axes about the world origin, so that the way
// from a joint to each of its ancestors costs one pairing of screws and no frame change. M = J^T M J, Müller
// (81).

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "torsor/base/error.h"
#include "torsor/tree/armature.h"
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

/// Whether M is quicker written to both triangles at once: where it leaves the first cache. Not if the entries
/// of a column lie a multiple of 2 KB apart, for they share one or two sets of that cache then and push each
/// other out, unless joints of several axes write neighbours of a row as well.
template <class S>
inline bool pays_at_once(const Tree& tree) {
  constexpr std::size_t kFirstCache = 32 * 1024;
  const std::size_t row = tree.rate_count * sizeof(S);
  const bool collide = row % 2048 == 0 && tree.rate_count < 2 * (tree.size() - 1);
  return tree.rate_count * row > kFirstCache && !collide;
}

/// Composite inertias and both triangles of M for numbers of which one fills a cache line or half of one: an
/// entry is written to its two places as it comes, in the shade of the arithmetic, and the rows of a joint are
/// taken together, so that a screw is loaded once.
template <class S>
[[gnu::noinline]] void pair_screws(const Tree& tree, MassMatrixWorkspace<S>& workspace, S* const M) {
  auto* const composite = workspace.composite.data();
  auto* const J = workspace.J.data();
  const int rates = tree.rate_count;
  for (int i = tree.size() - 1; i > 0; --i) {
    const TreeNode& node = tree.nodes[i];
    const Inertia<S> I = composite[i];
    if (node.parent != 0) composite[node.parent] = composite[node.parent] + I;
    with_motion(node.joint, [&](auto motion) {
      constexpr int kAxes = static_cast<int>(motion.axes.size());
      std::array<Wrench<S>, kAxes> F;
      for (int k = 0; k < kAxes; ++k) F[k] = I * J[node.v + k];
      S* const rows = M + node.v * rates;
      for (const RateRun& run : workspace.runs.of(i)) {
        for (int c = run.first; c < run.end; ++c) {
          const Twist<S> screw = J[c];
          for (int k = 0; k < kAxes; ++k) {
            const S entry = dot(screw, F[k]);
            rows[k * rates + c] = entry;
            M[c * rates + node.v + k] = entry;
          }
        }
      }
    });
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
  if constexpr (!std::is_same_v<S, double>) {
    if (pays_at_once<S>(tree)) {
      pair_screws(tree, workspace, M.data());
      return add_rotor_inertia(tree, M);
    }
  }
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
  add_rotor_inertia(tree, M);
}

}  // namespace torsor
