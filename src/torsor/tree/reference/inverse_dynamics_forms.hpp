#pragma once
// One recursion: poses and twists out to the leaves, wrenches back. A form says how the motion of a node
// follows from its parent's, what wrench that motion takes, what of a wrench is the joints' effort, and how a
// wrench goes to the parent. On a tree "i - 1" of the text is the parent and "i + 1" all children.

#include "torsor/base/error.h"
#include "torsor/tree/armature.h"
#include "torsor/tree/node_angles.hpp"
#include "torsor/tree/node_motion.hpp"
#include "torsor/tree/reference/inverse_dynamics_forms.h"
#include "torsor/tree/reference/newton_euler.h"

namespace torsor {

template <class S>
InverseDynamicsFormWorkspace<S>::InverseDynamicsFormWorkspace(const Tree& tree)
    : angles(tree.size()),
      X_PN(tree.size()),
      X_WN(tree.size()),
      V(tree.size()),
      acceleration(tree.size()),
      W(tree.size()),
      J(tree.rate_count) {}

/// sum of J_k x_k over the axes of a motion.
template <class Motion, class S>
inline Twist<S> combination(const Twist<S>* J, const S* x) {
  Twist<S> sum{};
  for (std::size_t k = 0; k < Motion::axes.size(); ++k) sum += x[k] * J[k];
  return sum;
}
template <class Motion, class S>
inline void project_on_screws(const Twist<S>* J, const Wrench<S>& W, S* effort) {
  for (std::size_t k = 0; k < Motion::axes.size(); ++k) effort[k] = dot(J[k], W);
}

template <Representation form, class S>
struct InverseDynamicsForm;

template <class S>
struct InverseDynamicsForm<Representation::spatial, S> {
  template <class Motion>
  static void advance(Motion motion, const TreeNode& node, int i, InverseDynamicsFormWorkspace<S>& w,
                      const S* qd, const S* qdd) {
    Twist<S>* const J = w.J.data() + node.v;
    motion.spatial_screws(node, w.X_WN[i], J);  // (70b)
    const Twist<S> relative = combination<Motion>(J, qd);
    const Twist<S>& V_P = w.V[node.parent];
    w.V[i] = V_P + relative;  // (70c)
    // The text's ad of V_{i-1} on V_i: on V_{i-1} itself it is nothing.
    w.acceleration[i] =
        w.acceleration[node.parent] + combination<Motion>(J, qdd) + bracket(V_P, relative);  // (70d)
    const Inertia<S> M = to_parent(w.X_WN[i], node.inertia);                                 // (71a)
    w.W[i] = newton_euler(M, w.V[i], w.acceleration[i]);
  }
  template <class Motion>
  static void project(Motion, const TreeNode& node, int i, const InverseDynamicsFormWorkspace<S>& w,
                      S* effort) {
    project_on_screws<Motion>(w.J.data() + node.v, w.W[i], effort);  // (71c)
  }
  static Wrench<S> at_parent(int, int i, const InverseDynamicsFormWorkspace<S>& w) {
    return w.W[i];  // (71b)
  }
};

template <class S>
struct InverseDynamicsForm<Representation::hybrid, S> {
  template <class Motion>
  static void advance(Motion motion, const TreeNode& node, int i, InverseDynamicsFormWorkspace<S>& w,
                      const S* qd, const S* qdd) {
    const Pose<S>& X = w.X_WN[i];
    Twist<S>* const J = w.J.data() + node.v;
    motion.spatial_screws(node, Pose<S>{X.R, {}}, J);  // (75b)
    const Twist<S> relative = combination<Motion>(J, qd);
    const Twist<S> relative_rate = combination<Motion>(J, qdd);
    const Twist<S>& V_P = w.V[node.parent];
    const Twist<S>& A_P = w.acceleration[node.parent];
    const Vec3<S> arm = X.p - w.X_WN[node.parent].p;
    const Vec3<S> arm_rate = cross(V_P.angular, arm) + relative.linear;
    const Vec3<S> omega = V_P.angular + relative.angular;
    w.V[i] = {omega, V_P.linear + arm_rate};  // (75c)
    w.acceleration[i] = {A_P.angular + cross(omega, relative.angular) + relative_rate.angular,
                         A_P.linear + cross(A_P.angular, arm) + cross(V_P.angular, arm_rate) +
                             cross(omega, relative.linear) + relative_rate.linear};  // (75d)
    const Inertia<double>& I = node.inertia;
    const Inertia<S> M{S(I.mass), X.R * I.first_moment, rotate(X.R, I.about_origin)};  // (76a)
    w.W[i] = newton_euler_hybrid(M, omega, w.acceleration[i]);
  }
  template <class Motion>
  static void project(Motion, const TreeNode& node, int i, const InverseDynamicsFormWorkspace<S>& w,
                      S* effort) {
    project_on_screws<Motion>(w.J.data() + node.v, w.W[i], effort);  // (76c)
  }
  static Wrench<S> at_parent(int parent, int i, const InverseDynamicsFormWorkspace<S>& w) {
    const Wrench<S>& W = w.W[i];
    return {W.moment + cross(w.X_WN[i].p - w.X_WN[parent].p, W.force), W.force};  // (76b)
  }
};

/// Not in the text: the angular recursion is that of (66), the linear one of (75), and so are the wrenches.
/// No inertia is turned, and the tree's own sparse motions serve in body axes.
template <class S>
struct InverseDynamicsForm<Representation::mixed, S> {
  template <class Motion>
  static void advance(Motion motion, const TreeNode& node, int i, InverseDynamicsFormWorkspace<S>& w,
                      const S* qd, const S* qdd) {
    const Pose<S>& X_PN = w.X_PN[i];
    const Vec3<S>& omega_P = w.V[node.parent].angular;
    const Twist<S>& A_P = w.acceleration[node.parent];
    Vec3<S> omega = transpose_times(X_PN.R, omega_P);
    Vec3<S> alpha = transpose_times(X_PN.R, A_P.angular);
    // Acceleration of the origin beyond the parent's own, in axes of the node.
    Vec3<S> a = transpose_times(X_PN.R, cross(A_P.angular, X_PN.p) + cross(omega_P, cross(omega_P, X_PN.p)));
    motion.add_velocity(node, qd, omega, alpha, a);
    motion.add_acceleration(node, qdd, alpha, a);
    w.V[i].angular = omega;
    w.acceleration[i] = {alpha, A_P.linear + w.X_WN[i].R * a};
    w.W[i] = newton_euler_mixed(node.inertia, w.X_WN[i].R, omega, w.acceleration[i]);
  }
  template <class Motion>
  static void project(Motion motion, const TreeNode& node, int i, const InverseDynamicsFormWorkspace<S>& w,
                      S* effort) {
    motion.project(node, Wrench<S>{w.W[i].moment, transpose_times(w.X_WN[i].R, w.W[i].force)}, effort);
  }
  static Wrench<S> at_parent(int parent, int i, const InverseDynamicsFormWorkspace<S>& w) {
    const Wrench<S>& W = w.W[i];
    const Vec3<S> force_P = transpose_times(w.X_WN[parent].R, W.force);
    return {w.X_PN[i].R * W.moment + cross(w.X_PN[i].p, force_P), W.force};
  }
};

template <Representation form, class S>
void inverse_dynamics_in(const Tree& tree, InverseDynamicsFormWorkspace<S>& workspace, std::span<const S> q,
                         std::span<const S> qd, std::span<const S> qdd, std::span<const Wrench<S>> applied,
                         std::span<S> effort) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("qdd", qdd.size(), tree.rate_count);
  require_size_or_none("applied", applied.size(), tree.size());
  require_size("effort", effort.size(), tree.rate_count);
  using Form = InverseDynamicsForm<form, S>;
  node_angles(tree, q, std::span(workspace.angles));
  auto* const X_WN = workspace.X_WN.data();
  auto* const W = workspace.W.data();
  X_WN[0] = {};
  workspace.V[0] = {};
  workspace.acceleration[0] = {{}, as_scalar<S>(-tree.gravity)};
  W[0] = {};
  const int n = tree.size();
  for (int i = 1; i < n; ++i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      workspace.X_PN[i] = motion.pose(node, workspace.angles[i], q.data() + node.q);
      X_WN[i] = X_WN[node.parent] * workspace.X_PN[i];  // (70a), (75a)
      Form::advance(motion, node, i, workspace, qd.data() + node.v, qdd.data() + node.v);
    });
  }
  if (!applied.empty()) {
    for (int i = 1; i < n; ++i) W[i] -= applied[i];
  }
  for (int i = n - 1; i > 0; --i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint,
                [&](auto motion) { Form::project(motion, node, i, workspace, effort.data() + node.v); });
    W[node.parent] += Form::at_parent(node.parent, i, workspace);
  }
  if (!tree.armature.empty()) add_rotor_efforts<S>(tree, qd, qdd, effort);
}

}  // namespace torsor
