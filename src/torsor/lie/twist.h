#pragma once
// Velocities and forces of a rigid body as two different types: only their pairing, the power, compiles.

#include "torsor/base/vec.h"

namespace torsor {

/// An element of se(3): (angular, linear) velocity, Müller's V = (omega, v).
template <class S>
struct Twist {
  Vec3<S> angular, linear;
};

/// An element of se(3)*: (moment, force), Müller's W = (t, f). A momentum is a Wrench too: (angular, linear).
template <class S>
struct Wrench {
  Vec3<S> moment, force;
};

template <class A, class B>
constexpr auto operator+(const Twist<A>& a, const Twist<B>& b) -> Twist<decltype(a.linear.x + b.linear.x)> {
  return {a.angular + b.angular, a.linear + b.linear};
}
template <class A, class B>
constexpr auto operator-(const Twist<A>& a, const Twist<B>& b) -> Twist<decltype(a.linear.x - b.linear.x)> {
  return {a.angular - b.angular, a.linear - b.linear};
}
template <class S>
constexpr Twist<S> operator-(const Twist<S>& a) {
  return {-a.angular, -a.linear};
}
template <class A, class B>
constexpr auto operator*(const A& s, const Twist<B>& a) -> Twist<decltype(s * a.linear.x)> {
  return {s * a.angular, s * a.linear};
}
template <class A, class B>
constexpr Twist<A>& operator+=(Twist<A>& a, const Twist<B>& b) {
  a.angular += b.angular;
  a.linear += b.linear;
  return a;
}
template <class A, class B>
constexpr Twist<A>& operator-=(Twist<A>& a, const Twist<B>& b) {
  a.angular -= b.angular;
  a.linear -= b.linear;
  return a;
}

template <class A, class B>
constexpr auto operator+(const Wrench<A>& a, const Wrench<B>& b) -> Wrench<decltype(a.force.x + b.force.x)> {
  return {a.moment + b.moment, a.force + b.force};
}
template <class A, class B>
constexpr auto operator-(const Wrench<A>& a, const Wrench<B>& b) -> Wrench<decltype(a.force.x - b.force.x)> {
  return {a.moment - b.moment, a.force - b.force};
}
template <class S>
constexpr Wrench<S> operator-(const Wrench<S>& a) {
  return {-a.moment, -a.force};
}
template <class A, class B>
constexpr auto operator*(const A& s, const Wrench<B>& a) -> Wrench<decltype(s * a.force.x)> {
  return {s * a.moment, s * a.force};
}
template <class A, class B>
constexpr Wrench<A>& operator+=(Wrench<A>& a, const Wrench<B>& b) {
  a.moment += b.moment;
  a.force += b.force;
  return a;
}
template <class A, class B>
constexpr Wrench<A>& operator-=(Wrench<A>& a, const Wrench<B>& b) {
  a.moment -= b.moment;
  a.force -= b.force;
  return a;
}

/// Power of a wrench on a twist, both in the same frame at the same point.
template <class A, class B>
constexpr auto dot(const Twist<A>& V, const Wrench<B>& F) {
  return dot(V.angular, F.moment) + dot(V.linear, F.force);
}

/// The Lie bracket [V, W] = ad_V W = (omega_V x omega_W, v_V x omega_W + omega_V x v_W), Müller (114).
template <class A, class B>
constexpr auto bracket(const Twist<A>& V, const Twist<B>& W) -> Twist<decltype(V.linear.x * W.linear.x)> {
  return {cross(V.angular, W.angular), cross(V.linear, W.angular) + cross(V.angular, W.linear)};
}

/// ad_V^T F = (m x omega + f x v, f x omega): dot(W, coadjoint(V, F)) = dot(bracket(V, W), F). With this sign
/// the Newton-Euler equations of a body read F = M Vdot - coadjoint(V, M V), Müller (41).
template <class A, class B>
constexpr auto coadjoint(const Twist<A>& V, const Wrench<B>& F) -> Wrench<decltype(V.linear.x * F.force.x)> {
  return {cross(F.moment, V.angular) + cross(F.force, V.linear), cross(F.force, V.angular)};
}

}  // namespace torsor
