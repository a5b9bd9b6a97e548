#pragma once
// Inverse dynamics in O(n): efforts for given accelerations.

#include <span>
#include <vector>

#include "torsor/tree/node_angle.h"
#include "torsor/tree/tree.h"

namespace torsor {

template <class S>
struct InverseDynamicsWorkspace {
  explicit InverseDynamicsWorkspace(const Tree& tree);

  std::vector<SineCosine<S>> angles;
  std::vector<Pose<S>> X_PN;             ///< node in its parent
  std::vector<Vec3<S>> omega, alpha, a;  ///< angular velocity, angular and (proper) linear acceleration
  std::vector<Wrench<S>> F;  ///< across the joint of each node, on the node, in its frame and origin
};

/// effort = M(q) qdd + C(q, qd) qd + gravity forces - applied. `applied` are wrenches on the nodes in their
/// own frames (tree.size() of them) or empty. Leaves the joint wrenches in workspace.F.
template <class S>
void inverse_dynamics(const Tree& tree, InverseDynamicsWorkspace<S>& workspace, std::span<const S> q,
                      std::span<const S> qd, std::span<const S> qdd, std::span<const Wrench<S>> applied,
                      std::span<S> effort);

}  // namespace torsor
