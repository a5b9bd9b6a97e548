#pragma once
// The part of the Newton-Euler equations that is linear in velocity, as a tensor beside the inertia.

#include "torsor/lie/inertia.h"
#include "torsor/lie/twist.h"

namespace torsor {

/// For a body with spatial inertia M and twist V let
///   B x = 1/2 (-ad_V^T M x - M ad_V x - ad_x^T M V),                                            (1)
/// so that the velocity-dependent wrench is B V = -ad_V^T M V (Müller (38)) and d/dt M = B + B^T (37). Of its
/// 36 entries all but twelve vanish: with M = (m, h = m c, J), V = (w, v) and momentum M V = (L, p),
///   B (a, b) = (T a, a x p),  T = 1/2 (hat(w) J - J hat(w) - hat(v) hat(h) - hat(h) hat(v) - hat(L)).   (2)
/// Bodies add.
template <class S>
struct VelocityInertia {
  Mat3<S> T;
  Vec3<S> p;
};

template <class S>
inline VelocityInertia<S> velocity_inertia(const Inertia<S>& M, const Twist<S>& V,
                                           const Wrench<S>& momentum) {
  const Mat3<S> wJ = hat(V.angular) * full(M.about_origin);
  const Mat3<S> sum =
      wJ + transpose(wJ) + 2.0 * full(steiner(V.linear, M.first_moment)) - hat(momentum.moment);
  return {0.5 * sum, momentum.force};
}

template <class S>
inline VelocityInertia<S>& operator+=(VelocityInertia<S>& a, const VelocityInertia<S>& b) {
  a.T = a.T + b.T;
  a.p += b.p;
  return a;
}
template <class S>
inline Wrench<S> operator*(const VelocityInertia<S>& B, const Twist<S>& x) {
  return {B.T * x.angular, cross(x.angular, B.p)};
}
/// B^T x: a moment alone.
template <class S>
inline Vec3<S> transpose_times(const VelocityInertia<S>& B, const Twist<S>& x) {
  return transpose_times(B.T, x.angular) + cross(B.p, x.linear);
}

}  // namespace torsor
