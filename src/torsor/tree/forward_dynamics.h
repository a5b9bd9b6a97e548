#pragma once
// Forward dynamics in O(n) by articulated bodies: accelerations for given efforts.

#include <span>
#include <vector>

#include "torsor/tree/articulated_inertia.h"
#include "torsor/tree/node_angle.h"
#include "torsor/tree/tree.h"

namespace torsor {

template <class S>
struct ForwardDynamicsWorkspace {
  template <class T>
  explicit ForwardDynamicsWorkspace(const TreeOf<T>& tree)
      : ForwardDynamicsWorkspace(tree.size(), tree.rate_count) {}
  ForwardDynamicsWorkspace(int nodes, int rates);

  std::vector<SineCosine<S>> angles;
  std::vector<Pose<S>> X_PN;
  std::vector<Vec3<S>> omega;  ///< angular velocity
  std::vector<Twist<S>> bias_acceleration;
  std::vector<ArticulatedInertia<S>> inertia;
  std::vector<Wrench<S>> bias;
  std::vector<Twist<S>> acceleration;  ///< (angular, proper linear), node frame
  std::vector<Wrench<S>> U;            ///< inertia times joint screw, by rate
  std::vector<S> D_inverse;            ///< by rate
};

/// qdd of M(q) qdd + C(q, qd) qd + gravity forces = effort + applied. `applied` as in inverse_dynamics.
template <class S, class T>
void forward_dynamics(const TreeOf<T>& tree, ForwardDynamicsWorkspace<S>& workspace, std::span<const S> q,
                      std::span<const S> qd, std::span<const S> effort, std::span<const Wrench<S>> applied,
                      std::span<S> qdd);

}  // namespace torsor
