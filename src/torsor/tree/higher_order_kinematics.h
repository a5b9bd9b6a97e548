#pragma once
// Time derivatives of twists along a motion: acceleration and jerk in closed form, derivatives of any order
// by recursion, each in any of the four representations; and joint accelerations back from those of the
// bodies.

#include <span>
#include <vector>

#include "torsor/tree/kinematics.h"
#include "torsor/tree/representation.h"

namespace torsor {

/// Twist, acceleration and jerk of one node by sums over its chain, from the poses and the spatial joint
/// screws of all. With U_j, A_j, B_j the screws of chain node j in the wanted representation times qd, qdd,
/// qddd, with V_j its twist and D the twist of the frame that the representation moves with (spatial: none,
/// hybrid: (0, r'), body-fixed: V_i), a screw has the rate J' = [V_j - D, J], and so
///   acceleration = sum_j A_j + [V_j - D, U_j]
///   jerk         = sum_j B_j + 2 [V_j - D, A_j] + [V_j' - D', U_j] + [V_j - D, [V_j - D, U_j]]
/// which is Müller (6), (13) for the body-fixed, (17), (21) for the spatial and (28), (31) for the hybrid
/// representation. The coefficient of the nested bracket in (13) must be 2 for k < r and 1 for k = r.
TwistDerivatives<double> twist_derivatives(const Tree& tree, std::span<const Pose<double>> X_WN,
                                           std::span<const Twist<double>> J, std::span<const double> qd,
                                           std::span<const double> qdd, std::span<const double> qddd,
                                           int node, Representation representation);

struct HigherOrderWorkspace {
  HigherOrderWorkspace(const Tree& tree, int order);

  int order;
  std::vector<double> binomials;  ///< row k from k (order + 1)
  std::vector<Pose<double>> X_WN;
  std::vector<Twist<double>> J;       ///< derivatives 0 .. order of the spatial screw of each rate in turn
  std::vector<Vec3<double>> turning;  ///< derivatives of the angular velocity of one node

  double binomial(int n, int k) const { return binomials[n * (order + 1) + k]; }
};

/// Derivatives 0 .. order of the twist of every node: V[i (order + 1) + k] = d^k V_i / dt^k in the
/// representation. rates[k tree.rate_count + j] is the k-th derivative of the rate j. O(n order^2) spatially,
/// for other representations O(n order^3). Leaves the derivatives of the spatial screws in workspace.J.
void twist_derivatives(const Tree& tree, HigherOrderWorkspace& workspace, std::span<const double> q,
                       std::span<const double> rates, Representation representation,
                       std::span<Twist<double>> V);

/// Rates of the joints from the body-fixed twists of the nodes; what the joints cannot do is left out in the
/// sense of least squares.
void joint_rates(const Tree& tree, std::span<const double> q, std::span<const Twist<double>> V_N,
                 std::span<double> qd);

/// Inverse kinematics on acceleration level, Müller (11): accelerations of the joints from the body-fixed
/// twists and their derivatives.
void joint_accelerations(const Tree& tree, std::span<const double> q, std::span<const Twist<double>> V_N,
                         std::span<const Twist<double>> V_N_rate, std::span<double> qdd);

}  // namespace torsor
