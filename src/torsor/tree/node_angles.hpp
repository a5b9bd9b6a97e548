#pragma once
// Sines and cosines of all joint angles at once. For one state they are the larger part of a recursion's cost
// if computed joint by joint; eight joints at a time in a SIMD pack they nearly vanish.

#include <algorithm>
#include <span>

#include "torsor/tree/node_motion.hpp"

namespace torsor {

/// Fills the entries of the nodes in tree.angle_nodes; the others are not touched.
template <class S, class T>
inline void node_angles(const TreeOf<T>& tree, std::span<const S> q, std::span<SineCosine<S>> angles) {
  for (const int i : tree.angle_nodes) sincos(q[tree.nodes[i].q], angles[i].sine, angles[i].cosine);
}

inline void node_angles(const TreeOf<double>& tree, std::span<const double> q,
                        std::span<SineCosine<double>> angles) {
  constexpr int kLanes = 8;
  const int count = static_cast<int>(tree.angle_nodes.size());
  for (int first = 0; first < count; first += kLanes) {
    const int lanes = std::min(kLanes, count - first);
    Pack<kLanes> angle, sine, cosine;
    for (int k = 0; k < lanes; ++k) angle[k] = q[tree.nodes[tree.angle_nodes[first + k]].q];
    sincos(angle, sine, cosine);
    for (int k = 0; k < lanes; ++k) angles[tree.angle_nodes[first + k]] = {sine[k], cosine[k]};
  }
}

}  // namespace torsor
