#pragma once
// Equation numbers are those of moving_frame.h.

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/base/error.h"
#include "torsor/tree/armature.h"
#include "torsor/tree/moving_frame.h"
#include "torsor/tree/node_angles.hpp"
#include "torsor/tree/node_motion.hpp"

namespace torsor {

template <class S>
MovingFrameWorkspace<S>::MovingFrameWorkspace(const Tree& tree)
    : angles(tree.size()),
      X_WN(tree.size()),
      omega(tree.size()),
      runs(tree),
      B(static_cast<std::size_t>(6) * (tree.size() - 1) * tree.rate_count, S(0.0)),
      B_rate(B.size(), S(0.0)),
      M_B(static_cast<std::size_t>(6) * tree.rate_count),
      mass(static_cast<std::size_t>(tree.rate_count) * tree.rate_count),
      missing(tree.rate_count) {}

/// The three rows of a vector in a matrix with n columns, and column c of them.
template <class S>
struct VectorRows {
  S* first;
  std::size_t n;
  Vec3<S> operator[](int c) const { return {first[c], first[n + c], first[2 * n + c]}; }
  void set(int c, const Vec3<S>& v) const {
    first[c] = v.x;
    first[n + c] = v.y;
    first[2 * n + c] = v.z;
  }
};
template <class S>
VectorRows<S> velocity_rows(std::vector<S>& B, int node, int n) {
  return {B.data() + static_cast<std::size_t>(6) * (node - 1) * n, static_cast<std::size_t>(n)};
}
template <class S>
VectorRows<S> angular_rows(std::vector<S>& B, int node, int n) {
  return {B.data() + (static_cast<std::size_t>(6) * (node - 1) + 3) * n, static_cast<std::size_t>(n)};
}

/// What the rows of a node are made of, beside those of its parent.
template <class S>
struct RowTransport {
  Mat3<S> to_child;                       ///< R^T
  Vec3<S> turn;                           ///< H_k qd_k
  Mat3<S> from_parent, from_parent_rate;  ///< -R_p hat(s_p) and its rate
  Mat3<S> from_own, from_own_rate;        ///< -R_k hat(s_k) and its rate
};

/// The columns of all rates that move the parent.
template <class S>
void inherit_rows(MovingFrameWorkspace<S>& w, int k, int p, int n, const RowTransport<S>& f) {
  const auto v_p = velocity_rows(w.B, p, n), v_k = velocity_rows(w.B, k, n);
  const auto w_p = angular_rows(w.B, p, n), w_k = angular_rows(w.B, k, n);
  const auto a_p = velocity_rows(w.B_rate, p, n), a_k = velocity_rows(w.B_rate, k, n);
  const auto e_p = angular_rows(w.B_rate, p, n), e_k = angular_rows(w.B_rate, k, n);
  for (const RateRun& run : w.runs.of(p)) {
    for (int c = run.first; c < run.end; ++c) {
      const Vec3<S> turn_p = w_p[c], turn_rate_p = e_p[c];
      const Vec3<S> turn = f.to_child * turn_p;
      const Vec3<S> turn_rate = f.to_child * turn_rate_p - cross(f.turn, turn);
      w_k.set(c, turn);
      v_k.set(c, v_p[c] + f.from_parent * turn_p + f.from_own * turn);  // (2.30)
      e_k.set(c, turn_rate);
      a_k.set(c, a_p[c] + f.from_parent_rate * turn_p + f.from_parent * turn_rate_p + f.from_own_rate * turn +
                     f.from_own * turn_rate);  // (2.35)
    }
  }
}

template <class S>
void moving_frame_matrices(const Tree& tree, MovingFrameWorkspace<S>& w, std::span<const S> q,
                           std::span<const S> qd) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  const int n = tree.rate_count;
  node_angles(tree, q, std::span(w.angles));
  w.X_WN[0] = {};
  w.omega[0] = {};
  for (int k = 1; k < tree.size(); ++k) {
    const TreeNode& node = tree.nodes[k];
    const int p = node.parent;
    with_motion(node.joint, [&](auto motion) {
      const Pose<S> X_PN = motion.pose(node, w.angles[k], q.data() + node.q);
      const Mat3<S>& R_p = w.X_WN[p].R;
      w.X_WN[k] = w.X_WN[p] * X_PN;
      const Mat3<S>& R_k = w.X_WN[k].R;
      const Twist<S> joint = motion.twist(node, qd.data() + node.v);
      const Vec3<S>& omega_p = w.omega[p];
      const Vec3<S> omega_k = transpose_times(X_PN.R, omega_p) + joint.angular;
      w.omega[k] = omega_k;

      const Vec3<S> s_p = X_PN.p - com(tree.nodes[p].inertia), slide = X_PN.R * joint.linear;
      const Vec3<S> s_k = as_scalar<S>(com(node.inertia));
      RowTransport<S> f;
      f.to_child = transpose(X_PN.R);
      f.turn = joint.angular;
      f.from_parent = R_p * hat(-s_p);
      f.from_parent_rate = R_p * (hat(omega_p) * hat(-s_p) + hat(-slide));
      f.from_own = R_k * hat(-s_k);
      f.from_own_rate = R_k * (hat(omega_k) * hat(-s_k));
      if (p != 0) inherit_rows(w, k, p, n, f);

      for (std::size_t r = 0; r < motion.axes.size(); ++r) {
        S unit[6] = {S(0.0), S(0.0), S(0.0), S(0.0), S(0.0), S(0.0)};
        unit[r] = S(1.0);
        const Twist<S> axis = motion.twist(node, unit);  // columns of H_k and T_k
        const int c = node.v + static_cast<int>(r);
        angular_rows(w.B, k, n).set(c, axis.angular);
        velocity_rows(w.B, k, n).set(c, R_k * axis.linear + f.from_own * axis.angular);
        angular_rows(w.B_rate, k, n).set(c, {});
        velocity_rows(w.B_rate, k, n)
            .set(c, R_k * cross(omega_k, axis.linear) + f.from_own_rate * axis.angular);
      }
    });
  }
}

template <class S>
void moving_frame_mass_matrix(const Tree& tree, MovingFrameWorkspace<S>& w) {
  const int n = tree.rate_count;
  std::fill(w.mass.begin(), w.mass.end(), S(0.0));
  for (int k = 1; k < tree.size(); ++k) {
    const Inertia<double>& I = tree.nodes[k].inertia;
    if (I.mass == 0) continue;
    const Sym3<double> J = tensor_about_com(I);
    const S* const B = w.B.data() + static_cast<std::size_t>(6) * (k - 1) * n;
    const VectorRows<S> v{w.M_B.data(), static_cast<std::size_t>(n)}, turn{w.M_B.data() + 3 * n, v.n};
    for (const RateRun& run : w.runs.of(k)) {
      for (int c = run.first; c < run.end; ++c) {
        v.set(c, I.mass * velocity_rows(w.B, k, n)[c]);
        turn.set(c, J * angular_rows(w.B, k, n)[c]);
      }
    }
    for (const RateRun& left : w.runs.of(k)) {
      for (int c = left.first; c < left.end; ++c) {
        S* const row = w.mass.data() + static_cast<std::size_t>(c) * n;
        for (const RateRun& right : w.runs.of(k)) {
          for (int r = 0; r < 6; ++r) {
            const S factor = B[r * n + c];
            const S* const M_B = w.M_B.data() + r * n;
            for (int d = std::max(c, right.first); d < right.end; ++d) row[d] += factor * M_B[d];
          }
        }
      }
    }
  }
  add_rotor_inertia(tree, std::span<S>(w.mass));
}

/// T of M* = T^T T in place of its upper triangle, row by row; a pivot that is rounding becomes no number.
template <class S>
void factorise_cholesky(std::vector<S>& mass, int n) {
  using std::sqrt;
  constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();
  const auto row = [&](int k) { return mass.data() + static_cast<std::size_t>(k) * n; };
  for (int k = 0; k < n; ++k) {
    S* const T = row(k);
    double taken = 0;
    for (int m = 0; m < k; ++m) taken += value_of(row(m)[k]) * value_of(row(m)[k]);
    const bool moves_mass = value_of(T[k]) > kRounding * taken;
    const S root = moves_mass ? S(sqrt(T[k])) : S(std::numeric_limits<double>::quiet_NaN());
    for (int j = k; j < n; ++j) T[j] = T[j] / root;
    for (int i = k + 1; i < n; ++i) {
      const S factor = T[i];
      S* const rest = row(i);
      for (int j = i; j < n; ++j) rest[j] -= factor * T[j];
    }
  }
}

/// x becomes T^-1 T^-T x.
template <class S>
void solve_cholesky(const std::vector<S>& factor, int n, std::span<S> x) {
  const auto row = [&](int k) { return factor.data() + static_cast<std::size_t>(k) * n; };
  for (int k = 0; k < n; ++k) {
    x[k] = x[k] / row(k)[k];
    for (int j = k + 1; j < n; ++j) x[j] -= row(k)[j] * x[k];
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) x[k] -= row(k)[j] * x[j];
    x[k] = x[k] / row(k)[k];
  }
}

/// What is missing in the equations at accelerations qdd: effort + B^T (F - M (B qdd + B' qd) - D M B qd).
template <class S>
void set_missing_efforts(const Tree& tree, MovingFrameWorkspace<S>& w, std::span<const S> qd,
                         std::span<const S> effort, std::span<const Wrench<S>> applied,
                         std::span<const S> qdd) {
  const int n = tree.rate_count;
  std::copy(effort.begin(), effort.end(), w.missing.begin());
  for (int k = 1; k < tree.size(); ++k) {
    const auto v = velocity_rows(w.B, k, n), turn = angular_rows(w.B, k, n);
    const auto v_rate = velocity_rows(w.B_rate, k, n), turn_rate = angular_rows(w.B_rate, k, n);
    Vec3<S> a{}, alpha{};
    for (const RateRun& run : w.runs.of(k)) {
      for (int c = run.first; c < run.end; ++c) {
        a += qdd[c] * v[c] + qd[c] * v_rate[c];
        alpha += qdd[c] * turn[c] + qd[c] * turn_rate[c];
      }
    }
    const Inertia<double>& I = tree.nodes[k].inertia;
    const Sym3<double> J = tensor_about_com(I);
    Vec3<S> force = I.mass * (tree.gravity - a);
    Vec3<S> moment = cross(J * w.omega[k], w.omega[k]) - J * alpha;
    if (!applied.empty()) {
      force += w.X_WN[k].R * applied[k].force;
      moment += applied[k].moment - cross(com(I), applied[k].force);
    }
    for (const RateRun& run : w.runs.of(k)) {
      for (int c = run.first; c < run.end; ++c) w.missing[c] += dot(v[c], force) + dot(turn[c], moment);
    }
  }
  for (std::size_t r = 0; r < tree.armature.size(); ++r) w.missing[r] -= tree.armature[r] * qdd[r];
  add_rotor_bias(tree, qd, -1.0, std::span<S>(w.missing));
}

template <class S>
void moving_frame_dynamics(const Tree& tree, MovingFrameWorkspace<S>& w, std::span<const S> q,
                           std::span<const S> qd, std::span<const S> effort,
                           std::span<const Wrench<S>> applied, std::span<S> qdd) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("effort", effort.size(), tree.rate_count);
  require_size_or_none("applied", applied.size(), tree.size());
  require_size("qdd", qdd.size(), tree.rate_count);
  moving_frame_matrices(tree, w, q, qd);
  moving_frame_mass_matrix(tree, w);
  factorise_cholesky(w.mass, tree.rate_count);
  std::fill(qdd.begin(), qdd.end(), S(0.0));
  // M* of a chain of 64 links has a condition that leaves 1e-9 of accelerations from a rounded M*; corrected
  // by what B itself says is missing, 3e-13.
  for (int pass = 0; pass < 2; ++pass) {
    set_missing_efforts<S>(tree, w, qd, effort, applied, qdd);
    solve_cholesky<S>(w.mass, tree.rate_count, w.missing);
    for (std::size_t i = 0; i < qdd.size(); ++i) qdd[i] += w.missing[i];
  }
}

}  // namespace torsor
