#pragma once
// The Jacobian of all nodes at once and its two factors, Müller (111)-(112), as dense matrices: for tests,
// teaching and small systems. The recursions never form them.

#include <Eigen/Core>
#include <span>

#include "torsor/tree/representation.h"
#include "torsor/tree/tree.h"

namespace torsor {

/// V = J qd stacks the twists of the nodes 1, 2, .. (the ground left out), angular part first; J = A X.
///   X: block diagonal, the joint screws of each node in the representation at that node;
///   A: block (i, j) takes a twist at node j to the same twist at node i, where j is i or an ancestor of i.
/// In the body representation X is constant and A_ij = Ad of X_ij; hybrid: A_ij shifts by the positions;
/// spatial: A_ij = 1, all of the configuration is in X (the text's A^sb X^b with Ad on the other side).
struct SystemJacobian {
  Eigen::MatrixXd A, X;
};
SystemJacobian system_jacobian(const Tree& tree, Representation representation,
                               std::span<const Pose<double>> X_WN);

/// A^-1: ones, and minus the block of A for each node and its parent; no other.
Eigen::MatrixXd inverse_transport(const Tree& tree, Representation representation,
                                  std::span<const Pose<double>> X_WN);

}  // namespace torsor
