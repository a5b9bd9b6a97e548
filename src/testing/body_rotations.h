#pragma once
// Rotations of one body that are solved in closed form, by one quadrature or by Euler's equations, in
// extended precision: nothing here knows the integrators.
//
// The first two are Euler angles about an axis c of the body, R = R_0 Rc(phi) Ra(theta) Rc(psi), with a, b,
// c in right-handed order; in body axes the fixed axis R_0 e_c then is (sin theta sin psi, sin theta cos psi,
// cos theta).

#include "torsor/lie/so3.h"

namespace torsor::testing {

struct BodyRotation {
  SO3<double> rotation;       ///< body axes to world axes
  Vec3<double> angular_rate;  ///< body axes
};

/// A free body by Jacobi's elliptic functions (Landau and Lifshitz, Mechanics, section 37): theta and psi
/// from the angular velocity, phi about the angular momentum L by quadrature of
///   phi' = L (I_a w_a^2 + I_b w_b^2)/(I_a^2 w_a^2 + I_b^2 w_b^2)
/// inertia: principal, three different values in ascending order.
BodyRotation tumble(const Vec3<double>& inertia, const BodyRotation& start, double time, int basic_steps);

/// A symmetrical body about a fixed point on its axis in gravity along -z (Lagrange), reduced to u = cos
/// theta (Goldstein 5.7):
///   u'' = f'(u)/2,  f = (1 - u^2)(alpha - beta u) - (b - a u)^2,  phi' = (b - a u)/(1 - u^2)
/// axis: index of the figure axis, on which the centre of mass lies.
struct LagrangeTop {
  int axis = 2;
  double across = 1, along = 1;  ///< moments of inertia about the fixed point
  double weight_moment = 1;      ///< m g l
};
BodyRotation spin(const LagrangeTop& top, const BodyRotation& start, double time, int basic_steps);

/// The same body by Euler's equations with a quaternion, also where it passes the vertical, at which the
/// angles above have no meaning.
BodyRotation turn(const LagrangeTop& top, const BodyRotation& start, double time, int basic_steps);

}  // namespace torsor::testing
