#pragma once
// Müller (66)-(67) in body-fixed frames, with the material acceleration of the origins in place of the screw
// acceleration: the recursion of Luh, Walker and Paul.

#include "torsor/base/error.h"
#include "torsor/tree/armature.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/node_angles.hpp"
#include "torsor/tree/node_motion.hpp"

namespace torsor {

template <class S>
InverseDynamicsWorkspace<S>::InverseDynamicsWorkspace(const Tree& tree)
    : angles(tree.size()),
      X_PN(tree.size()),
      omega(tree.size()),
      alpha(tree.size()),
      a(tree.size()),
      F(tree.size()) {}

template <class S>
void inverse_dynamics(const Tree& tree, InverseDynamicsWorkspace<S>& workspace, std::span<const S> q,
                      std::span<const S> qd, std::span<const S> qdd, std::span<const Wrench<S>> applied,
                      std::span<S> effort) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("qdd", qdd.size(), tree.rate_count);
  require_size_or_none("applied", applied.size(), tree.size());
  require_size("effort", effort.size(), tree.rate_count);
  auto* const X_PN = workspace.X_PN.data();
  auto* const omega = workspace.omega.data();
  auto* const alpha = workspace.alpha.data();
  auto* const a = workspace.a.data();
  auto* const F = workspace.F.data();
  node_angles(tree, q, std::span(workspace.angles));
  // Gravity as an acceleration of the ground: every body then feels its weight.
  omega[0] = {};
  alpha[0] = {};
  a[0] = as_scalar<S>(-tree.gravity);
  F[0] = {};

  const int n = tree.size();
  for (int i = 1; i < n; ++i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      const Pose<S> X = motion.pose(node, workspace.angles[i], q.data() + node.q);
      const Vec3<S>& omega_P = omega[node.parent];
      const Vec3<S>& alpha_P = alpha[node.parent];
      Vec3<S> w = transpose_times(X.R, omega_P);
      Vec3<S> wd = transpose_times(X.R, alpha_P);
      Vec3<S> acc =
          transpose_times(X.R, a[node.parent] + cross(alpha_P, X.p) + cross(omega_P, cross(omega_P, X.p)));
      motion.add_velocity(node, qd.data() + node.v, w, wd, acc);    // (66b)
      motion.add_acceleration(node, qdd.data() + node.v, wd, acc);  // (66c)

      const Inertia<double>& I = node.inertia;
      const Vec3<double>& mc = I.first_moment;
      F[i] = {I.about_origin * wd + cross(w, I.about_origin * w) + cross(mc, acc),
              I.mass * acc + cross(wd, mc) + cross(w, cross(w, mc))};
      X_PN[i] = X;
      omega[i] = w;
      alpha[i] = wd;
      a[i] = acc;
    });
  }
  if (!applied.empty()) {
    for (int i = 1; i < n; ++i) F[i] -= applied[i];
  }
  for (int i = n - 1; i > 0; --i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint,
                [&](auto motion) { motion.project(node, F[i], effort.data() + node.v); });  // (67b)
    F[node.parent] += to_parent(X_PN[i], F[i]);                                             // (67a)
  }
  if (!tree.armature.empty()) add_rotor_efforts<S>(tree, qd, qdd, effort);
}

}  // namespace torsor
