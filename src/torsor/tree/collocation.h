#pragma once
// Coordinates along a Runge-Kutta step, as they are: quaternions are four numbers that follow q' = q omega/2,
// without a chart.

#include <span>

#include "torsor/tree/tree.h"

namespace torsor {

inline constexpr int kMostStages = 10;

/// Coordinates have the rate q' = E(q) v, where E sees the direction of a quaternion and not its length, but
/// for q' = q omega/2 itself. For given rates V_j of the stages,
///   Q_i = q0 + h sum_j a_ij E(Q_j) V_j,   dq = h sum_j b_j E(Q_j) V_j,   a_ij = L_ij b_j            (1)
/// are linear in the quaternion of a joint: with Q_i = q0 X_i,
///   X_i - sum_j L_ij X_j w_j = 1,   q0 + dq = q0 C,   C = 1 + sum_j X_j w_j,   w_j = h b_j omega_j/2  (2)
/// are s equations with quaternions for coefficients, solved by elimination. With L_ij + L_ji = 1, as Gauss's
/// methods have it, C is of unit length whatever the rates are; for one stage it is Cayley's map.
/// As many stages as b has entries, at most kMostStages; L (lean) is row by row; V and Q hold stage after
/// stage. With `unit`, quaternions in Q are scaled to unit length; the increments dq are those of the unscaled
/// ones either way.
void collocate(const Tree& tree, double h, std::span<const double> lean, std::span<const double> b,
               std::span<const double> q0, std::span<const double> V, std::span<double> Q,
               std::span<double> dq, bool unit = true);
/// The same of several trees, a lane each.
template <class S, class T>
void collocate(const TreeOf<T>& tree, double h, std::span<const double> lean, std::span<const double> b,
               std::span<const S> q0, std::span<const S> V, std::span<S> Q, std::span<S> dq, bool unit);

}  // namespace torsor
