#pragma once
// Coordinates along a Runge-Kutta step, as they are: quaternions are four numbers that follow q' = q omega/2,
// without a chart.

#include <span>

#include "tree/tree.h"

namespace torsor {

inline constexpr int kMostStages = 10;

/// Coordinates have the rate q' = E(q) v, where E sees the direction of a quaternion and not its length, but
/// for q' = q omega/2 itself. For given rates V_j of the stages,
///   Q_i = q0 + h sum_j a_ij E(Q_j) V_j,   dq = h sum_j b_j E(Q_j) V_j                               (1)
/// are linear in the quaternion of a joint: with Q_i = q0 X_i,
///   X_i - h/2 sum_j a_ij X_j omega_j = 1                                                            (2)
/// are s equations with quaternions for coefficients, solved by elimination. A method with
/// b_i a_ij + b_j a_ji = b_i b_j, as Gauss's, then keeps |q0 + dq| = |q0| whatever the rates are.
/// As many stages as b has entries, at most kMostStages; a is row by row; V and Q hold stage after stage.
/// Quaternions in Q are scaled to unit length, the increments dq are those of the unscaled ones.
void collocate(const Tree& tree, double h, std::span<const double> a, std::span<const double> b,
               std::span<const double> q0, std::span<const double> V, std::span<double> Q,
               std::span<double> dq);

}  // namespace torsor
