#pragma once

#include "torsor/base/error.h"
#include "torsor/tree/kinematics.h"
#include "torsor/tree/node_motion.hpp"

namespace torsor {

template <class S, class T, class Motion>
inline Pose<S> local_pose(const TreeNodeOf<T>& node, Motion motion, std::span<const S> q) {
  SineCosine<S> angle;
  if constexpr (Motion::has_angle) sincos(q[node.q], angle.sine, angle.cosine);
  return motion.pose(node, angle, q.data() + node.q);
}

template <class S, class T>
void node_poses(const TreeOf<T>& tree, std::span<const S> q, std::span<Pose<S>> X_WN) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("X_WN", X_WN.size(), tree.size());
  X_WN[0] = {};
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNodeOf<T>& node = tree.nodes[i];
    with_motion(node.joint,
                [&](auto motion) { X_WN[i] = X_WN[node.parent] * local_pose<S>(node, motion, q); });
  }
}

template <class S, class T>
void forward_kinematics(const TreeOf<T>& tree, std::span<const S> q, std::span<const S> qd,
                        std::span<Pose<S>> X_WN, std::span<Twist<S>> V_N) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("X_WN", X_WN.size(), tree.size());
  require_size("V_N", V_N.size(), tree.size());
  X_WN[0] = {};
  V_N[0] = {};
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNodeOf<T>& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      const Pose<S> X_PN = local_pose<S>(node, motion, q);
      X_WN[i] = X_WN[node.parent] * X_PN;                                                  // (66a)
      V_N[i] = to_child(X_PN, V_N[node.parent]) + motion.twist(node, qd.data() + node.v);  // (66b)
    });
  }
}

template <class S, class T>
void spatial_joint_screws(const TreeOf<T>& tree, std::span<const Pose<S>> X_WN, std::span<Twist<S>> J) {
  require_size("X_WN", X_WN.size(), tree.size());
  require_size("J", J.size(), tree.rate_count);
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNodeOf<T>& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) { motion.spatial_screws(node, X_WN[i], J.data() + node.v); });
  }
}

}  // namespace torsor
