#pragma once
// The matrix form of a rigid displacement, which kinematics computes with: a frame change of a twist, wrench
// or inertia is a rotation and one cross product, never a 6x6 product.

#include "torsor/base/vec.h"
#include "torsor/lie/twist.h"

namespace torsor {

/// X_AB, the pose of frame B in A: x_A = R x_B + p. "Parent" is A, "child" is B.
template <class S>
struct Pose {
  Mat3<S> R = Mat3<S>::identity();
  Vec3<S> p;
};

template <class A, class B>
auto operator*(const Pose<A>& a, const Pose<B>& b) -> Pose<decltype(a.p.x * b.p.x)> {
  return {a.R * b.R, a.R * b.p + a.p};
}
template <class S>
Pose<S> inverse(const Pose<S>& X) {
  return {transpose(X.R), -transpose_times(X.R, X.p)};
}
template <class A, class B>
constexpr auto act(const Pose<A>& X, const Vec3<B>& x) -> Vec3<decltype(X.p.x * x.x)> {
  return X.R * x + X.p;
}

/// Ad_X V: the same motion, seen from the parent frame at its origin.
template <class A, class B>
auto to_parent(const Pose<A>& X, const Twist<B>& V) -> Twist<decltype(X.p.x * V.linear.x)> {
  const auto angular = X.R * V.angular;
  return {angular, X.R * V.linear + cross(X.p, angular)};
}
/// Ad_X^-1 V.
template <class A, class B>
auto to_child(const Pose<A>& X, const Twist<B>& V) -> Twist<decltype(X.p.x * V.linear.x)> {
  return {transpose_times(X.R, V.angular), transpose_times(X.R, V.linear - cross(X.p, V.angular))};
}
/// Ad_X^-T F: the same forces, reduced to the parent's origin; dot(to_parent(X, V), to_parent(X, F)) = dot(V,
/// F).
template <class A, class B>
auto to_parent(const Pose<A>& X, const Wrench<B>& F) -> Wrench<decltype(X.p.x * F.force.x)> {
  const auto force = X.R * F.force;
  return {X.R * F.moment + cross(X.p, force), force};
}
/// Ad_X^T F.
template <class A, class B>
auto to_child(const Pose<A>& X, const Wrench<B>& F) -> Wrench<decltype(X.p.x * F.force.x)> {
  return {transpose_times(X.R, F.moment - cross(X.p, F.force)), transpose_times(X.R, F.force)};
}

}  // namespace torsor
