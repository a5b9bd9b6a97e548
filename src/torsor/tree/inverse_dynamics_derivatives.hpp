#pragma once
// Everything in the spatial representation, where bodies add and nothing changes frame. For a rate j of a
// node that stands on P, let J_j be its screw and
//   Psi'_j = [V_P, J_j],   Psi''_j = [A_P, J_j] + [V_P, Psi'_j],   J'_j = [V_j, J_j].                 (1)
// An increment of q_j displaces along J_j all that j carries. Seen from the displaced bodies it is P that
// moves: their twists change by Psi'_j, their accelerations by Psi''_j. With the composite inertia M_i,
// velocity inertia B_i (velocity_inertia.h) and wrench F_i of all that i carries,
//   dQ_i/dq_j  = J_i . (2 B_i Psi'_j + M_i Psi''_j)                    j carries i, or i and j on one node (2)
//   dQ_j/dq_i  = J_j . (2 B_i Psi'_i + M_i Psi''_i - ad^T_{J_i} F_i)   j properly carries i           (3)
//   dQ_i/dqd_j = J_i . (2 B_i J_j + M_i (Psi'_j + J'_j))               and with i, j exchanged on the left (4)
// (Singh, Russell, Wensing 2022).

#include <algorithm>

#include "torsor/base/error.h"
#include "torsor/tree/armature.h"
#include "torsor/tree/inverse_dynamics_derivatives.h"
#include "torsor/tree/node_angles.hpp"
#include "torsor/tree/node_motion.hpp"

namespace torsor {

template <class S>
InverseDynamicsDerivativesWorkspace<S>::InverseDynamicsDerivativesWorkspace(const Tree& tree)
    : runs(tree),
      angles(tree.size()),
      X_WN(tree.size()),
      V(tree.size()),
      A(tree.size()),
      inertia(tree.size()),
      velocity(tree.size()),
      F(tree.size()),
      J(tree.rate_count),
      Psi(tree.rate_count),
      Psi_dot(tree.rate_count),
      sum(tree.rate_count),
      J_rows(tree.rate_count),
      Psi_rows(tree.rate_count),
      Psi_dot_rows(tree.rate_count),
      sum_rows(tree.rate_count) {}

/// row[c] = dot(a, angular part of x_c) + dot(y_c, f) over a run of columns.
template <class S>
inline void fill_pairings(const Vec3<S>& a, const ScrewRows<S>& x, const Wrench<S>& f, const ScrewRows<S>& y,
                          const RateRun& run, S* __restrict row) {
  const S *x0 = x[0], *x1 = x[1], *x2 = x[2];
  const S *y0 = y[0], *y1 = y[1], *y2 = y[2], *y3 = y[3], *y4 = y[4], *y5 = y[5];
  for (int c = run.first; c < run.end; ++c) {
    row[c] = a.x * x0[c] + a.y * x1[c] + a.z * x2[c] + f.moment.x * y0[c] + f.moment.y * y1[c] +
             f.moment.z * y2[c] + f.force.x * y3[c] + f.force.y * y4[c] + f.force.z * y5[c];
  }
}

/// Poses, twists, accelerations, screws with (1), and each body's own share of what adds up inward.
template <class S>
inline void sweep_outward(const Tree& tree, InverseDynamicsDerivativesWorkspace<S>& w, std::span<const S> q,
                          std::span<const S> qd, std::span<const S> qdd) {
  node_angles(tree, q, std::span(w.angles));
  w.X_WN[0] = {};
  w.V[0] = {};
  w.A[0] = {{}, as_scalar<S>(-tree.gravity)};
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      constexpr int count = static_cast<int>(motion.axes.size());
      const Pose<S> X = w.X_WN[node.parent] * motion.pose(node, w.angles[i], q.data() + node.q);
      Twist<S>* const J = w.J.data() + node.v;
      motion.spatial_screws(node, X, J);
      const Twist<S> V_P = w.V[node.parent], A_P = w.A[node.parent];
      Twist<S> V = V_P, A = A_P;
      for (int k = 0; k < count; ++k) V += qd[node.v + k] * J[k];
      for (int k = 0; k < count; ++k) {
        const int r = node.v + k;
        const Twist<S> J_dot = bracket(V, J[k]);
        w.Psi[r] = bracket(V_P, J[k]);
        w.Psi_dot[r] = bracket(A_P, J[k]) + bracket(V_P, w.Psi[r]);
        w.sum[r] = w.Psi[r] + J_dot;
        A += qdd[r] * J[k] + qd[r] * J_dot;
        w.J_rows.set(r, J[k]);
        w.Psi_rows.set(r, w.Psi[r]);
        w.Psi_dot_rows.set(r, w.Psi_dot[r]);
        w.sum_rows.set(r, w.sum[r]);
      }
      const Inertia<S> M = to_parent(X, node.inertia);
      const Wrench<S> momentum = M * V;
      w.velocity[i] = velocity_inertia(M, V, momentum);
      w.F[i] = M * A - coadjoint(V, momentum);
      w.inertia[i] = M;
      w.X_WN[i] = X;
      w.V[i] = V;
      w.A[i] = A;
    });
  }
}

template <class S>
void inverse_dynamics_derivatives(const Tree& tree, InverseDynamicsDerivativesWorkspace<S>& w,
                                  std::span<const S> q, std::span<const S> qd, std::span<const S> qdd,
                                  std::span<S> effort, std::span<S> by_q, std::span<S> by_qd) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("qdd", qdd.size(), tree.rate_count);
  require_size("effort", effort.size(), tree.rate_count);
  require_size("by_q", by_q.size(), tree.matrix_size());
  require_size("by_qd", by_qd.size(), tree.matrix_size());
  const int n = tree.rate_count;
  sweep_outward(tree, w, q, qd, qdd);
  if (!w.runs.cover_all_pairs()) {
    std::fill(by_q.begin(), by_q.end(), S(0.0));
    std::fill(by_qd.begin(), by_qd.end(), S(0.0));
  }
  for (int i = tree.size() - 1; i > 0; --i) {
    const TreeNode& node = tree.nodes[i];
    const Inertia<S> M = w.inertia[i];
    const VelocityInertia<S> B = w.velocity[i];
    const Wrench<S> F = w.F[i];
    with_motion(node.joint, [&](auto motion) {
      for (int r = node.v; r < node.v + static_cast<int>(motion.axes.size()); ++r) {
        const Twist<S> J = w.J[r];
        effort[r] = dot(J, F);
        const Wrench<S> above_q = 2.0 * (B * w.Psi[r]) + M * w.Psi_dot[r] - coadjoint(J, F);  // (3)
        const Wrench<S> above_qd = 2.0 * (B * J) + M * w.sum[r];                              // (4)
        for (const RateRun& run : w.runs.of(node.parent)) {
          for (int c = run.first; c < run.end; ++c) {
            by_q[c * n + r] = dot(w.J[c], above_q);
            by_qd[c * n + r] = dot(w.J[c], above_qd);
          }
        }
        const Vec3<S> a = 2.0 * transpose_times(B, J);
        const Wrench<S> f = M * J;
        for (const RateRun& run : w.runs.of(i)) {
          fill_pairings(a, w.Psi_rows, f, w.Psi_dot_rows, run, by_q.data() + r * n);  // (2)
          fill_pairings(a, w.J_rows, f, w.sum_rows, run, by_qd.data() + r * n);       // (4)
        }
      }
    });
    if (node.parent == 0) continue;
    w.inertia[node.parent] = w.inertia[node.parent] + M;
    w.velocity[node.parent] += B;
    w.F[node.parent] += F;
  }
  if (tree.armature.empty()) return;
  add_rotor_efforts(tree, qd, qdd, effort);
  add_rotor_efforts_by_rates(tree, qd, by_qd);
}

}  // namespace torsor
