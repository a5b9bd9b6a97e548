#pragma once
// The inertia of a rigid body about the origin of the frame it is written in: ten numbers, linear in the mass
// distribution, so that bodies add.

#include <string>

#include "torsor/base/pack.h"
#include "torsor/lie/pose.h"
#include "torsor/lie/twist.h"

namespace torsor {

template <class S>
struct Inertia {
  S mass{};
  Vec3<S> first_moment;  ///< m c
  Sym3<S> about_origin;  ///< int (|x|^2 1 - x x^T) dm
};

template <class S>
constexpr S trace(const Sym3<S>& m) {
  return m.xx + m.yy + m.zz;
}
template <class S>
constexpr Sym3<S> diagonal(const S& d) {
  return {d, d, d, S(0.0), S(0.0), S(0.0)};
}
/// -(hat(a) hat(b) + hat(b) hat(a)) / 2, so that m steiner(c, c) is the tensor of a mass m at c.
template <class A, class B>
constexpr auto steiner(const Vec3<A>& a, const Vec3<B>& b) -> Sym3<decltype(a.x * b.x)> {
  const auto xx = a.x * b.x, yy = a.y * b.y, zz = a.z * b.z;
  return {yy + zz,
          xx + zz,
          xx + yy,
          -0.5 * (a.x * b.y + a.y * b.x),
          -0.5 * (a.x * b.z + a.z * b.x),
          -0.5 * (a.y * b.z + a.z * b.y)};
}
/// R J R^T.
template <class A, class B>
constexpr auto rotate(const Mat3<A>& R, const Sym3<B>& J) -> Sym3<decltype(R.xx * J.xx)> {
  const auto P = R * full(J);
  return {P.xx * R.xx + P.xy * R.xy + P.xz * R.xz, P.yx * R.yx + P.yy * R.yy + P.yz * R.yz,
          P.zx * R.zx + P.zy * R.zy + P.zz * R.zz, P.xx * R.yx + P.xy * R.yy + P.xz * R.yz,
          P.xx * R.zx + P.xy * R.zy + P.xz * R.zz, P.yx * R.zx + P.yy * R.zy + P.yz * R.zz};
}

template <class S>
Inertia<S> inertia_about_com(const S& mass, const Vec3<S>& com, const Sym3<S>& at_com) {
  const Vec3<S> first = mass * com;
  return {mass, first, at_com + steiner(first, com)};
}
/// The centre of mass; the origin for a massless body.
template <class S>
Vec3<S> com(const Inertia<S>& I) {
  const auto massless = I.mass == S(0.0);
  const S inverse = select(massless, S(0.0), S(1.0 / select(massless, S(1.0), I.mass)));
  return inverse * I.first_moment;
}
template <class S>
Sym3<S> tensor_about_com(const Inertia<S>& I) {
  return I.about_origin - steiner(I.first_moment, com(I));
}

template <class A, class B>
constexpr auto operator+(const Inertia<A>& a, const Inertia<B>& b) -> Inertia<decltype(a.mass + b.mass)> {
  return {a.mass + b.mass, a.first_moment + b.first_moment, a.about_origin + b.about_origin};
}
/// Momentum M V: (J omega + h x v, m v - h x omega) with h = m c.
template <class A, class B>
constexpr auto operator*(const Inertia<A>& I, const Twist<B>& V) -> Wrench<decltype(I.mass * V.linear.x)> {
  return {I.about_origin * V.angular + cross(I.first_moment, V.linear),
          I.mass * V.linear - cross(I.first_moment, V.angular)};
}
template <class A, class B>
constexpr auto kinetic_energy(const Inertia<A>& I, const Twist<B>& V) {
  return 0.5 * dot(V, I * V);
}
/// The same body seen from the parent frame A of X_AB: Ad_X^-T M Ad_X^-1.
template <class A, class B>
constexpr auto to_parent(const Pose<A>& X, const Inertia<B>& I) -> Inertia<decltype(X.p.x * I.mass)> {
  const auto rotated = X.R * I.first_moment;
  const auto shift = I.mass * X.p;
  return {I.mass + decltype(X.p.x * I.mass)(0.0), rotated + shift,
          rotate(X.R, I.about_origin) + steiner(rotated + rotated + shift, X.p)};
}

/// The Euler (Binet) tensor E = int x x^T dm = tr(J)/2 1 - J of an inertia tensor J, and back J = tr(E) 1 -
/// E.
template <class S>
Sym3<S> euler_tensor(const Sym3<S>& J) {
  return diagonal(S(0.5 * trace(J))) - J;
}
template <class S>
Sym3<S> inertia_tensor(const Sym3<S>& E) {
  return diagonal(trace(E)) - E;
}

/// What keeps an inertia from being that of a body, as text with the numbers; empty when nothing does. A body
/// has finite mass and tensor, mass > 0 (or all ten numbers 0), and about its centre of mass principal
/// moments that are nonnegative and of which none exceeds the sum of the other two. Flat bodies and rods lie
/// on that boundary, so the moments may miss it by 1e-9 of the largest tensor entry, plus 1e-13 of the tensor
/// about the origin for its shift.
std::string inertia_fault(const Inertia<double>& I);
/// The same for a tensor about the centre of mass.
std::string inertia_fault(double mass, const Sym3<double>& at_com);
inline bool is_physical(const Inertia<double>& I) { return inertia_fault(I).empty(); }

}  // namespace torsor
