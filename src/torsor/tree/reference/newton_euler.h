#pragma once
// The Newton-Euler equations of one rigid body in each representation: the wrench that a motion takes. Twist
// rates are time derivatives of the coordinate vector in the representation itself.

#include "torsor/lie/inertia.h"
#include "torsor/tree/representation.h"

namespace torsor {

/// W = M V' - ad_V^T M V with body-fixed quantities, Müller (41), or with spatial ones, (38): the same form.
template <class S>
inline Wrench<S> newton_euler(const Inertia<S>& M, const Twist<S>& V, const Twist<S>& V_rate) {
  return M * V_rate - coadjoint(V, M * V);
}

/// W = M V' + ad_w M (w, 0) in world axes at the body frame's origin. Müller (53), (76b) write ad_w M V, but
/// the momentum of r' turns with nothing: (54)-(55) have the angular part alone, and so has this.
template <class S>
inline Wrench<S> newton_euler_hybrid(const Inertia<S>& M, const Vec3<S>& omega, const Twist<S>& V_rate) {
  const Wrench<S> turning = M * Twist<S>{omega, {}};
  const Wrench<S> inertial = M * V_rate;
  return {inertial.moment + cross(omega, turning.moment), inertial.force + cross(omega, turning.force)};
}

/// Moment in body axes and force in world axes, Müller (56)-(57), with the inertia I_B in the body frame and
/// R from body to world axes. omega and the angular part of V_rate are in body axes.
template <class A, class S>
inline Wrench<S> newton_euler_mixed(const Inertia<A>& I_B, const Mat3<S>& R, const Vec3<S>& omega,
                                    const Twist<S>& V_rate) {
  const Vec3<A>& h = I_B.first_moment;
  const Vec3<S>& omega_rate = V_rate.angular;
  const Vec3<S>& a = V_rate.linear;
  return {I_B.about_origin * omega_rate + cross(omega, I_B.about_origin * omega) +
              cross(h, transpose_times(R, a)),                                         // (56)
          I_B.mass * a + R * (cross(omega_rate, h) + cross(omega, cross(omega, h)))};  // (57)
}

/// About an arbitrary moving point and in arbitrary moving axes: M and V are the body's, reduced to the point
/// and resolved in the axes; V_rate is the derivative of those coordinates. `frame` = (angular velocity of
/// the axes, velocity of the point), in the axes: all that the choice of them adds,
///   W = M (V' + ad_frame V) - ad_V^T M V.
/// Müller (60) with `frame` the twist of F_j in F_j; (63) for the point of F_j and the axes of F_k, where the
/// two ad of the text amount to the point's velocity of the one and the angular velocity of the other.
/// frame = V gives the body-fixed equations, 0 the spatial ones, (0, r') the hybrid ones.
template <class S>
inline Wrench<S> newton_euler_about(const Inertia<S>& M, const Twist<S>& frame, const Twist<S>& V,
                                    const Twist<S>& V_rate) {
  return newton_euler(M, V, V_rate + bracket(frame, V));
}

/// The wrench in the representation in which V and V_rate are given, of a body with inertia I_B in its frame
/// at X_WB.
template <class S>
inline Wrench<S> newton_euler(Representation representation, const Pose<S>& X_WB, const Inertia<S>& I_B,
                              const Twist<S>& V, const Twist<S>& V_rate) {
  switch (representation) {
    case Representation::body:
      return newton_euler(I_B, V, V_rate);
    case Representation::spatial:
      return newton_euler(to_parent(X_WB, I_B), V, V_rate);
    case Representation::hybrid:
      return newton_euler_hybrid(to_parent(Pose<S>{X_WB.R, {}}, I_B), V.angular, V_rate);
    case Representation::mixed:
      return newton_euler_mixed(I_B, X_WB.R, V.angular, V_rate);
  }
  return {};
}

}  // namespace torsor
