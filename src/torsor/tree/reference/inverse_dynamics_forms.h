#pragma once
// Inverse dynamics in O(n) in the other three representations: spatial, Müller (70)-(71), hybrid (75)-(76)
// and mixed. The body-fixed one is inverse_dynamics.

#include <span>
#include <vector>

#include "torsor/tree/node_angle.h"
#include "torsor/tree/representation.h"
#include "torsor/tree/tree.h"

namespace torsor {

/// Of each node, in the representation of the form it is used with.
template <class S>
struct InverseDynamicsFormWorkspace {
  explicit InverseDynamicsFormWorkspace(const Tree& tree);

  std::vector<SineCosine<S>> angles;
  std::vector<Pose<S>> X_PN, X_WN;     ///< in the parent, in the world
  std::vector<Twist<S>> V;             ///< of the mixed form the angular part only: no equation has the other
  std::vector<Twist<S>> acceleration;  ///< V' + (0, -g): gravity as an acceleration of the ground
  std::vector<Wrench<S>> W;            ///< across the joint of each node, on the node
  std::vector<Twist<S>> J;             ///< joint screw of each rate; not used by the mixed form
};

/// effort = M(q) qdd + C(q, qd) qd + gravity forces - applied. `applied` are wrenches on the nodes in the
/// same representation as the form (tree.size() of them) or empty.
template <Representation form, class S>
void inverse_dynamics_in(const Tree& tree, InverseDynamicsFormWorkspace<S>& workspace, std::span<const S> q,
                         std::span<const S> qd, std::span<const S> qdd, std::span<const Wrench<S>> applied,
                         std::span<S> effort);

}  // namespace torsor
