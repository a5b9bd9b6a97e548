#include "testing/body_rotations.h"

#include <array>
#include <cmath>

#include "testing/gragg_bulirsch_stoer.h"
#include "testing/jacobi_elliptic.h"

namespace torsor::testing {
namespace {

using Real = long double;
using Vec = std::array<Real, 3>;

SO3<Real> about(int axis, Real angle) {
  Vec3<Real> half{0, 0, 0};
  half[axis] = std::sin(angle / 2);
  return {std::cos(angle / 2), half.x, half.y, half.z};
}

SO3<Real> euler_rotation(int c, Real phi, Real theta, Real psi) {
  return about(c, phi) * about((c + 1) % 3, theta) * about(c, psi);
}

SO3<Real> widen(const SO3<double>& R) { return {R.w, R.x, R.y, R.z}; }
SO3<double> narrow(const SO3<Real>& R) { return {double(R.w), double(R.x), double(R.y), double(R.z)}; }

/// theta and psi of a direction in body axes.
struct Inclination {
  Real theta, psi;
};
Inclination inclination(int c, const Vec& direction) {
  const Real a = direction[(c + 1) % 3], b = direction[(c + 2) % 3];
  return {std::atan2(std::hypot(a, b), direction[c]), std::atan2(a, b)};
}

/// w_c = size_c dn, w_mid = size_mid sn, w_far = size_far cn, of a polhode around the axis c.
struct Polhode {
  int around, far;  ///< 0 and 2, or 2 and 0; the middle axis is 1
  Real size_around, size_middle, size_far;
  Real frequency, phase;
  EllipticParameter m;

  Polhode(const Vec& I, const Vec& w) {
    // L^2 - 2 E I_2, of which the sign says which axis is encircled.
    const Real excess = I[0] * (I[0] - I[1]) * w[0] * w[0] + I[2] * (I[2] - I[1]) * w[2] * w[2];
    around = excess > 0 ? 2 : 0;
    far = 2 - around;
    const Real I1 = I[far], I2 = I[1], I3 = I[around];
    const Real w1 = w[far], w2 = w[1], w3 = w[around];
    const Real P = I1 * (I3 - I1) * w1 * w1 + I2 * (I3 - I2) * w2 * w2;  // 2 E I3 - L^2
    const Real Q = I3 * (I3 - I1) * w3 * w3 + I2 * (I2 - I1) * w2 * w2;  // L^2 - 2 E I1
    size_far = std::sqrt(P / (I1 * (I3 - I1)));
    size_middle = std::sqrt(P / (I2 * (I3 - I2)));
    size_around = std::copysign(std::sqrt(Q / (I3 * (I3 - I1))), w3);
    frequency = std::sqrt((I3 - I2) * Q / (I1 * I2 * I3));
    m.complement = (I3 - I1) * excess / ((I3 - I2) * Q);  // 1 - (I2 - I1) P/((I3 - I2) Q)
    // I2 w2' = (I[2] - I[0]) w1 w3 is positive where cn and w_around are.
    if (w3 < 0) frequency = -frequency;
    phase = elliptic_argument(w2 / size_middle, w1 / size_far, m);
  }
  Vec at(Real t) const {
    const JacobiElliptic j = jacobi_elliptic(phase + frequency * t, m);
    Vec w;
    w[around] = size_around * j.dn;
    w[1] = size_middle * j.sn;
    w[far] = size_far * j.cn;
    return w;
  }
};

}  // namespace

BodyRotation tumble(const Vec3<double>& inertia, const BodyRotation& start, double time, int basic_steps) {
  const Vec I{inertia.x, inertia.y, inertia.z};
  const Vec w0{start.angular_rate.x, start.angular_rate.y, start.angular_rate.z};
  const Polhode polhode(I, w0);
  const int c = polhode.around, a = (c + 1) % 3, b = (c + 2) % 3;
  const auto momentum = [&](const Vec& w) { return Vec{I[0] * w[0], I[1] * w[1], I[2] * w[2]}; };
  const Vec L0 = momentum(w0);
  const Real L = std::hypot(L0[0], L0[1], L0[2]);
  const auto slope = [&](Real t, const std::array<Real, 1>&) {
    const Vec w = polhode.at(t);
    const Real La = I[a] * w[a], Lb = I[b] * w[b];
    return std::array<Real, 1>{L * (La * w[a] + Lb * w[b]) / (La * La + Lb * Lb)};
  };
  const Real phi =
      gragg_bulirsch_stoer<Real>(slope, std::array<Real, 1>{}, Real(0), Real(time), basic_steps)[0];
  const Vec w = polhode.at(time);
  const Inclination first = inclination(c, L0), last = inclination(c, momentum(w));
  const SO3<Real> R = widen(start.rotation) * inverse(euler_rotation(c, 0, first.theta, first.psi)) *
                      euler_rotation(c, phi, last.theta, last.psi);
  return {narrow(R), {double(w[0]), double(w[1]), double(w[2])}};
}

BodyRotation spin(const LagrangeTop& top, const BodyRotation& start, double time, int basic_steps) {
  const int c = top.axis, ia = (c + 1) % 3, ib = (c + 2) % 3;
  const Mat3<Real> R0 = matrix(widen(start.rotation));
  const Vec up{R0.zx, R0.zy, R0.zz};  // the vertical in body axes
  const Vec w0{start.angular_rate.x, start.angular_rate.y, start.angular_rate.z};
  const Inclination first = inclination(c, up);
  const Real spin_rate = w0[c], across = top.across, along = top.along;
  const Real theta_rate = w0[ia] * std::cos(first.psi) - w0[ib] * std::sin(first.psi);
  const Real a = along * spin_rate / across;
  const Real b = (up[ia] * w0[ia] + up[ib] * w0[ib]) + a * up[c];  // momentum about the vertical, / across
  const Real beta = 2 * top.weight_moment / across;
  const Real alpha = w0[ia] * w0[ia] + w0[ib] * w0[ib] + beta * up[c];
  using State = std::array<Real, 4>;  // u, u', phi, psi
  const auto slope = [&](Real, const State& y) {
    const Real u = y[0], phi_rate = (b - a * u) / (1 - u * u);
    const Real f_slope = -2 * u * (alpha - beta * u) - beta * (1 - u * u) + 2 * a * (b - a * u);
    return State{y[1], f_slope / 2, phi_rate, spin_rate - u * phi_rate};
  };
  const State y =
      gragg_bulirsch_stoer<Real>(slope, State{up[c], -std::sin(first.theta) * theta_rate, 0, first.psi},
                                 Real(0), Real(time), basic_steps);
  const Real theta = std::acos(y[0]), sine = std::sin(theta), phi_rate = slope(0, y)[2];
  const Real theta_rate_now = -y[1] / sine;
  Vec w;
  w[c] = spin_rate;
  w[ia] = phi_rate * sine * std::sin(y[3]) + theta_rate_now * std::cos(y[3]);
  w[ib] = phi_rate * sine * std::cos(y[3]) - theta_rate_now * std::sin(y[3]);
  const SO3<Real> R = widen(start.rotation) * inverse(euler_rotation(c, 0, first.theta, first.psi)) *
                      euler_rotation(c, y[2], theta, y[3]);
  return {narrow(R), {double(w[0]), double(w[1]), double(w[2])}};
}

BodyRotation turn(const LagrangeTop& top, const BodyRotation& start, double time, int basic_steps) {
  const int c = top.axis, a = (c + 1) % 3, b = (c + 2) % 3;
  using State = std::array<Real, 7>;  // quaternion, angular velocity in body axes
  const auto slope = [&](Real, const State& y) {
    const SO3<Real> q{y[0], y[1], y[2], y[3]};
    const SO3<Real> rate = q * SO3<Real>{0, y[4] / 2, y[5] / 2, y[6] / 2};
    const Mat3<Real> R = matrix(q);
    const Vec up{R.zx, R.zy, R.zz};
    // I w' + w x I w = l e_c x (-m g up)
    State s{rate.w, rate.x, rate.y, rate.z, 0, 0, 0};
    s[4 + a] = ((top.across - top.along) * y[4 + b] * y[4 + c] + top.weight_moment * up[b]) / top.across;
    s[4 + b] = ((top.along - top.across) * y[4 + c] * y[4 + a] - top.weight_moment * up[a]) / top.across;
    return s;
  };
  const SO3<double>& R = start.rotation;
  const Vec3<double>& w = start.angular_rate;
  const State y = gragg_bulirsch_stoer<Real>(slope, State{R.w, R.x, R.y, R.z, w.x, w.y, w.z}, Real(0),
                                             Real(time), basic_steps);
  return {narrow({y[0], y[1], y[2], y[3]}), {double(y[4]), double(y[5]), double(y[6])}};
}

}  // namespace torsor::testing
