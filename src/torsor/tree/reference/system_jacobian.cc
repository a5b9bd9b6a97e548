#include "torsor/tree/reference/system_jacobian.h"

#include "torsor/base/error.h"
#include "torsor/tree/node_motion.hpp"

namespace torsor {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

Vector6 stacked(const Twist<double>& V) {
  Vector6 column;
  column << V.angular.x, V.angular.y, V.angular.z, V.linear.x, V.linear.y, V.linear.z;
  return column;
}

/// What a twist at one pose is at another, for a body that is rigid between them.
Matrix6 transport(Representation r, const Pose<double>& from, const Pose<double>& to) {
  Matrix6 block;
  for (int k = 0; k < 6; ++k) {
    Twist<double> unit{};
    (k < 3 ? unit.angular[k] : unit.linear[k - 3]) = 1;
    const Twist<double> spatial = convert(r, Representation::spatial, from, unit);
    block.col(k) = stacked(convert(Representation::spatial, r, to, spatial));
  }
  return block;
}

}  // namespace

SystemJacobian system_jacobian(const Tree& tree, Representation representation,
                               std::span<const Pose<double>> X_WN) {
  require_size("X_WN", X_WN.size(), tree.size());
  const int rows = 6 * (tree.size() - 1);
  SystemJacobian factors{Eigen::MatrixXd::Zero(rows, rows), Eigen::MatrixXd::Zero(rows, tree.rate_count)};
  for (int i = 1; i < tree.size(); ++i) {
    for (int j = i; j > 0; j = tree.nodes[j].parent) {
      factors.A.block<6, 6>(6 * i - 6, 6 * j - 6) = transport(representation, X_WN[j], X_WN[i]);
    }
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      constexpr int rates = static_cast<int>(decltype(motion)::axes.size());
      for (int k = 0; k < rates; ++k) {
        double unit[6] = {};
        unit[k] = 1;
        const Twist<double> screw = represent(representation, X_WN[i], motion.twist(node, &unit[0]));
        factors.X.block<6, 1>(6 * i - 6, node.v + k) = stacked(screw);
      }
    });
  }
  return factors;
}

Eigen::MatrixXd inverse_transport(const Tree& tree, Representation representation,
                                  std::span<const Pose<double>> X_WN) {
  require_size("X_WN", X_WN.size(), tree.size());
  const int rows = 6 * (tree.size() - 1);
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(rows, rows);
  for (int i = 1; i < tree.size(); ++i) {
    const int parent = tree.nodes[i].parent;
    if (parent == 0) continue;
    inverse.block<6, 6>(6 * i - 6, 6 * parent - 6) = -transport(representation, X_WN[parent], X_WN[i]);
  }
  return inverse;
}

}  // namespace torsor
