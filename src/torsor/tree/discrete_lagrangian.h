#pragma once
// What a variational integrator asks of a tree, in O(n): the derivatives of the Lagrangian, and from them
// those of the discrete one.

#include <span>
#include <vector>

#include "torsor/tree/node_angle.h"
#include "torsor/tree/tree.h"

namespace torsor {

template <class S>
struct LagrangianWorkspace {
  explicit LagrangianWorkspace(const Tree& tree);

  std::vector<SineCosine<S>> angles;
  std::vector<Pose<S>> X_PN;         ///< node in its parent
  std::vector<Twist<S>> V, carried;  ///< of the node, and what it would have with its joint at rest
  std::vector<Vec3<S>> gravity;      ///< in axes of the node
  std::vector<Wrench<S>> momentum;   ///< of what the node carries, itself included, in its frame
  std::vector<Wrench<S>> force;      ///< on the same
};

/// The derivatives of L(q, v) = T - V by the body-fixed rates v, the momenta p = M(q) v, and along body-fixed
/// increments of q at constant v. With the twist U_i that node i is carried with and the momentum P_i of its
/// subtree, a turn of its joint changes V_i by [U_i, S_i delta], so that
///   p_i = S_i^T P_i,   dL/dq_i = S_i^T (ad_{U_i}^T P_i + F_i)                                          (1)
/// F_i are gravity and the wrenches `applied` on the nodes in their own frames (tree.size() of them or
/// empty), which makes dL/dq + forces of the second.
template <class S>
void lagrangian_derivatives(const Tree& tree, LagrangianWorkspace<S>& workspace, std::span<const S> q,
                            std::span<const S> v, std::span<const Wrench<S>> applied, std::span<S> p,
                            std::span<S> dL_dq);

/// The momenta at both ends of a step q1 = q0 exp(xi) of the discrete Lagrangian h L(q0 exp(xi/2), xi/h), in
/// body-fixed axes at q0 and at q1: minus its derivative by q0, and that by q1, from p and f = dL/dq + forces
/// at the middle. By d(xi) = dexp^-1_{-xi} d1 - dexp^-1_{xi} d0 for increments d0, d1 of the ends,
///   p0 = dexp^-T_{xi} (p - h/2 dexp^T_{xi/2} f),   p1 = dexp^-T_{-xi} (p + h/2 dexp^T_{-xi/2} f)       (2)
template <class S>
void end_momenta(const Tree& tree, double h, std::span<const S> xi, std::span<const S> p,
                 std::span<const S> f, std::span<S> p0, std::span<S> p1);

}  // namespace torsor
