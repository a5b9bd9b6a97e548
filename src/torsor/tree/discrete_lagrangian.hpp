#pragma once

#include "torsor/base/error.h"
#include "torsor/tree/configuration.hpp"
#include "torsor/tree/discrete_lagrangian.h"
#include "torsor/tree/node_angles.hpp"
#include "torsor/tree/node_motion.hpp"

namespace torsor {

template <class S>
LagrangianWorkspace<S>::LagrangianWorkspace(const Tree& tree)
    : angles(tree.size()),
      X_PN(tree.size()),
      V(tree.size()),
      carried(tree.size()),
      gravity(tree.size()),
      momentum(tree.size()),
      force(tree.size()) {}

template <class S>
void lagrangian_derivatives(const Tree& tree, LagrangianWorkspace<S>& workspace, std::span<const S> q,
                            std::span<const S> v, std::span<const Wrench<S>> applied, std::span<S> p,
                            std::span<S> dL_dq) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("v", v.size(), tree.rate_count);
  require_size_or_none("applied", applied.size(), tree.size());
  require_size("p", p.size(), tree.rate_count);
  require_size("dL_dq", dL_dq.size(), tree.rate_count);
  auto& X_PN = workspace.X_PN;
  auto& V = workspace.V;
  auto& carried = workspace.carried;
  auto& gravity = workspace.gravity;
  auto& momentum = workspace.momentum;
  auto& force = workspace.force;
  node_angles(tree, q, std::span(workspace.angles));
  V[0] = {};
  gravity[0] = as_scalar<S>(tree.gravity);
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      X_PN[i] = motion.pose(node, workspace.angles[i], q.data() + node.q);
      carried[i] = to_child(X_PN[i], V[node.parent]);
      V[i] = carried[i] + motion.twist(node, v.data() + node.v);
    });
    gravity[i] = transpose_times(X_PN[i].R, gravity[node.parent]);
    momentum[i] = node.inertia * V[i];
    force[i] = {cross(node.inertia.first_moment, gravity[i]), node.inertia.mass * gravity[i]};
    if (!applied.empty()) force[i] += applied[i];
  }
  for (int i = tree.size() - 1; i > 0; --i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      motion.project(node, momentum[i], p.data() + node.v);
      motion.project(node, coadjoint(carried[i], momentum[i]) + force[i], dL_dq.data() + node.v);  // (1)
    });
    if (node.parent == 0) continue;
    momentum[node.parent] += to_parent(X_PN[i], momentum[i]);
    force[node.parent] += to_parent(X_PN[i], force[i]);
  }
  for (std::size_t r = 0; r < tree.armature.size(); ++r) p[r] += tree.armature[r] * v[r];
}

template <class S>
void end_momenta(const Tree& tree, double h, std::span<const S> xi, std::span<const S> p,
                 std::span<const S> f, std::span<S> p0, std::span<S> p1) {
  require_size("xi", xi.size(), tree.rate_count);
  require_size("p", p.size(), tree.rate_count);
  require_size("f", f.size(), tree.rate_count);
  require_size("p0", p0.size(), tree.rate_count);
  require_size("p1", p1.size(), tree.rate_count);
  for (const TreeNode& node : tree.nodes) {
    const int k = node.v;
    with_manifold(node.joint, [&](auto manifold) {
      manifold.end_momenta(0.5 * h, xi.data() + k, p.data() + k, f.data() + k, p0.data() + k, p1.data() + k);
    });
  }
}

}  // namespace torsor
