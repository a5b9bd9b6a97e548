#include "simulation/mobility.h"

#include <Eigen/QR>
#include <span>

#include "lie/se3.h"
#include "model/initial.h"
#include "model/joint_motion.h"

namespace torsor {
namespace {

constexpr double kRankTolerance = 1e-9;

/// The rate conditions of every loop: the motion of its child along the tree minus that of its parent is what
/// the loop joint itself allows. Columns are the rates of all joints, loop joints included.
class LoopConditions {
 public:
  LoopConditions(const Model& model, const std::vector<double>& q)
      : model_(model),
        q_(q),
        X_WB_(body_poses(model, q)),
        A_(Eigen::MatrixXd::Zero(6 * model.topology().loop_joints.size(), model.rate_count())) {
    for (std::size_t loop = 0; loop < model.topology().loop_joints.size(); ++loop) {
      const int closing = model.topology().loop_joints[loop];
      const Joint& joint = model.joints()[closing];
      const int row = static_cast<int>(6 * loop);
      add_path(joint.child, +1, row);
      add_path(joint.parent, -1, row);
      add_motions(closing, joint_coordinates(joint, model.dimension(), pose_across(joint)), -1, row);
    }
  }

  int rank() const {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
    qr.setThreshold(kRankTolerance);
    return static_cast<int>(qr.compute(A_).rank());
  }

 private:
  SE3<double> pose_of(int body) const { return body == kWorld ? SE3<double>{} : X_WB_[body]; }
  SE3<double> pose_across(const Joint& joint) const {
    return inverse(pose_of(joint.parent) * joint.in_parent) * (pose_of(joint.child) * joint.in_child);
  }

  void add_path(int body, double sign, int row) {
    for (; body != kWorld; body = model_.joints()[model_.topology().carrier[body]].parent) {
      const int carrier = model_.topology().carrier[body];
      const std::size_t count = coordinate_count(model_.joints()[carrier].type, model_.dimension());
      add_motions(carrier, std::span(q_).subspan(model_.coordinate_offset(carrier), count), sign, row);
    }
  }

  /// The spatial twists that the rates of a joint cause.
  void add_motions(int index, std::span<const double> q, double sign, int row) {
    const Joint& joint = model_.joints()[index];
    const int count = rate_count(joint.type, model_.dimension());
    for (int i = 0; i < count; ++i) {
      std::vector<double> unit(count);
      unit[i] = sign;
      const Twist<double> V =
          Ad(pose_of(joint.child) * joint.in_child, joint_twist(joint, model_.dimension(), q, unit));
      for (int axis = 0; axis < 3; ++axis) {
        A_(row + axis, model_.rate_offset(index) + i) += V.angular[axis];
        A_(row + 3 + axis, model_.rate_offset(index) + i) += V.linear[axis];
      }
    }
  }

  const Model& model_;
  const std::vector<double>& q_;
  std::vector<SE3<double>> X_WB_;
  Eigen::MatrixXd A_;
};

}  // namespace

Mobility mobility(const Model& model, const std::vector<double>& q) {
  const Topology& topology = model.topology();
  if (topology.is_tree()) return {topology.tree_dof, 0};
  const int dof = model.rate_count() - LoopConditions(model, q).rank();
  return {dof, topology.loop_constraints - (topology.tree_dof - dof)};
}

}  // namespace torsor
