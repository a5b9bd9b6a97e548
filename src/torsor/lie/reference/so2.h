#pragma once
// The rotations of the plane as unit complex numbers. The group commutes: Ad is the identity, dexp is 1.

#include <cmath>

#include "torsor/base/vec.h"
#include "torsor/lie/series.h"

namespace torsor {

/// cos + i sin.
template <class S>
struct SO2 {
  S re{1.0}, im{};
};

template <class A, class B>
auto operator*(const SO2<A>& a, const SO2<B>& b) -> SO2<decltype(a.re * b.re)> {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class S>
SO2<S> inverse(const SO2<S>& q) {
  return {q.re, -q.im};
}
template <class S>
SO2<S> normalized(const SO2<S>& q) {
  using std::sqrt;
  const S scale = 1.0 / sqrt(q.re * q.re + q.im * q.im);
  return {scale * q.re, scale * q.im};
}
template <class A, class B>
auto act(const SO2<A>& q, const Vec2<B>& v) -> Vec2<decltype(q.re * v.x)> {
  return {q.re * v.x - q.im * v.y, q.im * v.x + q.re * v.y};
}

template <class S>
SO2<S> exp_so2(const S& angle) {
  SO2<S> q;
  sincos(angle, q.im, q.re);
  return q;
}
/// The angle in [-pi, pi].
template <class S>
S log(const SO2<S>& q) {
  using std::atan2;
  return atan2(q.im, q.re);
}

/// cay(x) = (1 + i x/2) / (1 - i x/2).
template <class S>
SO2<S> cay_so2(const S& x) {
  const S quarter = 0.25 * x * x;
  const S scale = 1.0 / (1.0 + quarter);
  return {(1.0 - quarter) * scale, x * scale};
}
/// Undefined at a half turn.
template <class S>
S cay_inv(const SO2<S>& q) {
  return 2.0 * q.im / (1.0 + q.re);
}
template <class S>
S dcay_so2(const S& x) {
  return 1.0 / (1.0 + 0.25 * x * x);
}
template <class S>
S dcay_inv_so2(const S& x) {
  return 1.0 + 0.25 * x * x;
}

}  // namespace torsor
