#pragma once
// Second-order partial derivatives of inverse dynamics, for trajectory optimisers that want exact Hessians.

#include <span>
#include <vector>

#include "torsor/tree/inverse_dynamics_derivatives.h"
#include "torsor/tree/scalars.h"
#include "torsor/tree/tree.h"

namespace torsor {

/// Arrays n x n x n, n = tree.rate_count, entry (i, j, k) at (i n + j) n + k: effort i, first variable j,
/// second variable k. Those not listed vanish: efforts are linear in qdd, with a matrix that depends on q.
struct InverseDynamicsSecondDerivatives {
  std::span<double> by_q_q;    ///< symmetric in (j, k)
  std::span<double> by_q_qd;   ///< j of q, k of qd
  std::span<double> by_qd_qd;  ///< symmetric in (j, k)
  std::span<double> by_q_qdd;  ///< j of q, k of qdd: d_j M_ik, symmetric in (i, k)
};

struct SecondDerivativesWorkspace {
  explicit SecondDerivativesWorkspace(const Tree& tree);

  InverseDynamicsDerivativesWorkspace<Dual8> first;
  std::vector<Dual8> q0, increment, q, qd, qdd;
  std::vector<Dual8> effort, by_q, by_qd;
};

/// By coordinates of spherical, planar and free nodes derivatives are along body-fixed increments x, and
/// by_q_q is the Hessian of Q(q exp(x)) at x = 0: the second-order term of what retract() gives. Increments
/// inside one node do not commute: with D_k the derivative along increment k and [e_j, e_k] = c^l_jk e_l,
///   D_k D_j Q = by_q_q + 1/2 c^l_kj D_l Q.
void inverse_dynamics_second_derivatives(const Tree& tree, SecondDerivativesWorkspace& workspace,
                                         std::span<const double> q, std::span<const double> qd,
                                         std::span<const double> qdd,
                                         const InverseDynamicsSecondDerivatives& result);

}  // namespace torsor
