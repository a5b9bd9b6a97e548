#pragma once

#include "torsor/base/error.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/manifold.hpp"

namespace torsor {

template <class S, class T>
void retract(const TreeOf<T>& tree, std::span<const S> q0, std::span<const S> increment, std::span<S> q1) {
  require_size("q0", q0.size(), tree.coordinate_count);
  require_size("increment", increment.size(), tree.rate_count);
  require_size("q1", q1.size(), tree.coordinate_count);
  for (const TreeNodeOf<T>& node : tree.nodes) {
    with_manifold(node.joint, [&](auto manifold) {
      manifold.retract(q0.data() + node.q, increment.data() + node.v, q1.data() + node.q);
    });
  }
}

template <class S, class T>
void chart_rate(const TreeOf<T>& tree, std::span<const S> xi, std::span<const S> v, std::span<S> xi_rate) {
  require_size("xi", xi.size(), tree.rate_count);
  require_size("v", v.size(), tree.rate_count);
  require_size("xi_rate", xi_rate.size(), tree.rate_count);
  for (const TreeNodeOf<T>& node : tree.nodes) {
    with_manifold(node.joint, [&](auto manifold) {
      manifold.chart_rate(xi.data() + node.v, v.data() + node.v, xi_rate.data() + node.v);
    });
  }
}

template <class S, class T>
void normalize(const TreeOf<T>& tree, std::span<S> q) {
  require_size("q", q.size(), tree.coordinate_count);
  for (const TreeNodeOf<T>& node : tree.nodes) {
    if (components(node.joint).quaternions == 0) continue;
    store_at(renormalized(quaternion_at<S>(q.data() + node.q)), q.data() + node.q);
  }
}

template <class S, class T>
void configuration_difference(const TreeOf<T>& tree, std::span<const S> q0, std::span<const S> q1,
                              std::span<S> increment) {
  require_size("q0", q0.size(), tree.coordinate_count);
  require_size("q1", q1.size(), tree.coordinate_count);
  require_size("increment", increment.size(), tree.rate_count);
  for (const TreeNodeOf<T>& node : tree.nodes) {
    with_manifold(node.joint, [&](auto manifold) {
      manifold.difference(q0.data() + node.q, q1.data() + node.q, increment.data() + node.v);
    });
  }
}

}  // namespace torsor
