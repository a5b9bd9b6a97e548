#pragma once
// The rigid displacements of space: a unit quaternion and a position, x_A = R x_B + p. All differentials are
// right-trivialised (Müller (89)): the spatial twist of exp(X) is dexp_X Xdot, the body twist dexp_{-X} Xdot.
//
// SE(3) is SO(3) over the dual numbers (Kotelnikov and Study): ad of (x, y) is [hat(x) 0; hat(y) hat(x)], the
// number hat(x + eps y). So an analytic map of so(3) evaluated at x + eps y is the same map of se(3), and the
// dexp family below needs no formula of its own.

#include "torsor/lie/pose.h"
#include "torsor/lie/so3.h"
#include "torsor/lie/twist.h"

namespace torsor {

template <class S>
struct SE3 {
  SO3<S> rotation;
  Vec3<S> position;
};

template <class A, class B>
auto operator*(const SE3<A>& a, const SE3<B>& b) -> SE3<decltype(a.position.x * b.position.x)> {
  return {a.rotation * b.rotation, act(a.rotation, b.position) + a.position};
}
template <class S>
SE3<S> inverse(const SE3<S>& X) {
  return {inverse(X.rotation), -act(inverse(X.rotation), X.position)};
}
template <class A, class B>
auto act(const SE3<A>& X, const Vec3<B>& x) -> Vec3<decltype(X.position.x * x.x)> {
  return act(X.rotation, x) + X.position;
}
template <class S>
SE3<S> normalized(const SE3<S>& X) {
  return {normalized(X.rotation), X.position};
}
template <class S>
Pose<S> pose(const SE3<S>& X) {
  return {matrix(X.rotation), X.position};
}
template <class S>
SE3<S> se3(const Pose<S>& X) {
  return {so3_from_matrix(X.R), X.p};
}

/// A linear map of twists that keeps pure translations among themselves, as every map of this file does:
/// angular' = angular_block angular, linear' = coupling angular + linear_block linear.
template <class S>
struct TwistMap {
  Mat3<S> angular_block, coupling, linear_block;
};
template <class S>
Twist<S> operator*(const TwistMap<S>& m, const Twist<S>& V) {
  return {m.angular_block * V.angular, m.coupling * V.angular + m.linear_block * V.linear};
}
template <class S>
TwistMap<S> operator*(const TwistMap<S>& a, const TwistMap<S>& b) {
  return {a.angular_block * b.angular_block, a.coupling * b.angular_block + a.linear_block * b.coupling,
          a.linear_block * b.linear_block};
}
/// The dual map on wrenches: dot(m V, F) = dot(V, transpose_times(m, F)).
template <class S>
Wrench<S> transpose_times(const TwistMap<S>& m, const Wrench<S>& F) {
  return {transpose_times(m.angular_block, F.moment) + transpose_times(m.coupling, F.force),
          transpose_times(m.linear_block, F.force)};
}

/// x + eps y.
template <class S>
Vec3<Dual<S, 1>> dual_vector(const Twist<S>& V) {
  return {{V.angular.x, {V.linear.x}}, {V.angular.y, {V.linear.y}}, {V.angular.z, {V.linear.z}}};
}
template <class S>
TwistMap<S> twist_map(const Mat3<Dual<S, 1>>& m) {
  const Mat3<S> value{m.xx.value, m.xy.value, m.xz.value, m.yx.value, m.yy.value,
                      m.yz.value, m.zx.value, m.zy.value, m.zz.value};
  const Mat3<S> tangent{m.xx.tangent[0], m.xy.tangent[0], m.xz.tangent[0], m.yx.tangent[0], m.yy.tangent[0],
                        m.yz.tangent[0], m.zx.tangent[0], m.zy.tangent[0], m.zz.tangent[0]};
  return {value, tangent, value};
}

template <class S>
SE3<S> exp_se3(const Twist<S>& X) {
  return {exp_so3(X.angular), dexp_so3(X.angular) * X.linear};
}
/// The screw with rotation angle in [0, pi].
template <class S>
Twist<S> log(const SE3<S>& X) {
  const Vec3<S> x = log(X.rotation);
  return {x, dexp_inv_so3(x) * X.position};
}
template <class S>
TwistMap<S> dexp_se3(const Twist<S>& X) {
  return twist_map(dexp_so3(dual_vector(X)));
}
template <class S>
TwistMap<S> dexp_inv_se3(const Twist<S>& X) {
  return twist_map(dexp_inv_so3(dual_vector(X)));
}
template <class S>
Twist<S> dexp_se3(const Twist<S>& X, const Twist<S>& V) {
  return dexp_se3(X) * V;
}
template <class S>
Twist<S> dexp_inv_se3(const Twist<S>& X, const Twist<S>& V) {
  return dexp_inv_se3(X) * V;
}
/// The matrices of d(dexp_X V)/dX and d(dexp_X^-1 V)/dX at fixed V.
template <class S>
TwistMap<S> d_dexp_se3(const Twist<S>& X, const Twist<S>& V) {
  return twist_map(d_dexp_so3(dual_vector(X), dual_vector(V)));
}
template <class S>
TwistMap<S> d_dexp_inv_se3(const Twist<S>& X, const Twist<S>& V) {
  return twist_map(d_dexp_inv_so3(dual_vector(X), dual_vector(V)));
}

/// (1 - hat(x)/2)^-1.
template <class S>
Mat3<S> half_resolvent(const Vec3<S>& x) {
  const S scale = 1.0 / (1.0 + 0.25 * dot(x, x));
  return isotropic(S(1.0), S(0.5 * scale), S(0.25 * scale), x);
}
/// cay(X) = (1 - X/2)^-1 (1 + X/2) on homogeneous 4x4 matrices, Selig (2007). The Cayley map of the 6x6
/// adjoint matrices is another one, for which transference would hold; this one does not come from SO(3) that
/// way.
template <class S>
SE3<S> cay_se3(const Twist<S>& X) {
  return {cay_so3(X.angular), half_resolvent(X.angular) * X.linear};
}
/// Undefined at a half turn.
template <class S>
Twist<S> cay_inv(const SE3<S>& X) {
  const Vec3<S> x = cay_inv(X.rotation);
  return {x, X.position - 0.5 * cross(x, X.position)};
}
/// dcay_X Y = (1 - X/2)^-1 Y (1 + X/2)^-1.
template <class S>
TwistMap<S> dcay_se3(const Twist<S>& X) {
  const Mat3<S> rotational = dcay_so3(X.angular);
  return {rotational, 0.5 * (hat(X.linear) * rotational), half_resolvent(X.angular)};
}
/// dcay_X^-1 Y = (1 - X/2) Y (1 + X/2).
template <class S>
TwistMap<S> dcay_inv_se3(const Twist<S>& X) {
  const Mat3<S> resolvent_inverse = isotropic(S(1.0), S(-0.5), S(0.0), X.angular);
  return {dcay_inv_so3(X.angular), -0.5 * (resolvent_inverse * hat(X.linear)), resolvent_inverse};
}

/// Ad_X: a twist in B (body) seen from A (world), and back.
template <class A, class B>
auto Ad(const SE3<A>& X, const Twist<B>& V) -> Twist<decltype(X.position.x * V.linear.x)> {
  const auto angular = act(X.rotation, V.angular);
  return {angular, act(X.rotation, V.linear) + cross(X.position, angular)};
}
template <class A, class B>
auto Ad_inv(const SE3<A>& X, const Twist<B>& V) -> Twist<decltype(X.position.x * V.linear.x)> {
  const auto back = inverse(X.rotation);
  return {act(back, V.angular), act(back, V.linear - cross(X.position, V.angular))};
}
/// Ad_X^T F, which takes a wrench from world to body: dot(Ad(X, V), F) = dot(V, Ad_dual(X, F)).
template <class A, class B>
auto Ad_dual(const SE3<A>& X, const Wrench<B>& F) -> Wrench<decltype(X.position.x * F.force.x)> {
  const auto back = inverse(X.rotation);
  return {act(back, F.moment - cross(X.position, F.force)), act(back, F.force)};
}
/// Ad_X^-T F, from body to world.
template <class A, class B>
auto Ad_inv_dual(const SE3<A>& X, const Wrench<B>& F) -> Wrench<decltype(X.position.x * F.force.x)> {
  const auto force = act(X.rotation, F.force);
  return {act(X.rotation, F.moment) + cross(X.position, force), force};
}

}  // namespace torsor
