#pragma once
// The four representations of a rigid body's motion and what is dual to it, Müller (98)-(100), and the way
// from any one to any other. Every way leads over the hybrid one: from there each part of a representation is
// at most one turn and one shift away, also after differentiation.

#include <cstddef>
#include <span>

#include "torsor/tree/articulated_inertia.h"

namespace torsor {

/// Müller's names. body: both parts in body axes, of the body frame's origin. spatial: world axes, of the
/// point at the world origin. hybrid: world axes, of the body frame's origin. mixed: angular in body axes,
/// linear in world axes, of the body frame's origin.
enum class Representation { body, spatial, hybrid, mixed };
inline constexpr Representation kRepresentations[] = {Representation::body, Representation::spatial,
                                                      Representation::hybrid, Representation::mixed};

constexpr const char* name_of(Representation representation) {
  constexpr const char* kNames[] = {"body", "spatial", "hybrid", "mixed"};
  return kNames[static_cast<int>(representation)];
}

constexpr bool has_angular_in_body_axes(Representation r) {
  return r == Representation::body || r == Representation::mixed;
}
constexpr bool has_linear_in_body_axes(Representation r) { return r == Representation::body; }

// Twists, and columns of Jacobians. (98)-(100)

template <class S>
inline Twist<S> hybrid_from(Representation from, const Pose<S>& X_WB, const Twist<S>& V) {
  const Vec3<S> angular = has_angular_in_body_axes(from) ? X_WB.R * V.angular : V.angular;
  if (from == Representation::spatial) return {angular, V.linear + cross(angular, X_WB.p)};
  return {angular, has_linear_in_body_axes(from) ? X_WB.R * V.linear : V.linear};
}
template <class S>
inline Twist<S> hybrid_to(Representation to, const Pose<S>& X_WB, const Twist<S>& V) {
  if (to == Representation::spatial) return {V.angular, V.linear + cross(X_WB.p, V.angular)};
  return {has_angular_in_body_axes(to) ? transpose_times(X_WB.R, V.angular) : V.angular,
          has_linear_in_body_axes(to) ? transpose_times(X_WB.R, V.linear) : V.linear};
}

// Wrenches and momenta: the dual maps, so that dot(V, W) is the same power in all four.

template <class S>
inline Wrench<S> hybrid_from(Representation from, const Pose<S>& X_WB, const Wrench<S>& W) {
  if (from == Representation::spatial) return {W.moment - cross(X_WB.p, W.force), W.force};
  return {has_angular_in_body_axes(from) ? X_WB.R * W.moment : W.moment,
          has_linear_in_body_axes(from) ? X_WB.R * W.force : W.force};
}
template <class S>
inline Wrench<S> hybrid_to(Representation to, const Pose<S>& X_WB, const Wrench<S>& W) {
  if (to == Representation::spatial) return {W.moment + cross(X_WB.p, W.force), W.force};
  return {has_angular_in_body_axes(to) ? transpose_times(X_WB.R, W.moment) : W.moment,
          has_linear_in_body_axes(to) ? transpose_times(X_WB.R, W.force) : W.force};
}

// Inertias M with momentum = M V in the same representation: blocks [A, B; B^T, D]. Body, spatial, hybrid: A
// is the tensor about the origin meant, B = hat(m c), D = m 1. Mixed: A the body-fixed tensor, D = m 1, but
// B = hat(m c_B) R^T, which takes a force in world axes to a moment in body axes and is not skew: the one
// inertia that ten numbers do not write.

template <class S>
inline ArticulatedInertia<S> inertia_blocks(const Inertia<S>& I) {
  return {I.about_origin, hat(I.first_moment), diagonal(I.mass)};
}

template <class S>
inline ArticulatedInertia<S> hybrid_from(Representation from, const Pose<S>& X_WB,
                                         const ArticulatedInertia<S>& M) {
  if (from == Representation::spatial) return to_parent<Remains::all>(Pose<S>{.p = -X_WB.p}, M);
  ArticulatedInertia<S> H = M;
  if (has_angular_in_body_axes(from)) H = {rotate(X_WB.R, H.A), X_WB.R * H.B, H.D};
  if (has_linear_in_body_axes(from)) H = {H.A, H.B * transpose(X_WB.R), rotate(X_WB.R, H.D)};
  return H;
}
template <class S>
inline ArticulatedInertia<S> hybrid_to(Representation to, const Pose<S>& X_WB,
                                       const ArticulatedInertia<S>& H) {
  if (to == Representation::spatial) return to_parent<Remains::all>(Pose<S>{.p = X_WB.p}, H);
  const Mat3<S> back = transpose(X_WB.R);
  ArticulatedInertia<S> M = H;
  if (has_angular_in_body_axes(to)) M = {rotate(back, M.A), back * M.B, M.D};
  if (has_linear_in_body_axes(to)) M = {M.A, M.B * X_WB.R, rotate(back, M.D)};
  return M;
}

/// A twist in one representation with the first and second time derivative of that coordinate vector. They
/// are no screws: between representations they mix with the derivatives below them.
template <class S>
struct TwistDerivatives {
  Twist<S> twist, acceleration, jerk;
};

/// A vector and its first two derivatives, in axes that may turn.
template <class S>
struct VectorDerivatives {
  Vec3<S> value, first, second;
};

/// R a for R' = R hat(w): (R a)' = R (a' + w x a), (R a)'' = R (a'' + 2 w x a' + w' x a + w x (w x a)).
template <class S>
inline VectorDerivatives<S> turned(const Mat3<S>& R, const Vec3<S>& w, const Vec3<S>& w_rate,
                                   const VectorDerivatives<S>& a) {
  const Vec3<S> across = cross(w, a.value);
  return {R * a.value, R * (a.first + across),
          R * (a.second + 2.0 * cross(w, a.first) + cross(w_rate, a.value) + cross(w, across))};
}

template <class S>
inline VectorDerivatives<S> angular_part(const TwistDerivatives<S>& m) {
  return {m.twist.angular, m.acceleration.angular, m.jerk.angular};
}
template <class S>
inline VectorDerivatives<S> linear_part(const TwistDerivatives<S>& m) {
  return {m.twist.linear, m.acceleration.linear, m.jerk.linear};
}
template <class S>
inline TwistDerivatives<S> joined(const VectorDerivatives<S>& angular, const VectorDerivatives<S>& linear) {
  return {{angular.value, linear.value}, {angular.first, linear.first}, {angular.second, linear.second}};
}

template <class S>
inline TwistDerivatives<S> hybrid_from(Representation from, const Pose<S>& X_WB,
                                       const TwistDerivatives<S>& m) {
  VectorDerivatives<S> w = angular_part(m), v = linear_part(m);
  if (from == Representation::spatial) {  // v = v^s + w x r, differentiated twice, with r' = v
    v.value += cross(w.value, X_WB.p);
    v.first += cross(w.first, X_WB.p) + cross(w.value, v.value);
    v.second += cross(w.second, X_WB.p) + 2.0 * cross(w.first, v.value) + cross(w.value, v.first);
  }
  if (has_linear_in_body_axes(from)) v = turned(X_WB.R, w.value, w.first, v);
  if (has_angular_in_body_axes(from)) w = turned(X_WB.R, w.value, w.first, w);
  return joined(w, v);
}
template <class S>
inline TwistDerivatives<S> hybrid_to(Representation to, const Pose<S>& X_WB, const TwistDerivatives<S>& m) {
  VectorDerivatives<S> w = angular_part(m), v = linear_part(m);
  if (to == Representation::spatial) {  // v^s = v - w x r
    const VectorDerivatives<S> u = v;
    v.value -= cross(w.value, X_WB.p);
    v.first -= cross(w.first, X_WB.p) + cross(w.value, u.value);
    v.second -= cross(w.second, X_WB.p) + 2.0 * cross(w.first, u.value) + cross(w.value, u.first);
  }
  const Mat3<S> back = transpose(X_WB.R);  // (R^T)' = -R^T hat(w)
  if (has_linear_in_body_axes(to)) v = turned(back, -w.value, -w.first, v);
  if (has_angular_in_body_axes(to)) w = turned(back, -w.value, -w.first, w);
  return joined(w, v);
}

/// A Twist, Wrench, ArticulatedInertia or TwistDerivatives of a body at pose X_WB in another representation.
template <template <class> class Quantity, class S>
inline Quantity<S> convert(Representation from, Representation to, const Pose<S>& X_WB,
                           const Quantity<S>& x) {
  return from == to ? x : hybrid_to(to, X_WB, hybrid_from(from, X_WB, x));
}

/// The time derivative of a twist's coordinates, which has the twist V itself for a companion.
template <class S>
inline Twist<S> convert_acceleration(Representation from, Representation to, const Pose<S>& X_WB,
                                     const Twist<S>& V, const Twist<S>& V_rate) {
  return convert(from, to, X_WB, TwistDerivatives<S>{V, V_rate, {}}).acceleration;
}

/// A Jacobian column by column, (106); `in` and `out` may be the same.
template <class S>
inline void convert_columns(Representation from, Representation to, const Pose<S>& X_WB,
                            std::span<const Twist<S>> in, std::span<Twist<S>> out) {
  for (std::size_t k = 0; k < in.size(); ++k) out[k] = convert(from, to, X_WB, in[k]);
}

/// A body-fixed quantity in another representation.
template <template <class> class Quantity, class S>
inline Quantity<S> represent(Representation representation, const Pose<S>& X_WB, const Quantity<S>& x_B) {
  return convert(Representation::body, representation, X_WB, x_B);
}
template <class S>
inline ArticulatedInertia<S> represent(Representation representation, const Pose<S>& X_WB,
                                       const Inertia<S>& I_B) {
  return represent(representation, X_WB, inertia_blocks(I_B));
}

}  // namespace torsor
