#pragma once
// Composite bodies in the spatial representation: all in world axes about the world origin, so that the way
// from a joint to each of its ancestors costs one pairing of screws and no frame change. M = J^T M J, Müller
// (81).

#include <algorithm>

#include "tree/kinematics.hpp"
#include "tree/mass_matrix.h"
#include "tree/node_angles.hpp"

namespace torsor {

template <class S>
MassMatrixWorkspace<S>::MassMatrixWorkspace(const Tree& tree)
    : angles(tree.size()), X_WN(tree.size()), composite(tree.size()), J(tree.rate_count) {}

template <class S>
void mass_matrix(const Tree& tree, MassMatrixWorkspace<S>& workspace, std::span<const S> q, std::span<S> M) {
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
  std::fill(M.begin(), M.end(), S(0.0));
  for (int i = n - 1; i > 0; --i) {
    const TreeNode& node = tree.nodes[i];
    const Inertia<S> I = composite[i];
    if (node.parent != 0) composite[node.parent] = composite[node.parent] + I;
    for (int r = node.v; r < node.v + rate_count(node.joint); ++r) {
      const Wrench<S> F = I * J[r];
      for (int c = node.v; c <= r; ++c) M[r * rates + c] = M[c * rates + r] = dot(J[c], F);
      for (int k = node.parent; k > 0; k = tree.nodes[k].parent) {
        const int first = tree.nodes[k].v;
        const int last = first + rate_count(tree.nodes[k].joint);
        for (int c = first; c < last; ++c) M[r * rates + c] = M[c * rates + r] = dot(J[c], F);
      }
    }
  }
}

}  // namespace torsor
