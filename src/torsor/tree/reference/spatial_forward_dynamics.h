#pragma once
// Forward dynamics in O(n) in the spatial representation: articulated inertias in world axes about the world
// origin add up without a frame change, and a joint yields rate by rate along its spatial screws.

#include <span>
#include <vector>

#include "torsor/tree/articulated_inertia.h"
#include "torsor/tree/node_angle.h"
#include "torsor/tree/tree.h"

namespace torsor {

/// The articulated inertias of a tree at one configuration, factored: every further right-hand side costs
/// one sweep in and one out.
template <class S>
struct SpatialArticulation {
  explicit SpatialArticulation(const Tree& tree);

  std::vector<SineCosine<S>> angles;
  std::vector<Pose<S>> X_WN;
  std::vector<Inertia<S>> M;                     ///< of each node alone, Müller (71a)
  std::vector<Twist<S>> J;                       ///< by rate, (70b)
  std::vector<ArticulatedInertia<S>> transmits;  ///< what the parent feels of a node and all it carries
  std::vector<Wrench<S>> U;                      ///< by rate: momentum of a unit rate, as it is eliminated
  std::vector<S> D_inverse;                      ///< by rate
};

template <class S>
void articulate(const Tree& tree, SpatialArticulation<S>& articulation, std::span<const S> q);

/// Finds x and A with  A_i = A_parent + drift_i + sum of J_k x_k,  A_0 = ground,  such that across each joint
///   W_i = M_i A_i + bias_i + sum of W over children   has   dot(J_k, W_i) = effort_k.
/// `drift` and `effort` may be empty for zeros; `bias` is overwritten. A[0] is set to `ground`.
template <class S>
void solve_articulated(const Tree& tree, const SpatialArticulation<S>& articulation, const Twist<S>& ground,
                       std::span<const Twist<S>> drift, std::span<Wrench<S>> bias, std::span<const S> effort,
                       std::span<Twist<S>> A, std::span<S> x);

template <class S>
struct SpatialForwardDynamicsWorkspace {
  explicit SpatialForwardDynamicsWorkspace(const Tree& tree);

  SpatialArticulation<S> articulation;
  std::vector<Twist<S>> V;             ///< spatial twists
  std::vector<Twist<S>> drift;         ///< velocity-dependent part of the acceleration beyond the parent's
  std::vector<Wrench<S>> bias;         ///< what the joints pass on if nothing accelerates
  std::vector<Twist<S>> acceleration;  ///< V' + (0, -g)
};

/// qdd of M(q) qdd + C(q, qd) qd + gravity forces = effort + applied. `applied` are spatial wrenches on the
/// nodes (tree.size() of them) or empty.
template <class S>
void spatial_forward_dynamics(const Tree& tree, SpatialForwardDynamicsWorkspace<S>& workspace,
                              std::span<const S> q, std::span<const S> qd, std::span<const S> effort,
                              std::span<const Wrench<S>> applied, std::span<S> qdd);

}  // namespace torsor
