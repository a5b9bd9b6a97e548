#pragma once

#include "torsor/base/error.h"
#include "torsor/tree/reference/momentum_form.h"
#include "torsor/tree/reference/spatial_forward_dynamics.hpp"

namespace torsor {

template <class S>
MomentumFormWorkspace<S>::MomentumFormWorkspace(const Tree& tree)
    : articulation(tree),
      V(tree.size()),
      drift(tree.size()),
      acceleration(tree.size()),
      bias(tree.size()),
      qdd(tree.rate_count) {}

template <class S>
void node_momenta(const Tree& tree, MomentumFormWorkspace<S>& workspace, std::span<const S> q,
                  std::span<const S> qd, std::span<Wrench<S>> Pi) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("Pi", Pi.size(), tree.size());
  auto& angles = workspace.articulation.angles;
  auto& X_WN = workspace.articulation.X_WN;
  auto& V = workspace.V;
  node_angles(tree, q, std::span(angles));
  X_WN[0] = {};
  V[0] = {};
  Pi[0] = {};
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      X_WN[i] = X_WN[node.parent] * motion.pose(node, angles[i], q.data() + node.q);
      V[i] = V[node.parent] + to_parent(X_WN[i], motion.twist(node, qd.data() + node.v));  // (70c)
    });
    Pi[i] = to_parent(X_WN[i], node.inertia) * V[i];  // (35)
  }
}

template <class S>
void momentum_form(const Tree& tree, MomentumFormWorkspace<S>& workspace, std::span<const S> q,
                   std::span<const Wrench<S>> Pi, std::span<const S> effort,
                   std::span<const Wrench<S>> applied, std::span<S> qd, std::span<Wrench<S>> Pi_rate) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("Pi", Pi.size(), tree.size());
  require_size("effort", effort.size(), tree.rate_count);
  require_size_or_none("applied", applied.size(), tree.size());
  require_size("qd", qd.size(), tree.rate_count);
  require_size("Pi_rate", Pi_rate.size(), tree.size());
  if (!tree.armature.empty()) {
    throw ModelError("joints", "joints without armature, whose rotors have no spatial momentum",
                     "a tree with armature");
  }
  auto& [articulation, V, drift, acceleration, bias, qdd] = workspace;
  const int n = tree.size();
  articulate(tree, articulation, q);
  // Momenta in the place of bias wrenches, twists in that of accelerations: the same sweeps give qd.
  for (int i = 1; i < n; ++i) bias[i] = -Pi[i];
  solve_articulated<S>(tree, articulation, {}, {}, bias, {}, V, qd);

  for (int i = 1; i < n; ++i) {
    const TreeNode& node = tree.nodes[i];
    drift[i] = bracket(V[node.parent], V[i]);  // (70d)
    Pi_rate[i] = -coadjoint(V[i], Pi[i]);
    bias[i] = Pi_rate[i];
    if (!applied.empty()) bias[i] -= applied[i];
  }
  // J^T (Pi' - applied - weight) = effort, the first row of (79), with Pi' = M V' - ad_V^T Pi.
  const Twist<S> ground{{}, as_scalar<S>(-tree.gravity)};
  solve_articulated<S>(tree, articulation, ground, drift, bias, effort, acceleration, qdd);
  Pi_rate[0] = {};
  for (int i = 1; i < n; ++i) Pi_rate[i] += articulation.M[i] * (acceleration[i] - ground);
}

}  // namespace torsor
