#include "testing/ball_joint_newton_euler.h"

#include <Eigen/Dense>

namespace torsor::testing {
namespace {

Eigen::Vector3d column(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

/// Of the map b -> a x b.
Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  Eigen::Matrix3d result;
  result << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return result;
}

Eigen::Matrix3d rotation(const BodyObservation& body) {
  const Mat3<double> R = matrix(body.rotation);
  Eigen::Matrix3d result;
  result << R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz;
  return result;
}

}  // namespace

std::vector<Vec3<double>> angular_accelerations(const Model& model, const Observation& state,
                                                const std::vector<BodyLoad>& loads) {
  const int bodies = static_cast<int>(model.bodies().size()),
            joints = static_cast<int>(model.joints().size());
  const int size = 6 * bodies + 3 * joints;  // a and alpha of each body, then the force of each joint
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(size);
  for (int b = 0; b < bodies; ++b) {
    const Body& body = model.bodies()[b];
    const Eigen::Matrix3d R = rotation(state.bodies[b]);
    const Sym3<double>& I = body.inertia;
    Eigen::Matrix3d J;
    J << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
    J = R * J * R.transpose();
    const Eigen::Vector3d omega = column(state.bodies[b].angular_velocity);
    A.block<3, 3>(6 * b, 6 * b).diagonal().setConstant(body.mass);
    A.block<3, 3>(6 * b + 3, 6 * b + 3) = J;
    right.segment<3>(6 * b) = column(loads[b].force);
    right.segment<3>(6 * b + 3) = column(loads[b].moment) - omega.cross(J * omega);
  }
  for (int j = 0; j < joints; ++j) {
    const Joint& joint = model.joints()[j];
    const int row = 6 * bodies + 3 * j;
    const auto attach = [&](int b, const Vec3<double>& point, double sign) {
      if (b == kWorld) return;
      const Eigen::Vector3d arm = rotation(state.bodies[b]) * column(point - model.bodies()[b].com);
      const Eigen::Vector3d omega = column(state.bodies[b].angular_velocity);
      const Eigen::Matrix3d arm_cross = cross_matrix(arm);
      A.block<3, 3>(row, 6 * b).diagonal().setConstant(sign);
      A.block<3, 3>(row, 6 * b + 3) = -sign * arm_cross;
      right.segment<3>(row) -= sign * omega.cross(omega.cross(arm));
      A.block<3, 3>(6 * b, row).diagonal().setConstant(-sign);
      A.block<3, 3>(6 * b + 3, row) = -sign * arm_cross;
    };
    attach(joint.child, joint.in_child.position, 1);
    attach(joint.parent, joint.in_parent.position, -1);
  }
  const Eigen::VectorXd solution = A.partialPivLu().solve(right);
  std::vector<Vec3<double>> result;
  for (int b = 0; b < bodies; ++b)
    result.push_back({solution[6 * b + 3], solution[6 * b + 4], solution[6 * b + 5]});
  return result;
}

}  // namespace torsor::testing
