#pragma once
// The equations of motion in the phase space (q, Pi) with the spatial momenta of the nodes, Müller (79).

#include <span>
#include <vector>

#include "torsor/tree/reference/spatial_forward_dynamics.h"

namespace torsor {

template <class S>
struct MomentumFormWorkspace {
  explicit MomentumFormWorkspace(const Tree& tree);

  SpatialArticulation<S> articulation;
  std::vector<Twist<S>> V, drift, acceleration;
  std::vector<Wrench<S>> bias;
  std::vector<S> qdd;  ///< a by-product
};

/// Pi_i = M_i V_i of every node in spatial representation, (35). Pi has tree.size() entries, [0] becomes 0.
template <class S>
void node_momenta(const Tree& tree, MomentumFormWorkspace<S>& workspace, std::span<const S> q,
                  std::span<const S> qd, std::span<Wrench<S>> Pi);

/// The rates of the state (q, Pi): qd, and Pi' under efforts and spatial wrenches `applied` on the nodes
/// (tree.size() of them or empty) and gravity. The relation M_i J_i qd = Pi_i of the text has more equations
/// than unknowns, and none for a node without mass; qd solves J^T (M J qd - Pi) = 0, which all Pi of a motion
/// satisfy with it, and which for others is the nearest motion in the metric of the kinetic energy. Refuses
/// trees with armature.
template <class S>
void momentum_form(const Tree& tree, MomentumFormWorkspace<S>& workspace, std::span<const S> q,
                   std::span<const Wrench<S>> Pi, std::span<const S> effort,
                   std::span<const Wrench<S>> applied, std::span<S> qd, std::span<Wrench<S>> Pi_rate);

}  // namespace torsor
