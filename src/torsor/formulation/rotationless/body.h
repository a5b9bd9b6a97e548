#pragma once
// A rigid body by the position of its centre of mass and its directors, in the plane and in space alike
// (Uhlar-Betsch section 3), and vectors that are linear in these coordinates.

#include <array>
#include <cmath>
#include <tuple>
#include <type_traits>
#include <vector>

#include "torsor/base/pack_math.h"
#include "torsor/base/vec.h"

namespace torsor {

// Numbers are plain ones, or packs of them: a lane for each of several mechanisms of one build. What differs between
// lanes, and what must not, are the fields of a struct (pack_lanes.h).

template <int D, class S = double>
using VecD = std::conditional_t<D == 2, Vec2<S>, Vec3<S>>;
/// What turns: a number in the plane, a vector in space.
template <int D, class S = double>
using SpinD = std::conditional_t<D == 2, S, Vec3<S>>;

template <int D>
inline constexpr int kSpins = D == 2 ? 1 : 3;
template <int D>
inline constexpr int kWidth = D + kSpins<D>;  ///< unknowns of a body in a step
template <int D>
inline constexpr int kCoordinates = D*(D + 1);

template <class S>
Vec2<S> spun(const S& y, const Vec2<S>& a) {
  return y * perp(a);
}
template <class S>
Vec3<S> spun(const Vec3<S>& y, const Vec3<S>& a) {
  return cross(y, a);
}
template <class S>
S moment_of(const Vec2<S>& arm, const Vec2<S>& force) {
  return arm.x * force.y - arm.y * force.x;
}
template <class S>
Vec3<S> moment_of(const Vec3<S>& arm, const Vec3<S>& force) {
  return cross(arm, force);
}

/// The turning part of a W-vector.
template <int D, class S>
SpinD<D, S> spin_of(const S* row) {
  if constexpr (D == 2) {
    return row[2];
  } else {
    return {row[3], row[4], row[5]};
  }
}
template <int D, class S>
void set_spin(const SpinD<D, S>& spin, S* row) {
  if constexpr (D == 2) {
    row[2] = spin;
  } else {
    for (int i = 0; i < 3; ++i) row[3 + i] = spin[i];
  }
}

/// (8): the centre of mass and the directors, which are the principal axes of the Euler tensor.
template <int D, class S = double>
struct Directors {
  VecD<D, S> phi{};
  std::array<VecD<D, S>, D> d{};
};

template <int D, class S = double>
Directors<D, S> ground_directors() {
  Directors<D, S> ground;
  for (int i = 0; i < D; ++i) ground.d[i][i] = 1.0;
  return ground;
}

template <int D, class S = double>
using Configuration = std::vector<Directors<D, S>>;  ///< of all nodes; the ground stands last

/// A vector t phi + sum beta_i d_i of one body: a point of it (t = +-1) or a direction fixed on it (t = 0).
template <int D, class S = double>
struct Arm {
  int node = 0;
  double t = 0;  ///< that of all lanes
  std::array<S, D> beta{};
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.node, s.t, s.beta);
  }
};

template <int D, class S>
[[gnu::always_inline]] inline VecD<D, S> lever(const Arm<D, S>& arm, const Directors<D, S>& body) {
  VecD<D, S> sum = arm.beta[0] * body.d[0];
  for (int i = 1; i < D; ++i) sum += arm.beta[i] * body.d[i];
  return sum;
}
template <int D, class S>
[[gnu::always_inline]] inline VecD<D, S> lever(const Arm<D, S>& arm, const Configuration<D, S>& X) {
  return lever(arm, X[arm.node]);
}
template <int D, class S>
[[gnu::always_inline]] inline VecD<D, S> value_at(const Arm<D, S>& arm, const Configuration<D, S>& X) {
  return arm.t * X[arm.node].phi + lever(arm, X);
}
template <int D, class S>
Arm<D, S> negated(Arm<D, S> arm) {
  arm.t = -arm.t;
  for (S& beta : arm.beta) beta = -beta;
  return arm;
}

/// One W-vector, dual to (u, y) of a body: force, then moment about the centre of mass.
template <int D, class S = double>
using Row = std::array<S, kWidth<D>>;

/// Adds the force F on an arm whose lever is c.
template <int D, class S>
[[gnu::always_inline]] inline void add_force(double t, const VecD<D, S>& c, const VecD<D, S>& F, S* row) {
  for (int i = 0; i < D; ++i) row[i] += t * F[i];
  const SpinD<D, S> moment = moment_of(c, F);
  if constexpr (D == 2) {
    row[2] += moment;
  } else {
    for (int i = 0; i < 3; ++i) row[3 + i] += moment[i];
  }
}

/// d_i1 = cay(omega) d_i0, that is d_i1 - d_i0 = omega x (d_i0 + d_i1) / 2: the increments that keep
/// directors orthonormal, and all of them up to half a turn. Written as d_i1 - d_i0 = c (omega x w_i), w_i =
/// d_i0 + omega x d_i0 / 2, c = 1 / (1 + |omega|^2 / 4): relative rounding of small increments.
template <class S>
Vec2<S> cayley_increment(const S& omega, const Vec2<S>& d) {
  const S c = 1 / (1 + 0.25 * omega * omega);
  return (c * omega) * (perp(d) - (0.5 * omega) * d);
}
template <class S>
Vec3<S> cayley_increment(const Vec3<S>& omega, const Vec3<S>& d) {
  const S c = 1 / (1 + 0.25 * dot(omega, omega));
  return c * cross(omega, d + 0.5 * cross(omega, d));
}
/// The change of omega that turns the d_i1 by y: dcay^-1(omega) y.
template <class S>
S cayley_rate(const S& omega, const std::type_identity_t<S>& y) {
  return (1 + 0.25 * omega * omega) * y;
}
template <class S>
Vec3<S> cayley_rate(const Vec3<S>& omega, const Vec3<S>& y) {
  return y - 0.5 * cross(omega, y) + (0.25 * dot(omega, y)) * omega;
}

/// The a_k with which Omega = sum a_k x d_k' for directors d_k that need not be orthonormal: half their
/// reciprocals; in the plane shared out by their squares. A moment acts as the forces moment x a_k on them.
template <class S>
std::array<Vec2<S>, 2> spin_arms(const Directors<2, S>& body) {
  const S share = 1 / (dot(body.d[0], body.d[0]) + dot(body.d[1], body.d[1]));
  return {share * body.d[0], share * body.d[1]};
}
template <class S>
std::array<Vec3<S>, 3> spin_arms(const Directors<3, S>& body) {
  const auto& d = body.d;
  const Vec3<S> r0 = cross(d[1], d[2]), r1 = cross(d[2], d[0]), r2 = cross(d[0], d[1]);
  const S share = 0.5 / dot(d[0], r0);
  return {share * r0, share * r1, share * r2};
}

}  // namespace torsor
