#pragma once

#include "torsor/base/error.h"
#include "torsor/lie/se3.h"
#include "torsor/lie/so3.h"
#include "torsor/tree/configuration.h"

namespace torsor {

template <class S>
inline SO3<S> quaternion(const S* q) {
  return {q[0], q[1], q[2], q[3]};
}
template <class S>
inline void store(const SO3<S>& rotation, S* q) {
  q[0] = rotation.w;
  q[1] = rotation.x;
  q[2] = rotation.y;
  q[3] = rotation.z;
}
template <class S>
inline Vec3<S> vector(const S* v) {
  return {v[0], v[1], v[2]};
}
template <class S>
inline void store(const Vec3<S>& x, S* v) {
  v[0] = x.x;
  v[1] = x.y;
  v[2] = x.z;
}
/// SE(2) inside SE(3): (turn about z, slide in x, y).
template <class S>
inline Twist<S> planar_twist(const S* v) {
  return {{S(0.0), S(0.0), v[0]}, {v[1], v[2], S(0.0)}};
}
template <class S>
inline Twist<S> twist(const S* v) {
  return {vector(v), vector(v + 3)};
}

template <class S>
void retract(const Tree& tree, std::span<const S> q0, std::span<const S> increment, std::span<S> q1) {
  require_size("q0", q0.size(), tree.coordinate_count);
  require_size("increment", increment.size(), tree.rate_count);
  require_size("q1", q1.size(), tree.coordinate_count);
  for (const TreeNode& node : tree.nodes) {
    const S* q = q0.data() + node.q;
    const S* d = increment.data() + node.v;
    S* out = q1.data() + node.q;
    switch (node.joint) {
      case NodeJoint::fixed:
        break;
      case NodeJoint::revolute:
      case NodeJoint::prismatic:
      case NodeJoint::helical:
        out[0] = q[0] + d[0];
        break;
      case NodeJoint::spherical:
        store(quaternion(q) * exp_so3(vector(d)), out);
        break;
      case NodeJoint::planar: {
        const Vec3<S> step = exp_se3(planar_twist(d)).position;
        S sine, cosine;
        sincos(q[0], sine, cosine);
        out[0] = q[0] + d[0];
        out[1] = q[1] + cosine * step.x - sine * step.y;
        out[2] = q[2] + sine * step.x + cosine * step.y;
        break;
      }
      case NodeJoint::free: {
        const SE3<S> X = SE3<S>{quaternion(q), vector(q + 4)} * exp_se3(twist(d));
        store(X.rotation, out);
        store(X.position, out + 4);
        break;
      }
    }
  }
}

template <class S>
void chart_rate(const Tree& tree, std::span<const S> xi, std::span<const S> v, std::span<S> xi_rate) {
  require_size("xi", xi.size(), tree.rate_count);
  require_size("v", v.size(), tree.rate_count);
  require_size("xi_rate", xi_rate.size(), tree.rate_count);
  for (const TreeNode& node : tree.nodes) {
    const S* x = xi.data() + node.v;
    const S* rate = v.data() + node.v;
    S* out = xi_rate.data() + node.v;
    switch (node.joint) {
      case NodeJoint::fixed:
        break;
      case NodeJoint::revolute:
      case NodeJoint::prismatic:
      case NodeJoint::helical:
        out[0] = rate[0];
        break;
      case NodeJoint::spherical:
        store(dexp_inv_so3(-vector(x)) * vector(rate), out);
        break;
      case NodeJoint::planar: {
        const Twist<S> r = dexp_inv_se3(-planar_twist(x), planar_twist(rate));
        out[0] = r.angular.z;
        out[1] = r.linear.x;
        out[2] = r.linear.y;
        break;
      }
      case NodeJoint::free: {
        const Twist<S> r = dexp_inv_se3(-twist(x), twist(rate));
        store(r.angular, out);
        store(r.linear, out + 3);
        break;
      }
    }
  }
}

template <class S>
void configuration_difference(const Tree& tree, std::span<const S> q0, std::span<const S> q1,
                              std::span<S> increment) {
  require_size("q0", q0.size(), tree.coordinate_count);
  require_size("q1", q1.size(), tree.coordinate_count);
  require_size("increment", increment.size(), tree.rate_count);
  for (const TreeNode& node : tree.nodes) {
    const S* a = q0.data() + node.q;
    const S* b = q1.data() + node.q;
    S* out = increment.data() + node.v;
    switch (node.joint) {
      case NodeJoint::fixed:
        break;
      case NodeJoint::revolute:
      case NodeJoint::prismatic:
      case NodeJoint::helical:
        out[0] = b[0] - a[0];
        break;
      case NodeJoint::spherical:
        store(log(inverse(quaternion(a)) * quaternion(b)), out);
        break;
      case NodeJoint::planar: {
        // The angle counts turns, which log would forget.
        S sine, cosine;
        sincos(a[0], sine, cosine);
        const S dx = b[1] - a[1], dy = b[2] - a[2], turn = b[0] - a[0];
        const Vec3<S> slide = dexp_inv_so3(Vec3<S>{S(0.0), S(0.0), turn}) *
                              Vec3<S>{cosine * dx + sine * dy, cosine * dy - sine * dx, S(0.0)};
        out[0] = turn;
        out[1] = slide.x;
        out[2] = slide.y;
        break;
      }
      case NodeJoint::free: {
        const Twist<S> d =
            log(inverse(SE3<S>{quaternion(a), vector(a + 4)}) * SE3<S>{quaternion(b), vector(b + 4)});
        store(d.angular, out);
        store(d.linear, out + 3);
        break;
      }
    }
  }
}

}  // namespace torsor
