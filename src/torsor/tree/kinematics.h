#pragma once
// Poses, twists and Jacobians of the nodes of a tree. Defined in kinematics.hpp, instantiated for the scalars
// of tree/scalars.h.

#include <span>

#include "torsor/tree/tree.h"

namespace torsor {

/// Pose of every node in the world; X_WN has tree.size() entries, [0] becomes the identity.
template <class S, class T>
void node_poses(const TreeOf<T>& tree, std::span<const S> q, std::span<Pose<S>> X_WN);

/// Poses in the world and body-fixed twists of every node, Müller (66a), (66b).
template <class S, class T>
void forward_kinematics(const TreeOf<T>& tree, std::span<const S> q, std::span<const S> qd,
                        std::span<Pose<S>> X_WN, std::span<Twist<S>> V_N);

/// Spatial Jacobian columns, one twist for each rate: V^s of a node = sum of J_j qd_j over its ancestors'
/// rates, Müller (104).
template <class S, class T>
void spatial_joint_screws(const TreeOf<T>& tree, std::span<const Pose<S>> X_WN, std::span<Twist<S>> J);

/// Whether `ancestor` lies on the way from `node` to the ground (a node is its own ancestor here).
bool is_ancestor(const Tree& tree, int ancestor, int node);

}  // namespace torsor
