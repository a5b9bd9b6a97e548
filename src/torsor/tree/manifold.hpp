#pragma once
// The factors of a tree's configuration manifold, one struct each: R (lines, and circles by angles
// that count full turns), SO(3) (unit quaternions), SE(2), SE(3). Increments and rates are body-fixed. Each offers, on pointers to its own numbers,
//   retract(q, d, out)                    q exp(d); out may be q
//   chart_rate(x, v, out)                 the rate of x along a curve q exp(x(t)) of rate v: dexp^-1_{-x} v
//   difference(a, b, out)                 log(a^-1 b)
//   series(q, v, out)                     coefficients in time of the curve of rate v(t) that starts at q
//   end_momenta(h/2, xi, p, f, p0, p1)    momenta at both ends of a step, (2) of discrete_lagrangian.h
//   collocate(stages, q, v)               a Runge-Kutta step, (1) and (2) of collocation.h

#include "torsor/base/taylor.h"
#include "torsor/lie/se3.h"
#include "torsor/lie/so3.h"
#include "torsor/tree/node_motion.hpp"

namespace torsor {

template <class S>
struct CollocationStages;

template <class S>
inline SO3<S> quaternion_at(const S* q) {
  return {q[0], q[1], q[2], q[3]};
}
template <class S>
inline void store_at(const SO3<S>& rotation, S* q) {
  q[0] = rotation.w;
  q[1] = rotation.x;
  q[2] = rotation.y;
  q[3] = rotation.z;
}
template <class S>
inline Vec3<S> vector_at(const S* v) {
  return {v[0], v[1], v[2]};
}
template <class S>
inline void store_at(const Vec3<S>& x, S* v) {
  v[0] = x.x;
  v[1] = x.y;
  v[2] = x.z;
}
template <class S>
inline Twist<S> twist_at(const S* v) {
  return {vector_at(v), vector_at(v + 3)};
}
template <class S>
inline void store_at(const Vec3<S>& first, const Vec3<S>& second, S* v) {
  store_at(first, v);
  store_at(second, v + 3);
}
/// SE(2) inside SE(3): (turn about z, slide in x, y).
template <class S>
inline Vec3<S> planar_turn(const S* v) {
  return {S(0.0), S(0.0), v[0]};
}
template <class S>
inline Vec3<S> planar_slide(const S* v) {
  return {v[1], v[2], S(0.0)};
}
template <class S>
inline Twist<S> planar_twist(const S* v) {
  return {planar_turn(v), planar_slide(v)};
}
template <class S>
inline void store_planar(const Vec3<S>& turn, const Vec3<S>& slide, S* v) {
  v[0] = turn.z;
  v[1] = slide.x;
  v[2] = slide.y;
}

/// dexp^-T_{xi} (p - h/2 dexp^T_{xi/2} f) on SE(3).
template <class S>
inline Wrench<S> end_momentum(const Twist<S>& xi, const Wrench<S>& p, const Wrench<S>& half_impulse) {
  const Twist<S> half{0.5 * xi.angular, 0.5 * xi.linear};
  return transpose_times(dexp_inv_se3(xi), Wrench<S>(p - transpose_times(dexp_se3(half), half_impulse)));
}
/// The same on SO(3), where the transpose of dexp_x is dexp_{-x}.
template <class S>
inline Vec3<S> end_momentum(const Vec3<S>& xi, const Vec3<S>& p, const Vec3<S>& half_impulse) {
  const Vec3<S> back = -xi, half = -0.5 * xi;
  return dexp_inv_so3(back) * Vec3<S>(p - dexp_so3(half) * half_impulse);
}

/// r' = r omega / 2 from r0: coefficient k of the product gives coefficient k + 1 of r.
template <int N>
SO3<Taylor<N>> rotation_series(const SO3<double>& r0, const Vec3<Taylor<N>>& omega) {
  using T = Taylor<N>;
  SO3<T> r{T(r0.w), T(r0.x), T(r0.y), T(r0.z)};
  const SO3<T> half{T(0.0), 0.5 * omega.x, 0.5 * omega.y, 0.5 * omega.z};
  for (int k = 0; k + 1 < N; ++k) {
    const SO3<T> rate = r * half;
    r.w[k + 1] = rate.w[k] / (k + 1);
    r.x[k + 1] = rate.x[k] / (k + 1);
    r.y[k + 1] = rate.y[k] / (k + 1);
    r.z[k + 1] = rate.z[k] / (k + 1);
  }
  return r;
}

struct LineManifold {
  template <class S>
  static void retract(const S* q, const S* d, S* out) {
    out[0] = q[0] + d[0];
  }
  template <class S>
  static void chart_rate(const S*, const S* v, S* out) {
    out[0] = v[0];
  }
  template <class S>
  static void difference(const S* a, const S* b, S* out) {
    out[0] = b[0] - a[0];
  }
  template <class T>
  static void series(const double* q, const T* v, T* out) {
    out[0] = integral(q[0], v[0]);
  }
  template <class S>
  static void end_momenta(double half, const S*, const S* p, const S* f, S* p0, S* p1) {
    p0[0] = p[0] - half * f[0];
    p1[0] = p[0] + half * f[0];
  }
  template <class S>
  static void collocate(CollocationStages<S>& stages, int q, int v);
};

struct SO3Manifold {
  template <class S>
  static void retract(const S* q, const S* d, S* out) {
    store_at(quaternion_at(q) * exp_so3(vector_at(d)), out);
  }
  template <class S>
  static void chart_rate(const S* x, const S* v, S* out) {
    store_at(dexp_inv_so3(-vector_at(x)) * vector_at(v), out);
  }
  template <class S>
  static void difference(const S* a, const S* b, S* out) {
    store_at(log(inverse(quaternion_at(a)) * quaternion_at(b)), out);
  }
  template <class T>
  static void series(const double* q, const T* v, T* out) {
    store_at(rotation_series(quaternion_at(q), vector_at(v)), out);
  }
  template <class S>
  static void end_momenta(double half, const S* xi, const S* p, const S* f, S* p0, S* p1) {
    const Vec3<S> turn = vector_at(xi), impulse = half * vector_at(f);
    store_at(end_momentum(turn, vector_at(p), impulse), p0);
    store_at(end_momentum(Vec3<S>(-turn), vector_at(p), Vec3<S>(-impulse)), p1);
  }
  template <class S>
  static void collocate(CollocationStages<S>& stages, int q, int v);
};

struct SE2Manifold {
  template <class S>
  static void retract(const S* q, const S* d, S* out) {
    const Vec3<S> step = exp_se3(planar_twist(d)).position;
    S sine, cosine;
    sincos(q[0], sine, cosine);
    out[0] = q[0] + d[0];
    out[1] = q[1] + cosine * step.x - sine * step.y;
    out[2] = q[2] + sine * step.x + cosine * step.y;
  }
  template <class S>
  static void chart_rate(const S* x, const S* v, S* out) {
    const Twist<S> r = dexp_inv_se3(-planar_twist(x), planar_twist(v));
    store_planar(r.angular, r.linear, out);
  }
  template <class S>
  static void difference(const S* a, const S* b, S* out) {
    // The angle counts turns, which log would forget.
    S sine, cosine;
    sincos(a[0], sine, cosine);
    const S dx = b[1] - a[1], dy = b[2] - a[2], turn = b[0] - a[0];
    const Vec3<S> slide = dexp_inv_so3(Vec3<S>{S(0.0), S(0.0), turn}) *
                          Vec3<S>{cosine * dx + sine * dy, cosine * dy - sine * dx, S(0.0)};
    out[0] = turn;
    out[1] = slide.x;
    out[2] = slide.y;
  }
  template <class T>
  static void series(const double* q, const T* v, T* out) {
    T sine, cosine;
    out[0] = integral(q[0], v[0]);
    sincos(out[0], sine, cosine);
    out[1] = integral(q[1], cosine * v[1] - sine * v[2]);
    out[2] = integral(q[2], sine * v[1] + cosine * v[2]);
  }
  template <class S>
  static void end_momenta(double half, const S* xi, const S* p, const S* f, S* p0, S* p1) {
    const Twist<S> step = planar_twist(xi);
    const Wrench<S> momentum{planar_turn(p), planar_slide(p)};
    const Wrench<S> impulse{{S(0.0), S(0.0), half * f[0]}, {half * f[1], half * f[2], S(0.0)}};
    const Wrench<S> begin = end_momentum(step, momentum, impulse);
    const Wrench<S> end = end_momentum(-step, momentum, -impulse);
    store_planar(begin.moment, begin.force, p0);
    store_planar(end.moment, end.force, p1);
  }
  template <class S>
  static void collocate(CollocationStages<S>& stages, int q, int v);
};

struct SE3Manifold {
  template <class S>
  static SE3<S> pose(const S* q) {
    return {quaternion_at(q), vector_at(q + 4)};
  }
  template <class S>
  static void retract(const S* q, const S* d, S* out) {
    const SE3<S> X = pose(q) * exp_se3(twist_at(d));
    store_at(X.rotation, out);
    store_at(X.position, out + 4);
  }
  template <class S>
  static void chart_rate(const S* x, const S* v, S* out) {
    const Twist<S> r = dexp_inv_se3(-twist_at(x), twist_at(v));
    store_at(r.angular, r.linear, out);
  }
  template <class S>
  static void difference(const S* a, const S* b, S* out) {
    const Twist<S> d = log(inverse(pose(a)) * pose(b));
    store_at(d.angular, d.linear, out);
  }
  template <class T>
  static void series(const double* q, const T* v, T* out) {
    const SO3<T> r = rotation_series(quaternion_at(q), vector_at(v));
    const Vec3<T> velocity = act(r, vector_at(v + 3));
    store_at(r, out);
    for (int k = 0; k < 3; ++k) out[4 + k] = integral(q[4 + k], velocity[k]);
  }
  template <class S>
  static void end_momenta(double half, const S* xi, const S* p, const S* f, S* p0, S* p1) {
    const Twist<S> step = twist_at(xi);
    const Wrench<S> momentum{vector_at(p), vector_at(p + 3)};
    const Wrench<S> impulse{half * vector_at(f), half * vector_at(f + 3)};
    const Wrench<S> begin = end_momentum(step, momentum, impulse);
    const Wrench<S> end = end_momentum(-step, momentum, -impulse);
    store_at(begin.moment, begin.force, p0);
    store_at(end.moment, end.force, p1);
  }
  template <class S>
  static void collocate(CollocationStages<S>& stages, int q, int v);
};

/// Calls f with the manifold of a node, if it moves at all.
template <class F>
[[gnu::always_inline]] inline void with_manifold(Primitive joint, F&& f) {
  with_motion(joint, [&](auto motion) {
    using Motion = decltype(motion);
    if constexpr (!Motion::axes.empty()) f(typename Motion::Manifold{});
  });
}

}  // namespace torsor
