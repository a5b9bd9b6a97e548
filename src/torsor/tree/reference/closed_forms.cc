#include "torsor/tree/reference/closed_forms.h"

#include <utility>

#include "torsor/base/error.h"
#include "torsor/tree/kinematics.h"
#include "torsor/tree/node_motion.hpp"
#include "torsor/tree/reference/system_jacobian.h"

namespace torsor {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

Vector6 coordinates(const Twist<double>& V) {
  return {V.angular.x, V.angular.y, V.angular.z, V.linear.x, V.linear.y, V.linear.z};
}
Vector6 coordinates(const Wrench<double>& F) {
  return {F.moment.x, F.moment.y, F.moment.z, F.force.x, F.force.y, F.force.z};
}
/// The matrix of a linear map of twists.
template <class Map>
Matrix6 matrix_of(const Map& map) {
  Matrix6 m;
  for (int k = 0; k < 6; ++k) {
    Twist<double> e{};
    (k < 3 ? e.angular[k] : e.linear[k - 3]) = 1.0;
    m.col(k) = coordinates(map(e));
  }
  return m;
}

}  // namespace

SystemMatrices system_matrices(const Tree& tree, std::span<const double> q, std::span<const double> qd) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  const int rows = 6 * (tree.size() - 1), n = tree.rate_count;
  std::vector<Pose<double>> X_WN(tree.size());
  std::vector<Twist<double>> V_N(tree.size());
  forward_kinematics<double>(tree, q, qd, X_WN, V_N);

  SystemMatrices s;
  SystemJacobian jacobian = system_jacobian(tree, Representation::body, X_WN);
  s.A = std::move(jacobian.A);
  s.X = std::move(jacobian.X);
  s.a = s.b = s.M = Eigen::MatrixXd::Zero(rows, rows);
  s.U.resize(rows);
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    const int row = 6 * (i - 1);
    Twist<double> joint{};
    with_motion(node.joint, [&](auto motion) { joint = motion.twist(node, qd.data() + node.v); });
    s.a.block<6, 6>(row, row) = matrix_of([&](const auto& e) { return bracket(joint, e); });   // (9)
    s.b.block<6, 6>(row, row) = matrix_of([&](const auto& e) { return bracket(V_N[i], e); });  // (82)
    s.M.block<6, 6>(row, row) = matrix_of([&](const auto& e) { return node.inertia * e; });
    s.U.segment<6>(row) = coordinates(to_child(X_WN[i], Twist<double>{{}, -tree.gravity}));
  }
  s.J = s.A * s.X;                                              // (112)
  s.V = s.J * Eigen::Map<const Eigen::VectorXd>(qd.data(), n);  // (111)
  return s;
}

Eigen::MatrixXd jacobian_rate(const SystemMatrices& s) { return -s.A * (s.a * (s.J - s.X)); }

Eigen::VectorXd system_acceleration(const SystemMatrices& s, const Eigen::VectorXd& qdd) {
  return s.J * qdd - s.A * (s.a * s.V);
}

Eigen::MatrixXd closed_form_mass_matrix(const SystemMatrices& s) { return s.J.transpose() * (s.M * s.J); }

Eigen::MatrixXd jourdain_coriolis_matrix(const SystemMatrices& s) {
  return -s.J.transpose() * (s.M * (s.A * (s.a * s.J)) + s.b.transpose() * (s.M * s.J));
}

Eigen::VectorXd closed_form_gravity_forces(const SystemMatrices& s) { return s.J.transpose() * (s.M * s.U); }

Eigen::VectorXd euler_jourdain_efforts(const SystemMatrices& s, const Eigen::VectorXd& qdd,
                                       const Eigen::VectorXd& applied) {
  Eigen::VectorXd wrench = s.M * (system_acceleration(s, qdd) + s.U) - s.b.transpose() * (s.M * s.V);
  if (applied.size() > 0) wrench -= applied;
  return s.J.transpose() * wrench;
}

}  // namespace torsor
