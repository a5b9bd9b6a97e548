#pragma once
// A rigid body by the position of its centre of mass and its directors, in the plane and in space alike
// (Uhlar-Betsch section 3), and vectors that are linear in these coordinates.

#include <array>
#include <cmath>
#include <type_traits>
#include <vector>

#include "torsor/base/vec.h"

namespace torsor {

template <int D>
using VecD = std::conditional_t<D == 2, Vec2<double>, Vec3<double>>;
/// What turns: a number in the plane, a vector in space.
template <int D>
using SpinD = std::conditional_t<D == 2, double, Vec3<double>>;

template <int D>
inline constexpr int kSpins = D == 2 ? 1 : 3;
template <int D>
inline constexpr int kWidth = D + kSpins<D>;  ///< unknowns of a body in a step
template <int D>
inline constexpr int kCoordinates = D*(D + 1);

inline Vec2<double> spun(double y, const Vec2<double>& a) { return y * perp(a); }
inline Vec3<double> spun(const Vec3<double>& y, const Vec3<double>& a) { return cross(y, a); }
inline double moment_of(const Vec2<double>& arm, const Vec2<double>& force) {
  return arm.x * force.y - arm.y * force.x;
}
inline Vec3<double> moment_of(const Vec3<double>& arm, const Vec3<double>& force) {
  return cross(arm, force);
}

/// The turning part of a W-vector.
template <int D>
SpinD<D> spin_of(const double* row) {
  if constexpr (D == 2) {
    return row[2];
  } else {
    return {row[3], row[4], row[5]};
  }
}
template <int D>
void set_spin(const SpinD<D>& spin, double* row) {
  if constexpr (D == 2) {
    row[2] = spin;
  } else {
    for (int i = 0; i < 3; ++i) row[3 + i] = spin[i];
  }
}

/// (8): the centre of mass and the directors, which are the principal axes of the Euler tensor.
template <int D>
struct Directors {
  VecD<D> phi{};
  std::array<VecD<D>, D> d{};
};

template <int D>
Directors<D> ground_directors() {
  Directors<D> ground;
  for (int i = 0; i < D; ++i) ground.d[i][i] = 1;
  return ground;
}

template <int D>
using Configuration = std::vector<Directors<D>>;  ///< of all nodes; the ground stands last

/// A vector t phi + sum beta_i d_i of one body: a point of it (t = +-1) or a direction fixed on it (t = 0).
template <int D>
struct Arm {
  int node = 0;
  double t = 0;
  std::array<double, D> beta{};
};

template <int D>
[[gnu::always_inline]] inline VecD<D> lever(const Arm<D>& arm, const Directors<D>& body) {
  VecD<D> sum = arm.beta[0] * body.d[0];
  for (int i = 1; i < D; ++i) sum += arm.beta[i] * body.d[i];
  return sum;
}
template <int D>
[[gnu::always_inline]] inline VecD<D> lever(const Arm<D>& arm, const Configuration<D>& X) {
  return lever(arm, X[arm.node]);
}
template <int D>
[[gnu::always_inline]] inline VecD<D> value_at(const Arm<D>& arm, const Configuration<D>& X) {
  return arm.t * X[arm.node].phi + lever(arm, X);
}
template <int D>
Arm<D> negated(Arm<D> arm) {
  arm.t = -arm.t;
  for (double& beta : arm.beta) beta = -beta;
  return arm;
}

/// One W-vector, dual to (u, y) of a body: force, then moment about the centre of mass.
template <int D>
using Row = std::array<double, kWidth<D>>;

/// Adds the force F on an arm whose lever is c.
template <int D>
[[gnu::always_inline]] inline void add_force(double t, const VecD<D>& c, const VecD<D>& F, double* row) {
  for (int i = 0; i < D; ++i) row[i] += t * F[i];
  const SpinD<D> moment = moment_of(c, F);
  if constexpr (D == 2) {
    row[2] += moment;
  } else {
    for (int i = 0; i < 3; ++i) row[3 + i] += moment[i];
  }
}

/// d_i1 = cay(omega) d_i0, that is d_i1 - d_i0 = omega x (d_i0 + d_i1) / 2: the increments that keep
/// directors orthonormal, and all of them up to half a turn. Written as d_i1 - d_i0 = c (omega x w_i), w_i =
/// d_i0 + omega x d_i0 / 2, c = 1 / (1 + |omega|^2 / 4): relative rounding of small increments.
inline Vec2<double> cayley_increment(double omega, const Vec2<double>& d) {
  const double c = 1 / (1 + 0.25 * omega * omega);
  return (c * omega) * (perp(d) - (0.5 * omega) * d);
}
inline Vec3<double> cayley_increment(const Vec3<double>& omega, const Vec3<double>& d) {
  const double c = 1 / (1 + 0.25 * dot(omega, omega));
  return c * cross(omega, d + 0.5 * cross(omega, d));
}
/// The change of omega that turns the d_i1 by y: dcay^-1(omega) y.
inline double cayley_rate(double omega, double y) { return (1 + 0.25 * omega * omega) * y; }
inline Vec3<double> cayley_rate(const Vec3<double>& omega, const Vec3<double>& y) {
  return y - 0.5 * cross(omega, y) + (0.25 * dot(omega, y)) * omega;
}

/// The a_k with which Omega = sum a_k x d_k' for directors d_k that need not be orthonormal: half their
/// reciprocals; in the plane shared out by their squares. A moment acts as the forces moment x a_k on them.
inline std::array<Vec2<double>, 2> spin_arms(const Directors<2>& body) {
  const double share = 1 / (dot(body.d[0], body.d[0]) + dot(body.d[1], body.d[1]));
  return {share * body.d[0], share * body.d[1]};
}
inline std::array<Vec3<double>, 3> spin_arms(const Directors<3>& body) {
  const auto& d = body.d;
  const Vec3<double> r0 = cross(d[1], d[2]), r1 = cross(d[2], d[0]), r2 = cross(d[0], d[1]);
  const double share = 0.5 / dot(d[0], r0);
  return {share * r0, share * r1, share * r2};
}

}  // namespace torsor
