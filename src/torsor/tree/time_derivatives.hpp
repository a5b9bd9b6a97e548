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

/// r' = r omega / 2 from r0: coefficient k of the product gives coefficient k + 1 of r.
template <int N>
SO3<Taylor<N>> rotation_series(const SO3<double>& r0, const Vec3<Taylor<N>>& omega) {
  using T = Taylor<N>;
  SO3<T> r{T(r0.w), T(r0.x), T(r0.y), T(r0.z)};
  const SO3<T> half{T(0.0), 0.5 * omega.x, 0.5 * omega.y, 0.5 * omega.z};
  for (int k = 0; k + 1 < N; ++k) {
    const SO3<T> rate = r * half;
    r.w[k + 1] = rate.w[k] / (k + 1);
    r.x[k + 1] = rate.x[k] / (k + 1);
    r.y[k + 1] = rate.y[k] / (k + 1);
    r.z[k + 1] = rate.z[k] / (k + 1);
  }
  return r;
}

template <int N>
void configuration_series(const Tree& tree, std::span<const double> q, std::span<const Taylor<N>> qd,
                          std::span<Taylor<N>> q_series) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("q_series", q_series.size(), tree.coordinate_count);
  using T = Taylor<N>;
  for (const TreeNode& node : tree.nodes) {
    const double* start = q.data() + node.q;
    const T* rate = qd.data() + node.v;
    T* out = q_series.data() + node.q;
    switch (node.joint) {
      case NodeJoint::fixed:
        break;
      case NodeJoint::revolute:
      case NodeJoint::prismatic:
      case NodeJoint::helical:
        out[0] = integral(start[0], rate[0]);
        break;
      case NodeJoint::spherical:
        store(rotation_series(quaternion(start), vector(rate)), out);
        break;
      case NodeJoint::planar: {
        T sine, cosine;
        out[0] = integral(start[0], rate[0]);
        sincos(out[0], sine, cosine);
        out[1] = integral(start[1], cosine * rate[1] - sine * rate[2]);
        out[2] = integral(start[2], sine * rate[1] + cosine * rate[2]);
        break;
      }
      case NodeJoint::free: {
        const SO3<T> r = rotation_series(quaternion(start), vector(rate));
        const Vec3<T> velocity = act(r, vector(rate + 3));
        store(r, out);
        for (int k = 0; k < 3; ++k) out[4 + k] = integral(start[4 + k], velocity[k]);
        break;
      }
    }
  }
}

}  // namespace torsor
