#pragma once
// Partial derivatives of Jacobian columns with respect to joint coordinates, of any order, in closed form.

#include <span>
#include <vector>

#include "torsor/tree/kinematics.h"
#include "torsor/tree/representation.h"

namespace torsor {

struct JacobianDerivativesWorkspace {
  /// For derivatives up to this order.
  JacobianDerivativesWorkspace(const Tree& tree, int highest_order);

  std::vector<Pose<double>> X_WN;
  std::vector<Twist<double>> J;    ///< spatial joint screws
  std::vector<int> rate_node;      ///< node of each rate
  std::vector<int> chain_ordered;  ///< scratch for indices in the order of the chain
};

/// Poses and joint screws at q, on which all derivatives build.
void set_configuration(const Tree& tree, JacobianDerivativesWorkspace& workspace, std::span<const double> q);

/// d/dq_a d/dq_b ... of the column `rate` in the Jacobian of `node`, for along = {a, b, ...} (any order,
/// repeated or not, empty for the column itself). d/dq_k is the derivative along the body-fixed increment of
/// the rate k. Those of different nodes commute; those of one node with several rates do not, and the last in
/// `along` is taken first. Zero unless the column and all of `along` belong to the chain of `node`.
///
/// With indices sorted from the ground outwards, b_1 <= ... <= b_n (those of one node as given), j the
/// column:
///   body-fixed  [[[J_j, J_b1], J_b2] ..., J_bn] if j < b_1, or 0             Müller (5), (12), (14)
///   spatial     [J_b1, [J_b2, ... [J_bn, J_j]]] if b_n <= j, or 0            Müller (15), (20), (23)
///   hybrid      angular: w_b1 x (w_b2 x ... (w_bn x w_j)) if b_n <= j, or 0
///               linear: w_c1 x (w_c2 x ... (w_cn x v_c(n+1))), c the indices with j after its equals,
///               since v_j itself is the derivative d/dq_j of the position
///   mixed       the angular part of the body-fixed, the linear part of the hybrid form
/// "<" between rates means that the node of one is a proper ancestor of that of the other. For n = 1 the
/// hybrid form is (25) where j < k, and [J^w_k, J_j] where k <= j, which (25) leaves out. In the body-fixed
/// and the hybrid form the screws are those in the frame, or at the origin, of `node`.
Twist<double> jacobian_derivative(const Tree& tree, JacobianDerivativesWorkspace& workspace,
                                  Representation representation, int node, int rate,
                                  std::span<const int> along);

}  // namespace torsor
