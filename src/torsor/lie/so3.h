#pragma once
// The rotations of space as unit quaternions (Hamilton product, w first). exp and dexp are right-trivialised
// as in Müller (89): with R = exp(x), the spatial angular velocity is dexp_x xdot, the body-fixed one
// dexp_{-x} xdot.

#include <cmath>

#include "torsor/base/vec.h"
#include "torsor/lie/series.h"

namespace torsor {

template <class S>
struct SO3 {
  S w{1.0}, x{}, y{}, z{};
};

template <class S>
Vec3<S> vector_part(const SO3<S>& q) {
  return {q.x, q.y, q.z};
}
template <class A, class B>
auto operator*(const SO3<A>& a, const SO3<B>& b) -> SO3<decltype(a.w * b.w)> {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class S>
SO3<S> inverse(const SO3<S>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class S>
SO3<S> normalized(const SO3<S>& q) {
  using std::sqrt;
  const S scale = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {scale * q.w, scale * q.x, scale * q.y, scale * q.z};
}
/// Of a quaternion that is of unit length but for rounding: without a root, unless it is further off than that.
template <class S>
SO3<S> renormalized(const SO3<S>& q) {
  using std::abs, std::sqrt;
  const S square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, excess = square - 1.0;
  const auto near = abs(excess) < S(1e-5);  // then the next term, 5/16 excess^3, is below rounding
  S scale = 1.0 - excess * (0.5 - 0.375 * excess);
  if (!all(near)) scale = select(near, scale, S(1.0 / sqrt(square)));
  return {scale * q.w, scale * q.x, scale * q.y, scale * q.z};
}
template <class A, class B>
auto act(const SO3<A>& q, const Vec3<B>& v) -> Vec3<decltype(q.w * v.x)> {
  const auto t = 2.0 * cross(vector_part(q), v);
  return v + q.w * t + cross(vector_part(q), t);
}
template <class S>
Mat3<S> matrix(const SO3<S>& q) {
  const S x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const S xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
  const S xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
  const S wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  return {1.0 - (yy + zz), xy - wz, xz + wy, xy + wz,        1.0 - (xx + zz),
          yz - wx,         xz - wy, yz + wx, 1.0 - (xx + yy)};
}

template <class Mask, class S>
requires(!std::same_as<Mask, bool>) SO3<S> select(const Mask& m, const SO3<S>& a, const SO3<S>& b) {
  return {select(m, a.w, b.w), select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
/// Each of the four products of a component with the whole quaternion is linear in R; the one with the
/// largest component loses nothing (Shepperd 1978). The sign of the result is not normalised.
template <class S>
SO3<S> so3_from_matrix(const Mat3<S>& R) {
  const SO3<S> by_w{1.0 + R.xx + R.yy + R.zz, R.zy - R.yz, R.xz - R.zx, R.yx - R.xy};
  const SO3<S> by_x{R.zy - R.yz, 1.0 + R.xx - R.yy - R.zz, R.yx + R.xy, R.xz + R.zx};
  const SO3<S> by_y{R.xz - R.zx, R.yx + R.xy, 1.0 - R.xx + R.yy - R.zz, R.zy + R.yz};
  const SO3<S> by_z{R.yx - R.xy, R.xz + R.zx, R.zy + R.yz, 1.0 - R.xx - R.yy + R.zz};
  const auto x_leads = by_x.x > by_w.w, z_leads = by_z.z > by_y.y;
  const SO3<S> wx = select(x_leads, by_x, by_w), yz = select(z_leads, by_z, by_y);
  const auto yz_leads = select(z_leads, by_z.z, by_y.y) > select(x_leads, by_x.x, by_w.w);
  return normalized(select(yz_leads, yz, wx));
}

template <class S>
SO3<S> exp_so3(const Vec3<S>& x) {
  const Stumpff<S> c = stumpff(S(0.25 * dot(x, x)));
  const S half = 0.5 * c[1];
  return {c[0], half * x.x, half * x.y, half * x.z};
}
/// The rotation vector with angle in [0, pi]; q need not be exactly of unit length.
template <class S>
Vec3<S> log(const SO3<S>& q) {
  const S sign = select(q.w < S(0.0), S(-1.0), S(1.0));
  const Vec3<S> v = vector_part(q);
  return (sign * angle_over_sine(S(dot(v, v)), S(sign * q.w))) * v;
}

/// a 1 + b hat(x) + c hat(x)^2, the shape of every isotropic map of x.
template <class S>
Mat3<S> isotropic(const S& a, const S& b, const S& c, const Vec3<S>& x) {
  const S d = a - c * dot(x, x);
  const Vec3<S> bx = b * x, cx = c * x;
  const S xy = cx.x * x.y, xz = cx.x * x.z, yz = cx.y * x.z;
  return {d + cx.x * x.x, xy - bx.z, xz + bx.y, xy + bx.z,     d + cx.y * x.y,
          yz - bx.x,      xz - bx.y, yz + bx.x, d + cx.z * x.z};
}
/// The derivative of f(x) = b x x v + c x x (x x v) along x, where b and c are functions of u = |x|^2 with
/// slopes db, dc.
template <class S>
Mat3<S> isotropic_derivative(const S& b, const S& db, const S& c, const S& dc, const Vec3<S>& x,
                             const Vec3<S>& v) {
  const Vec3<S> xv = cross(x, v);
  const Vec3<S> radial = 2.0 * (db * xv + dc * cross(x, xv)) - 2.0 * (c * v);
  const Mat3<S> along = outer(radial, x) + outer(Vec3<S>(c * x), v);
  const S d = c * dot(x, v);
  const Vec3<S> bv = b * v;
  return {along.xx + d,    along.xy + bv.z, along.xz - bv.y, along.yx - bv.z, along.yy + d,
          along.yz + bv.x, along.zx + bv.y, along.zy - bv.x, along.zz + d};
}

/// dexp_x = 1 + c_2 hat(x) + c_3 hat(x)^2, Müller (89).
template <class S>
Mat3<S> dexp_so3(const Vec3<S>& x) {
  const Stumpff<S> c = stumpff(S(dot(x, x)));
  return isotropic(S(1.0), c[2], c[3], x);
}
/// dexp_x^-1 = 1 - hat(x)/2 + e hat(x)^2, for |x| < 2 pi.
template <class S>
Mat3<S> dexp_inv_so3(const Vec3<S>& x) {
  return isotropic(S(1.0), S(-0.5), dexp_inverse_coefficient(S(dot(x, x))).value, x);
}
/// The matrix of d(dexp_x v)/dx at fixed v.
template <class S>
Mat3<S> d_dexp_so3(const Vec3<S>& x, const Vec3<S>& v) {
  const Stumpff<S> c = stumpff(S(dot(x, x)));
  return isotropic_derivative(c[2], c.slope_2, c[3], c.slope_3, x, v);
}
/// The matrix of d(dexp_x^-1 v)/dx at fixed v.
template <class S>
Mat3<S> d_dexp_inv_so3(const Vec3<S>& x, const Vec3<S>& v) {
  const DexpInverse<S> e = dexp_inverse_coefficient(S(dot(x, x)));
  return isotropic_derivative(S(-0.5), S(0.0), e.value, e.slope, x, v);
}

/// cay(x) = (1 - hat(x)/2)^-1 (1 + hat(x)/2): x is twice the Gibbs vector, so cay agrees with exp to second
/// order.
template <class S>
SO3<S> cay_so3(const Vec3<S>& x) {
  return normalized(SO3<S>{S(1.0), 0.5 * x.x, 0.5 * x.y, 0.5 * x.z});
}
/// Undefined at a half turn.
template <class S>
Vec3<S> cay_inv(const SO3<S>& q) {
  return (2.0 / q.w) * vector_part(q);
}
/// Right-trivialised as dexp: the spatial angular velocity of cay(x) is dcay_x xdot.
template <class S>
Mat3<S> dcay_so3(const Vec3<S>& x) {
  const S scale = 1.0 / (1.0 + 0.25 * dot(x, x));
  return isotropic(scale, S(0.5 * scale), S(0.0), x);
}
template <class S>
Mat3<S> dcay_inv_so3(const Vec3<S>& x) {
  return isotropic(S(1.0 + 0.25 * dot(x, x)), S(-0.5), S(0.25), x);
}

}  // namespace torsor
