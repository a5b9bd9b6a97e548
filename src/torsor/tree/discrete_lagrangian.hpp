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
}

/// dexp^-T_{xi} (p - h/2 dexp^T_{xi/2} f) on SE(3).
template <class S>
inline Wrench<S> end_momentum(const Twist<S>& xi, const Wrench<S>& p, const Wrench<S>& half_impulse) {
  const Twist<S> half{0.5 * xi.angular, 0.5 * xi.linear};
  return transpose_times(dexp_inv_se3(xi), Wrench<S>(p - transpose_times(dexp_se3(half), half_impulse)));
}

/// The same on SO(3), where the transpose of dexp_x is dexp_{-x}.
template <class S>
inline Vec3<S> end_momentum(const Vec3<S>& xi, const Vec3<S>& p, const Vec3<S>& half_impulse) {
  const Vec3<S> back = -xi, half = -0.5 * xi;
  return dexp_inv_so3(back) * Vec3<S>(p - dexp_so3(half) * half_impulse);
}

template <class S>
void end_momenta(const Tree& tree, double h, std::span<const S> xi, std::span<const S> p,
                 std::span<const S> f, std::span<S> p0, std::span<S> p1) {
  require_size("xi", xi.size(), tree.rate_count);
  require_size("p", p.size(), tree.rate_count);
  require_size("f", f.size(), tree.rate_count);
  require_size("p0", p0.size(), tree.rate_count);
  require_size("p1", p1.size(), tree.rate_count);
  const double half = 0.5 * h;
  const auto store_planar = [](const Wrench<S>& F, S* out) {
    out[0] = F.moment.z;
    out[1] = F.force.x;
    out[2] = F.force.y;
  };
  for (const TreeNode& node : tree.nodes) {
    const int k = node.v;
    const S *x = xi.data() + k, *pk = p.data() + k, *fk = f.data() + k;
    switch (node.joint) {
      case NodeJoint::fixed:
        break;
      case NodeJoint::revolute:
      case NodeJoint::prismatic:
      case NodeJoint::helical:
        p0[k] = p[k] - half * f[k];
        p1[k] = p[k] + half * f[k];
        break;
      case NodeJoint::spherical: {
        const Vec3<S> turn = vector(x), impulse = half * vector(fk);
        store(end_momentum(turn, vector(pk), impulse), p0.data() + k);  // (2)
        store(end_momentum(Vec3<S>(-turn), vector(pk), Vec3<S>(-impulse)), p1.data() + k);
        break;
      }
      case NodeJoint::planar: {
        const Twist<S> step = planar_twist(x);
        const Wrench<S> momentum{{S(0.0), S(0.0), pk[0]}, {pk[1], pk[2], S(0.0)}};
        const Wrench<S> impulse{{S(0.0), S(0.0), half * fk[0]}, {half * fk[1], half * fk[2], S(0.0)}};
        store_planar(end_momentum(step, momentum, impulse), p0.data() + k);
        store_planar(end_momentum(-step, momentum, -impulse), p1.data() + k);
        break;
      }
      case NodeJoint::free: {
        const Twist<S> step = twist(x);
        const Wrench<S> momentum{vector(pk), vector(pk + 3)};
        const Wrench<S> impulse{half * vector(fk), half * vector(fk + 3)};
        const Wrench<S> begin = end_momentum(step, momentum, impulse);
        const Wrench<S> end = end_momentum(-step, momentum, -impulse);
        store(begin.moment, p0.data() + k);
        store(begin.force, p0.data() + k + 3);
        store(end.moment, p1.data() + k);
        store(end.force, p1.data() + k + 3);
        break;
      }
    }
  }
}

}  // namespace torsor
