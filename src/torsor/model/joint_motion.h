#pragma once
// The motion that each joint type leaves free, in closed form: coordinates to relative pose, rates to
// relative twist, and back from a pose.

#include <span>
#include <vector>

#include "torsor/model/joint.h"

namespace torsor {

/// X_JK(q), the pose of the child's joint frame in the parent's.
SE3<double> joint_pose(const Joint& joint, int dimension, std::span<const double> q);

/// The twist of K relative to J in axes of K, at q with rates qd.
Twist<double> joint_twist(const Joint& joint, int dimension, std::span<const double> q,
                          std::span<const double> qd);

/// The coordinates whose pose is nearest to X_JK; equal to it where the joint can reach it. Angles lie in
/// (-pi, pi], except that of a helical joint, which follows the advance.
std::vector<double> joint_coordinates(const Joint& joint, int dimension, const SE3<double>& X_JK);

/// Motions of frame J that compose from the left with every pose X_JK(q) to another one of the joint.
std::vector<Twist<double>> left_motions(const Joint& joint, int dimension);

/// Zeros, and the unit quaternion.
std::vector<double> neutral_coordinates(JointType type, int dimension);

}  // namespace torsor
