#pragma once
// The rigid displacements of the plane. J is the quarter turn, perp(); differentials are right-trivialised,
// as in se3.h. With ad_(x,y) = [0 0; -J y, x J] the power series of dexp sum up to
//   dexp_X   = [1 0; -c_2 J y + x c_3 y, c_1 + x c_2 J]                                   (1)
//   dexp_X^-1 = [1 0; J y / 2 + x e y, (1 - x^2 e) - (x/2) J]                             (2)

#include "torsor/lie/reference/so2.h"

namespace torsor {

/// An element of se(2).
template <class S>
struct PlanarTwist {
  S angular{};
  Vec2<S> linear;
};
/// An element of se(2)*: only its pairing with a twist compiles.
template <class S>
struct PlanarWrench {
  S moment{};
  Vec2<S> force;
};
template <class S>
struct SE2 {
  SO2<S> rotation;
  Vec2<S> position;
};

template <class A, class B>
auto operator+(const PlanarTwist<A>& a, const PlanarTwist<B>& b)
    -> PlanarTwist<decltype(a.angular + b.angular)> {
  return {a.angular + b.angular, a.linear + b.linear};
}
template <class A, class B>
auto operator-(const PlanarTwist<A>& a, const PlanarTwist<B>& b)
    -> PlanarTwist<decltype(a.angular - b.angular)> {
  return {a.angular - b.angular, a.linear - b.linear};
}
template <class S>
PlanarTwist<S> operator-(const PlanarTwist<S>& a) {
  return {-a.angular, -a.linear};
}
template <class A, class B>
auto operator*(const A& s, const PlanarTwist<B>& a) -> PlanarTwist<decltype(s * a.angular)> {
  return {s * a.angular, s * a.linear};
}
template <class A, class B>
auto dot(const PlanarTwist<A>& V, const PlanarWrench<B>& F) {
  return V.angular * F.moment + dot(V.linear, F.force);
}
/// ad_V W.
template <class A, class B>
auto bracket(const PlanarTwist<A>& V, const PlanarTwist<B>& W)
    -> PlanarTwist<decltype(V.angular * W.angular)> {
  return {decltype(V.angular * W.angular)(0.0), V.angular * perp(W.linear) - W.angular * perp(V.linear)};
}
/// ad_V^T F: dot(W, coadjoint(V, F)) = dot(bracket(V, W), F).
template <class A, class B>
auto coadjoint(const PlanarTwist<A>& V, const PlanarWrench<B>& F)
    -> PlanarWrench<decltype(V.angular * F.moment)> {
  return {-dot(perp(V.linear), F.force), -(V.angular * perp(F.force))};
}

template <class A, class B>
auto operator*(const SE2<A>& a, const SE2<B>& b) -> SE2<decltype(a.position.x * b.position.x)> {
  return {a.rotation * b.rotation, act(a.rotation, b.position) + a.position};
}
template <class S>
SE2<S> inverse(const SE2<S>& X) {
  return {inverse(X.rotation), -act(inverse(X.rotation), X.position)};
}
template <class A, class B>
auto act(const SE2<A>& X, const Vec2<B>& x) -> Vec2<decltype(X.position.x * x.x)> {
  return act(X.rotation, x) + X.position;
}

/// A linear map of planar twists: angular' = angular_scale angular, linear' = coupling angular + (scale +
/// turn J) linear.
template <class S>
struct PlanarTwistMap {
  S angular_scale;
  Vec2<S> coupling;
  S scale, turn;
};
template <class S>
PlanarTwist<S> operator*(const PlanarTwistMap<S>& m, const PlanarTwist<S>& V) {
  return {m.angular_scale * V.angular, V.angular * m.coupling + m.scale * V.linear + m.turn * perp(V.linear)};
}

template <class S>
SE2<S> exp_se2(const PlanarTwist<S>& X) {
  const Stumpff<S> c = stumpff(S(X.angular * X.angular));
  return {exp_so2(X.angular), c[1] * X.linear + (X.angular * c[2]) * perp(X.linear)};
}
/// With the angle in [-pi, pi].
template <class S>
PlanarTwist<S> log(const SE2<S>& X) {
  const S x = log(X.rotation);
  const S u = x * x;
  return {x, (1.0 - u * dexp_inverse_coefficient(u).value) * X.position - (0.5 * x) * perp(X.position)};
}
template <class S>
PlanarTwistMap<S> dexp_se2(const PlanarTwist<S>& X) {
  const S x = X.angular;
  const Stumpff<S> c = stumpff(S(x * x));
  return {S(1.0), (x * c[3]) * X.linear - c[2] * perp(X.linear), c[1], x * c[2]};  // (1)
}
template <class S>
PlanarTwistMap<S> dexp_inv_se2(const PlanarTwist<S>& X) {
  const S x = X.angular;
  const S e = dexp_inverse_coefficient(S(x * x)).value;
  return {S(1.0), 0.5 * perp(X.linear) + (x * e) * X.linear, 1.0 - x * x * e, -0.5 * x};  // (2)
}
/// d(dexp_X V)/dX at fixed V.
template <class S>
PlanarTwistMap<S> d_dexp_se2(const PlanarTwist<S>& X, const PlanarTwist<S>& V) {
  const S x = X.angular;
  const Stumpff<S> c = stumpff(S(x * x));
  const Vec2<S> by_angle =
      V.angular * ((c[2] - 2.0 * c[3]) * X.linear - (2.0 * x * c.slope_2) * perp(X.linear)) +
      (x * (c[3] - c[2])) * V.linear + (c[1] - c[2]) * perp(V.linear);
  return {S(0.0), by_angle, V.angular * (x * c[3]), -(V.angular * c[2])};
}
/// d(dexp_X^-1 V)/dX at fixed V.
template <class S>
PlanarTwistMap<S> d_dexp_inv_se2(const PlanarTwist<S>& X, const PlanarTwist<S>& V) {
  const S x = X.angular, u = x * x;
  const DexpInverse<S> e = dexp_inverse_coefficient(u);
  const Vec2<S> by_angle = (V.angular * (e.value + 2.0 * u * e.slope)) * X.linear -
                           (2.0 * x * (e.value + u * e.slope)) * V.linear - 0.5 * perp(V.linear);
  return {S(0.0), by_angle, V.angular * (x * e.value), 0.5 * V.angular};
}

/// cay(X) = (1 - X/2)^-1 (1 + X/2) on homogeneous 3x3 matrices.
template <class S>
SE2<S> cay_se2(const PlanarTwist<S>& X) {
  const S scale = dcay_so2(X.angular);
  return {cay_so2(X.angular), scale * X.linear + (0.5 * scale * X.angular) * perp(X.linear)};
}
/// Undefined at a half turn.
template <class S>
PlanarTwist<S> cay_inv(const SE2<S>& X) {
  const S x = cay_inv(X.rotation);
  return {x, X.position - (0.5 * x) * perp(X.position)};
}
template <class S>
PlanarTwistMap<S> dcay_se2(const PlanarTwist<S>& X) {
  const S scale = dcay_so2(X.angular);
  return {scale, (-0.5 * scale) * perp(X.linear), scale, 0.5 * scale * X.angular};
}
template <class S>
PlanarTwistMap<S> dcay_inv_se2(const PlanarTwist<S>& X) {
  return {dcay_inv_so2(X.angular), 0.5 * perp(X.linear) + (0.25 * X.angular) * X.linear, S(1.0),
          -0.5 * X.angular};
}

/// Ad_X V, from body to world, and back.
template <class A, class B>
auto Ad(const SE2<A>& X, const PlanarTwist<B>& V) -> PlanarTwist<decltype(X.position.x * V.angular)> {
  return {V.angular, act(X.rotation, V.linear) - V.angular * perp(X.position)};
}
template <class A, class B>
auto Ad_inv(const SE2<A>& X, const PlanarTwist<B>& V) -> PlanarTwist<decltype(X.position.x * V.angular)> {
  return {V.angular, act(inverse(X.rotation), V.linear + V.angular * perp(X.position))};
}
/// Ad_X^T F, from world to body: dot(Ad(X, V), F) = dot(V, Ad_dual(X, F)); and its inverse.
template <class A, class B>
auto Ad_dual(const SE2<A>& X, const PlanarWrench<B>& F) -> PlanarWrench<decltype(X.position.x * F.moment)> {
  return {F.moment - dot(perp(X.position), F.force), act(inverse(X.rotation), F.force)};
}
template <class A, class B>
auto Ad_inv_dual(const SE2<A>& X, const PlanarWrench<B>& F)
    -> PlanarWrench<decltype(X.position.x * F.moment)> {
  const auto force = act(X.rotation, F.force);
  return {F.moment + dot(perp(X.position), force), force};
}

}  // namespace torsor
