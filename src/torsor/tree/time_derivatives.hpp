#pragma once

#include "torsor/base/error.h"
#include "torsor/tree/configuration.hpp"
#include "torsor/tree/node_angles.hpp"
#include "torsor/tree/time_derivatives.h"

namespace torsor {

/// Sines and cosines of the values come from the plain numbers' SIMD packs; the higher coefficients are
/// cheap.
template <int N>
inline void node_angles(const Tree& tree, std::span<const Taylor<N>> q,
                        std::span<SineCosine<Taylor<N>>> angles) {
  constexpr int kLanes = 8;
  const int count = static_cast<int>(tree.angle_nodes.size());
  for (int first = 0; first < count; first += kLanes) {
    const int lanes = std::min(kLanes, count - first);
    Pack<kLanes> angle, sine, cosine;
    for (int k = 0; k < lanes; ++k) angle[k] = q[tree.nodes[tree.angle_nodes[first + k]].q][0];
    sincos(angle, sine, cosine);
    for (int k = 0; k < lanes; ++k) {
      const int i = tree.angle_nodes[first + k];
      extend_sincos(q[tree.nodes[i].q], sine[k], cosine[k], angles[i].sine, angles[i].cosine);
    }
  }
}

template <int N>
void configuration_series(const Tree& tree, std::span<const double> q, std::span<const Taylor<N>> qd,
                          std::span<Taylor<N>> q_series) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("q_series", q_series.size(), tree.coordinate_count);
  for (const TreeNode& node : tree.nodes) {
    with_manifold(node.joint, [&](auto manifold) {
      manifold.series(q.data() + node.q, qd.data() + node.v, q_series.data() + node.q);
    });
  }
}

}  // namespace torsor
