#pragma once
// The inertia of a body together with all that hangs on it by joints, as felt at the body's origin.

#include "torsor/lie/inertia.h"
#include "torsor/lie/pose.h"
#include "torsor/lie/twist.h"

namespace torsor {

/// (moment, force) = [A, B; B^T, D] (angular, linear): symmetric, but not that of a rigid body.
template <class S>
struct ArticulatedInertia {
  Sym3<S> A;
  Mat3<S> B;
  Sym3<S> D;
};

template <class S, class T>
inline ArticulatedInertia<S> articulated(const Inertia<T>& I) {
  const auto& J = I.about_origin;
  const auto& c = I.first_moment;
  const S zero(0.0), m(I.mass);
  return {{S(J.xx), S(J.yy), S(J.zz), S(J.xy), S(J.xz), S(J.yz)},
          {zero, S(-c.z), S(c.y), S(c.z), zero, S(-c.x), S(-c.y), S(c.x), zero},
          {m, m, m, zero, zero, zero}};
}

template <class S>
inline Wrench<S> operator*(const ArticulatedInertia<S>& I, const Twist<S>& V) {
  return {I.A * V.angular + I.B * V.linear, transpose_times(I.B, V.angular) + I.D * V.linear};
}

template <class S>
inline ArticulatedInertia<S>& operator+=(ArticulatedInertia<S>& sum, const ArticulatedInertia<S>& I) {
  sum.A = sum.A + I.A;
  sum.B = sum.B + I.B;
  sum.D = sum.D + I.D;
  return sum;
}

/// The momentum of a unit rate along axis k (0-2 turns, 3-5 slides).
template <int k, class S>
inline Wrench<S> column(const ArticulatedInertia<S>& I) {
  if constexpr (k == 0) return {{I.A.xx, I.A.xy, I.A.xz}, {I.B.xx, I.B.xy, I.B.xz}};
  if constexpr (k == 1) return {{I.A.xy, I.A.yy, I.A.yz}, {I.B.yx, I.B.yy, I.B.yz}};
  if constexpr (k == 2) return {{I.A.xz, I.A.yz, I.A.zz}, {I.B.zx, I.B.zy, I.B.zz}};
  if constexpr (k == 3) return {{I.B.xx, I.B.yx, I.B.zx}, {I.D.xx, I.D.xy, I.D.xz}};
  if constexpr (k == 4) return {{I.B.xy, I.B.yy, I.B.zy}, {I.D.xy, I.D.yy, I.D.yz}};
  if constexpr (k == 5) return {{I.B.xz, I.B.yz, I.B.zz}, {I.D.xz, I.D.yz, I.D.zz}};
}

/// What a joint leaves of the inertia of what it carries: one that turns about all axes wipes out A and B,
/// one that turns about z their z rows. Not moving those zeros saves a third of a frame change.
enum class Remains { all, all_but_z_turn, linear, nothing };

/// I -= U (U s)^T, the part that yields to the joint.
template <Remains remains, class S>
inline void subtract_yielding(ArticulatedInertia<S>& I, const Wrench<S>& U, const S& s) {
  const Vec3<S> f = s * U.force;
  I.D.xx -= f.x * U.force.x;
  I.D.yy -= f.y * U.force.y;
  I.D.zz -= f.z * U.force.z;
  I.D.xy -= f.x * U.force.y;
  I.D.xz -= f.x * U.force.z;
  I.D.yz -= f.y * U.force.z;
  const Vec3<S>& m = U.moment;
  I.B.xx -= m.x * f.x;
  I.B.xy -= m.x * f.y;
  I.B.xz -= m.x * f.z;
  I.B.yx -= m.y * f.x;
  I.B.yy -= m.y * f.y;
  I.B.yz -= m.y * f.z;
  const S sx = s * m.x, sy = s * m.y;
  I.A.xx -= sx * m.x;
  I.A.xy -= sx * m.y;
  I.A.yy -= sy * m.y;
  if constexpr (remains == Remains::all) {
    I.B.zx -= m.z * f.x;
    I.B.zy -= m.z * f.y;
    I.B.zz -= m.z * f.z;
    I.A.xz -= sx * m.z;
    I.A.yz -= sy * m.z;
    I.A.zz -= s * m.z * m.z;
  } else {
    I.B.zx = I.B.zy = I.B.zz = I.A.xz = I.A.yz = I.A.zz = S(0.0);
  }
}

/// Upper triangle of hat(p) B^T + (hat(p) C^T)^T for rows b of B and c of C; the sum is symmetric in
/// to_parent.
template <class S>
inline Sym3<S> lever_moment(const Vec3<S>& p, const Mat3<S>& B, const Mat3<S>& C) {
  return {
      p.y * (B.xz + C.xz) - p.z * (B.xy + C.xy),         p.z * (B.yx + C.yx) - p.x * (B.yz + C.yz),
      p.x * (B.zy + C.zy) - p.y * (B.zx + C.zx),         p.y * B.yz - p.z * B.yy + p.z * C.xx - p.x * C.xz,
      p.y * B.zz - p.z * B.zy + p.x * C.xy - p.y * C.xx, p.z * B.zx - p.x * B.zz + p.x * C.yy - p.y * C.yx};
}

/// hat(p) D.
template <class S>
inline Mat3<S> hat_times(const Vec3<S>& p, const Sym3<S>& D) {
  return {p.y * D.xz - p.z * D.xy, p.y * D.yz - p.z * D.yy, p.y * D.zz - p.z * D.yz,
          p.z * D.xx - p.x * D.xz, p.z * D.xy - p.x * D.yz, p.z * D.xz - p.x * D.zz,
          p.x * D.xy - p.y * D.xx, p.x * D.yy - p.y * D.xy, p.x * D.yz - p.y * D.xz};
}

/// The inertia as felt at the parent's origin, in the parent's axes: with A, B, D turned by R,
///   D_P = D,  B_P = B + hat(p) D,  A_P = A + hat(p) B^T - B_P hat(p).
template <Remains remains, class S>
inline ArticulatedInertia<S> to_parent(const Pose<S>& X, const ArticulatedInertia<S>& I) {
  const Mat3<S>& R = X.R;
  const Vec3<S>& p = X.p;
  const Sym3<S> D = rotate(R, I.D);
  const Mat3<S> lever = hat_times(p, D);
  if constexpr (remains == Remains::linear) {
    return {lever_moment(p, Mat3<S>{}, lever), lever, D};
  } else {
    const auto turned = [&](const Mat3<S>& RB) -> Mat3<S> { return RB * transpose(R); };
    Mat3<S> B;
    Sym3<S> A;
    if constexpr (remains == Remains::all_but_z_turn) {
      B = turned({R.xx * I.B.xx + R.xy * I.B.yx, R.xx * I.B.xy + R.xy * I.B.yy, R.xx * I.B.xz + R.xy * I.B.yz,
                  R.yx * I.B.xx + R.yy * I.B.yx, R.yx * I.B.xy + R.yy * I.B.yy, R.yx * I.B.xz + R.yy * I.B.yz,
                  R.zx * I.B.xx + R.zy * I.B.yx, R.zx * I.B.xy + R.zy * I.B.yy,
                  R.zx * I.B.xz + R.zy * I.B.yz});
      const S xx = I.A.xx * R.xx + I.A.xy * R.xy, xy = I.A.xy * R.xx + I.A.yy * R.xy;
      const S yx = I.A.xx * R.yx + I.A.xy * R.yy, yy = I.A.xy * R.yx + I.A.yy * R.yy;
      const S zx = I.A.xx * R.zx + I.A.xy * R.zy, zy = I.A.xy * R.zx + I.A.yy * R.zy;
      A = {R.xx * xx + R.xy * xy, R.yx * yx + R.yy * yy, R.zx * zx + R.zy * zy,
           R.xx * yx + R.xy * yy, R.xx * zx + R.xy * zy, R.yx * zx + R.yy * zy};
    } else {
      B = turned(R * I.B);
      A = rotate(R, I.A);
    }
    const Mat3<S> B_P = B + lever;
    return {A + lever_moment(p, B, B_P), B_P, D};
  }
}

}  // namespace torsor
