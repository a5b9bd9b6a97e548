#pragma once
// The law of a spring and damper in a joint: efforts on the joint's rates, energy, dissipation.

#include <array>
#include <cmath>
#include <concepts>
#include <span>
#include <tuple>

#include "torsor/lie/so3.h"
#include "torsor/model/elements.h"

namespace torsor {

/// Efforts are dual to the joint's rates: for a rotation that is the moment on the child in child axes.
///   angle     U = sum k_i/2 (q_i - rest_i)^2,          effort_i = -k_i (q_i - rest_i)             (1)
///   log       U = k/2 |x|^2, x = log(R_rest^T R),      moment = -k x                              (2)
///             since xdot = dexp_{-x}^-1 omega, and dexp^-1 leaves x alone: Udot = k x . omega.
///             At a half turn from rest x jumps, and with it the moment.
///   euler321  R_rest^T R = Rz(psi) Ry(theta) Rx(phi),  moment = -R^T R_rest (k_x phi, k_y theta, k_z psi), (3)
///             whose axes are those of the rest frame on the parent. No potential; its power is booked as work.
///             Singular at a pitch theta of 90 degrees; at half a turn of phi or psi the moment jumps.
/// Every law: effort_i -= c_i qd_i.
template <class P>
struct JointSpringLawOf {
  SpringLaw law = SpringLaw::angle;
  int q = 0, v = 0;  ///< first coordinate and first rate of the joint
  int count = 0;     ///< entries of stiffness and damping in use
  std::array<P, 6> stiffness{}, damping{}, rest{};
  SO3<P> rest_rotation;

  bool is_damped() const requires std::same_as<P, double> {
    for (double c : damping) {
      if (c != 0) return true;
    }
    return false;
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.law, s.q, s.v, s.count, s.stiffness, s.damping, s.rest, s.rest_rotation.w,
                    s.rest_rotation.x, s.rest_rotation.y, s.rest_rotation.z);
  }
};
using JointSpringLaw = JointSpringLawOf<double>;

JointSpringLaw make_joint_spring_law(const JointSpring& spring, int first_coordinate, int first_rate);

/// R_rest^T R of a joint with a quaternion.
template <class S, class P>
SO3<S> rotation_from_rest(const JointSpringLawOf<P>& law, std::span<const S> q) {
  return inverse(law.rest_rotation) * SO3<S>{q[law.q], q[law.q + 1], q[law.q + 2], q[law.q + 3]};
}

/// (phi, theta, psi) of R = Rz(psi) Ry(theta) Rx(phi).
template <class S>
Vec3<S> euler321_angles(const Mat3<S>& R) {
  using std::atan2, std::sqrt;
  return {atan2(R.zy, R.zz), atan2(S(-R.zx), S(sqrt(R.xx * R.xx + R.yx * R.yx))), atan2(R.yx, R.xx)};
}

/// Zero for euler321, which has none.
template <class S, class P>
S potential(const JointSpringLawOf<P>& law, std::span<const S> q) {
  S U(0.0);
  if (law.law == SpringLaw::angle) {
    for (int i = 0; i < law.count; ++i) {
      const S stretch = q[law.q + i] - law.rest[i];
      U += 0.5 * law.stiffness[i] * stretch * stretch;  // (1)
    }
  } else if (law.law == SpringLaw::log) {
    const Vec3<S> x = log(rotation_from_rest(law, q));
    U = 0.5 * law.stiffness[0] * dot(x, x);  // (2)
  }
  return U;
}

/// Hands the effort of the spring on each rate of its joint, without its damper, to act(rate within the joint, effort).
template <class S, class P, class Act>
void for_each_spring_effort(const JointSpringLawOf<P>& law, std::span<const S> q, Act&& act) {
  if (law.law == SpringLaw::angle) {
    for (int i = 0; i < law.count; ++i) act(i, S(-law.stiffness[i] * (q[law.q + i] - law.rest[i])));  // (1)
    return;
  }
  const SO3<S> rotation = rotation_from_rest(law, q);
  Vec3<S> moment;
  if (law.law == SpringLaw::log) {
    moment = -law.stiffness[0] * log(rotation);  // (2)
  } else {
    const Mat3<S> R = matrix(rotation);
    const Vec3<S> angles = euler321_angles(R);
    moment = -transpose_times(R, Vec3<S>{law.stiffness[0] * angles.x, law.stiffness[1] * angles.y,
                                         law.stiffness[2] * angles.z});  // (3)
  }
  for (int i = 0; i < 3; ++i) act(i, moment[i]);
}

template <class S, class P>
void add_spring_efforts(const JointSpringLawOf<P>& law, std::span<const S> q, std::span<S> effort) {
  for_each_spring_effort(law, q, [&](int i, const S& of_spring) { effort[law.v + i] += of_spring; });
}

template <class S, class P>
void add_damper_efforts(const JointSpringLawOf<P>& law, std::span<const S> qd, std::span<S> effort) {
  for (int i = 0; i < law.count; ++i) effort[law.v + i] -= law.damping[i] * qd[law.v + i];
}

/// Power that the damper takes.
template <class S, class P>
S dissipation(const JointSpringLawOf<P>& law, std::span<const S> qd) {
  S power(0.0);
  for (int i = 0; i < law.count; ++i) power += law.damping[i] * qd[law.v + i] * qd[law.v + i];
  return power;
}

}  // namespace torsor
