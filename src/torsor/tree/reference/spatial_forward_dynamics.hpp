#pragma once

#include "torsor/base/error.h"
#include "torsor/tree/armature.h"
#include "torsor/tree/node_angles.hpp"
#include "torsor/tree/node_motion.hpp"
#include "torsor/tree/reference/spatial_forward_dynamics.h"
#include "torsor/tree/representation.h"

namespace torsor {

template <class S>
SpatialArticulation<S>::SpatialArticulation(const Tree& tree)
    : angles(tree.size()),
      X_WN(tree.size()),
      M(tree.size()),
      J(tree.rate_count),
      transmits(tree.size()),
      U(tree.rate_count),
      D_inverse(tree.rate_count) {}

template <class S>
SpatialForwardDynamicsWorkspace<S>::SpatialForwardDynamicsWorkspace(const Tree& tree)
    : articulation(tree), V(tree.size()), drift(tree.size()), bias(tree.size()), acceleration(tree.size()) {}

template <class S>
void articulate(const Tree& tree, SpatialArticulation<S>& articulation, std::span<const S> q) {
  require_size("q", q.size(), tree.coordinate_count);
  auto& X_WN = articulation.X_WN;
  auto& M = articulation.M;
  auto& J = articulation.J;
  auto& I = articulation.transmits;
  auto& U = articulation.U;
  auto& D_inverse = articulation.D_inverse;
  node_angles(tree, q, std::span(articulation.angles));
  X_WN[0] = {};
  const int n = tree.size();
  for (int i = 1; i < n; ++i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      X_WN[i] = X_WN[node.parent] * motion.pose(node, articulation.angles[i], q.data() + node.q);
      motion.spatial_screws(node, X_WN[i], J.data() + node.v);
    });
    M[i] = to_parent(X_WN[i], node.inertia);
    I[i] = inertia_blocks(M[i]);
  }
  for (int i = n - 1; i > 0; --i) {
    const TreeNode& node = tree.nodes[i];
    const int end = node.v + rate_count(node.joint);
    for (int k = node.v; k < end; ++k) {
      U[k] = I[i] * J[k];
      D_inverse[k] = 1.0 / (dot(J[k], U[k]) + (tree.armature.empty() ? 0.0 : tree.armature[k]));
      subtract_yielding<Remains::all>(I[i], U[k], D_inverse[k]);
    }
    // Through a free joint nothing is felt; what rounding leaves would be.
    if (node.joint == Primitive::free && tree.armature.empty()) {
      I[i] = {};
    } else if (node.parent != 0) {
      I[node.parent] += I[i];
    }
  }
}

template <class S>
void solve_articulated(const Tree& tree, const SpatialArticulation<S>& articulation, const Twist<S>& ground,
                       std::span<const Twist<S>> drift, std::span<Wrench<S>> bias, std::span<const S> effort,
                       std::span<Twist<S>> A, std::span<S> x) {
  require_size_or_none("drift", drift.size(), tree.size());
  require_size("bias", bias.size(), tree.size());
  require_size_or_none("effort", effort.size(), tree.rate_count);
  require_size("A", A.size(), tree.size());
  require_size("x", x.size(), tree.rate_count);
  const auto& J = articulation.J;
  const auto& U = articulation.U;
  const auto& D_inverse = articulation.D_inverse;
  const int n = tree.size();
  for (int i = n - 1; i > 0; --i) {
    const TreeNode& node = tree.nodes[i];
    Wrench<S> p = bias[i];
    const int end = node.v + rate_count(node.joint);
    for (int k = node.v; k < end; ++k) {
      x[k] = (effort.empty() ? S(0.0) : effort[k]) - dot(J[k], p);
      p += (D_inverse[k] * x[k]) * U[k];
    }
    if (!drift.empty()) p += articulation.transmits[i] * drift[i];
    if (node.parent != 0) bias[node.parent] += p;
  }
  A[0] = ground;
  for (int i = 1; i < n; ++i) {
    const TreeNode& node = tree.nodes[i];
    A[i] = A[node.parent];
    if (!drift.empty()) A[i] += drift[i];
    // The rate that was eliminated last felt the others locked: it is released first.
    for (int k = node.v + rate_count(node.joint) - 1; k >= node.v; --k) {
      x[k] = D_inverse[k] * (x[k] - dot(A[i], U[k]));
      A[i] += x[k] * J[k];
    }
  }
}

template <class S>
void spatial_forward_dynamics(const Tree& tree, SpatialForwardDynamicsWorkspace<S>& workspace,
                              std::span<const S> q, std::span<const S> qd, std::span<const S> effort,
                              std::span<const Wrench<S>> applied, std::span<S> qdd) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("effort", effort.size(), tree.rate_count);
  require_size_or_none("applied", applied.size(), tree.size());
  require_size("qdd", qdd.size(), tree.rate_count);
  auto& [articulation, V, drift, bias, acceleration] = workspace;
  articulate(tree, articulation, q);
  V[0] = {};
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    Twist<S> relative{};
    const int end = node.v + rate_count(node.joint);
    for (int k = node.v; k < end; ++k) relative += qd[k] * articulation.J[k];
    V[i] = V[node.parent] + relative;                      // (70c)
    drift[i] = bracket(V[node.parent], relative);          // (70d)
    bias[i] = -coadjoint(V[i], articulation.M[i] * V[i]);  // (71b)
    if (!applied.empty()) bias[i] -= applied[i];
  }
  std::vector<S> given(effort.begin(), effort.end());
  add_rotor_bias(tree, qd, -1.0, std::span<S>(given));
  solve_articulated<S>(tree, articulation, {{}, as_scalar<S>(-tree.gravity)}, drift, bias, given,
                       acceleration, qdd);
}

}  // namespace torsor
