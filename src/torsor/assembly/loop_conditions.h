#pragma once
// What the joints that close loops, and couplings, demand of the joints of the spanning tree: how far a loop
// gapes, and the linear conditions on the rates of the tree under which it does not open.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "torsor/model/model.h"

namespace torsor {

inline constexpr double kMostLoopEntries = 4e7;  ///< of a dense matrix of conditions of loops: 0.3 GB

inline Eigen::Vector3d eigen(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

/// The tree in one configuration, and how bodies move with the rates of some of its joints: the columns.
class TreeMotion {
 public:
  TreeMotion(const Model& model, const std::vector<double>& q, const std::vector<int>& joints);

  const Model& model() const { return model_; }
  const std::vector<double>& q() const { return q_; }
  const std::vector<int>& rates() const { return rates_; }  ///< of each column, the index in qd of all joints
  int columns() const { return static_cast<int>(rates_.size()); }
  SE3<double> pose(int body) const { return body == kWorld ? SE3<double>{} : X_WB_[body]; }

  /// Adds `sign` times the motion of the point p_W of `body` against a body that carries it: angular velocity,
  /// then velocity, in world axes.
  void add_motion(int body, const Vec3<double>& p_W, double sign, Eigen::Ref<Eigen::MatrixXd> rows,
                  int carrier = kWorld) const;

 private:
  const Model& model_;
  std::vector<double> q_;
  std::vector<SE3<double>> X_WB_;
  std::vector<int> rates_;
  std::vector<int> column_;           ///< first column of each joint, -1 if it has none
  std::vector<Twist<double>> screw_;  ///< of each column, spatial
};

/// One loop joint in that configuration. J and K are its frames on the parent and the child.
struct LoopState {
  int joint = 0;
  std::vector<double> q;  ///< the coordinates of the joint that come nearest to the poses
  SE3<double> X_WK;
  Eigen::MatrixXd motion;   ///< 6 x columns: K against J (angular, linear; world axes) by the tree's rates
  Eigen::MatrixXd free;     ///< 6 x rates of the joint: likewise by its own
  Eigen::VectorXd error;    ///< 6: how far K lies from where q puts it
  Eigen::MatrixXd blocked;  ///< 6 x constraints: the directions of scaled motion that the joint forbids

  double gap() const { return error.tail(3).norm(); }        ///< [m]
  double gap_angle() const { return error.head(3).norm(); }  ///< [rad]
};

/// One coupling there: row . v = 0, and by how much it is missed.
struct CouplingState {
  int coupling = 0;
  Eigen::RowVectorXd row;
  double error = 0, scale = 1;  ///< the latter makes the row one of numbers
  bool angular = true;          ///< whether its first coordinate is an angle
};

/// Lengths are measured in units of `length` so that rows of angles and of lengths compare.
struct LoopConditions {
  LoopConditions(const TreeMotion& tree, double length);

  Eigen::MatrixXd jacobian() const;  ///< G, condition_count x columns: G v = 0 keeps the loops closed
  Eigen::VectorXd residual() const;  ///< of which G is the derivative where the loops are closed
  Eigen::Index loop_rows() const;    ///< before those of couplings

  double length;
  std::vector<LoopState> loops;
  std::vector<CouplingState> couplings;

 private:
  int columns_;
};

/// Rows of (angular, linear) in which a mechanism of this dimension can move.
std::vector<int> live_rows(int dimension);
/// The motions of a joint at q, of its child's frame K against its parent in world axes.
struct JointDirections {
  Eigen::MatrixXd free;  ///< 6 x rates: (angular, linear) by its own rates
  Eigen::MatrixXd
      blocked;  ///< 6 x constraints: an orthonormal basis of (angular, linear / length) that it forbids
};
JointDirections joint_directions(const Joint& joint, int dimension, std::span<const double> q,
                                 const SO3<double>& R_WK, double length);

bool has_conditions(const Model& model);  ///< loops or couplings
int condition_count(const Model& model);  ///< their constraints; redundant ones counted

/// Tree joints on a way from a loop joint through the tree back to it, or coupled, in file order.
std::vector<int> joints_in_loops(const Model& model);
/// Those of one loop joint.
std::vector<int> joints_of_loop(const Model& model, int loop_joint);

/// Diagonal of the box around all joints of the loops in the configuration q; 1 if that is a point.
double loop_size(const Model& model, const std::vector<double>& q);

}  // namespace torsor
