#pragma once
// How poses and efforts answer to small errors of the geometry: what calibration and design need. Müller 6.2.

#include <span>
#include <vector>

#include "torsor/tree/inverse_dynamics_derivatives.h"
#include "torsor/tree/tree.h"

namespace torsor {

/// A displacement of the placement of node i's joint is X_PJ -> X_PJ exp(eps e_k), e_k the k-th axis of the
/// joint frame: 0-2 turns about, 3-5 slides along x, y, z. The placement of joint j of the model (in_parent,
/// with z turned into its axis) is that of node tree.joint_first_node[j]; a small change of in_child acts
/// like one of all placements that the body carries and of its inertia.
inline constexpr int kPlacementDirections = 6;

/// Column 6 i + k holds the displacement k of node i, as a screw in world axes about the world origin: it is
/// the spatial twist, by eps, of every node that i carries (itself included); no other node moves. `screws`
/// has 6 tree.size() entries, X_WN are the node poses. Those of the ground move the whole world: displacement
/// k of it is the k-th unit screw.
void placement_screws(const Tree& tree, std::span<const Pose<double>> X_WN, std::span<Twist<double>> screws);

struct GeometricSensitivityWorkspace {
  explicit GeometricSensitivityWorkspace(const Tree& tree);

  InverseDynamicsDerivativesWorkspace<double> motion;
  std::vector<Twist<double>> screws;
};

/// Derivatives of the efforts of inverse dynamics at fixed q, qd, qdd: row-major, tree.rate_count rows,
/// 6 tree.size() columns ordered as above; the ground's columns tell how the efforts answer to a displacement
/// of the whole mechanism in the field of gravity. O(n N).
void effort_sensitivity(const Tree& tree, GeometricSensitivityWorkspace& workspace, std::span<const double> q,
                        std::span<const double> qd, std::span<const double> qdd,
                        std::span<double> by_placement);

}  // namespace torsor
