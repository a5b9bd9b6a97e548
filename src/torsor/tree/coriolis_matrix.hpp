#pragma once
// With the composites M, B of all that j carries (velocity_inertia.h) and J' = [V, J], for i that carries j
// or stands on the same node (Echeandia, Wensing 2021):
//   C_ij = J_i . (M_j J'_j + B_j J_j),   C_ji = J'_i . M_j J_j + J_i . B_j^T J_j.                     (1)
// C_ij + C_ji is the rate of J_i . M_j J_j, since M' = B + B^T.

#include <algorithm>

#include "torsor/base/error.h"
#include "torsor/tree/coriolis_matrix.h"
#include "torsor/tree/node_angles.hpp"
#include "torsor/tree/node_motion.hpp"

namespace torsor {

template <class S>
CoriolisWorkspace<S>::CoriolisWorkspace(const Tree& tree)
    : runs(tree),
      angles(tree.size()),
      X_WN(tree.size()),
      V(tree.size()),
      inertia(tree.size()),
      velocity(tree.size()),
      J(tree.rate_count),
      J_dot(tree.rate_count) {}

template <class S>
void coriolis_matrix(const Tree& tree, CoriolisWorkspace<S>& w, std::span<const S> q, std::span<const S> qd,
                     std::span<S> C) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("C", C.size(), tree.matrix_size());
  const int n = tree.rate_count;
  node_angles(tree, q, std::span(w.angles));
  w.X_WN[0] = {};
  w.V[0] = {};
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      constexpr int count = static_cast<int>(motion.axes.size());
      const Pose<S> X = w.X_WN[node.parent] * motion.pose(node, w.angles[i], q.data() + node.q);
      Twist<S>* const J = w.J.data() + node.v;
      motion.spatial_screws(node, X, J);
      Twist<S> V = w.V[node.parent];
      for (int k = 0; k < count; ++k) V += qd[node.v + k] * J[k];
      for (int k = 0; k < count; ++k) w.J_dot[node.v + k] = bracket(V, J[k]);
      w.inertia[i] = to_parent(X, node.inertia);
      w.velocity[i] = velocity_inertia(w.inertia[i], V, w.inertia[i] * V);
      w.X_WN[i] = X;
      w.V[i] = V;
    });
  }
  if (!w.runs.cover_all_pairs()) std::fill(C.begin(), C.end(), S(0.0));
  for (int i = tree.size() - 1; i > 0; --i) {
    const TreeNode& node = tree.nodes[i];
    const Inertia<S> M = w.inertia[i];
    const VelocityInertia<S> B = w.velocity[i];
    for (int r = node.v; r < node.v + rate_count(node.joint); ++r) {
      const Twist<S>& J = w.J[r];
      const Wrench<S> column = M * w.J_dot[r] + B * J;
      const Wrench<S> row = M * J;
      const Vec3<S> row_turn = transpose_times(B, J);
      for (const RateRun& run : w.runs.of(node.parent)) {
        for (int c = run.first; c < run.end; ++c) {
          C[c * n + r] = dot(w.J[c], column);
          C[r * n + c] = dot(w.J_dot[c], row) + dot(w.J[c].angular, row_turn);
        }
      }
      for (int c = node.v; c < node.v + rate_count(node.joint); ++c) C[c * n + r] = dot(w.J[c], column);
    }
    if (node.parent == 0) continue;
    w.inertia[node.parent] = w.inertia[node.parent] + M;
    w.velocity[node.parent] += B;
  }
  for (const auto& [i, j, k, value] : tree.armature_symbols) C[i * n + j] += value * qd[k];
}

}  // namespace torsor
