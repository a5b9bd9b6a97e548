#pragma once
// A reference for any mechanism with loops: joint coordinates of the spanning tree, loops closed by
// multipliers.

#include <Eigen/Core>
#include <vector>

#include "torsor/formulation/joint/joint.h"
#include "torsor/model/model.h"
#include "torsor/simulation/observation.h"
#include "torsor/tree/mass_matrix.h"

namespace torsor::testing {

/// The spanning tree moves by Gauss' principle: of all accelerations that keep the loops closed,
///   G a + gamma = 0,   the nearest to the free one, a = a_free + M^-1 G^T lambda,                    (1)
/// and servos likewise with their actuators' efforts e, C a + gamma = y'', a = a_free + M^-1 (G^T lambda + B
/// e), where the outputs depend on the efforts in two derivatives. Redundant rows get multipliers of least
/// norm. Extrapolation of order 16 in a chart about each step's start, then position and velocity are put
/// back onto the constraints. Shares the tree's recursions with the formulation `joint`, and nothing with the
/// others. Dense and slow. Helical joints may not close loops, and no element may act in a joint that does.
class TreeWithLoops {
 public:
  /// Starts from the model's initial values, put onto the constraints by the shortest way in the metric M.
  explicit TreeWithLoops(const Model& model);
  /// From coordinates and rates of all joints in file order (those of loop joints are not used).
  TreeWithLoops(const Model& model, const std::vector<double>& q, const std::vector<double>& qd);

  void advance(double duration, int basic_steps);

  const std::vector<double>& q() const { return q_; }  ///< of the tree's joints in file order
  const std::vector<double>& qd() const { return qd_; }
  /// Time, energies, momenta and bodies (angles of planar bodies within a turn), and the efforts of all
  /// actuators.
  Observation observe();
  double position_error();  ///< largest entry of the constraints, servos included [m, -]

 private:
  using Vector = Eigen::VectorXd;
  /// A loop joint: its frames in the nodes that carry them.
  struct Loop {
    JointType type;
    int parent, child;  ///< nodes
    Pose<double> X_PJ, X_CK;
  };
  /// One component of what a servo leads.
  struct Output {
    int node;
    Vec3<double> p;  ///< where in the node's frame
    int axis;        ///< 0, 1, 2 for x, y, z, 3 for the angle of a planar body
    Pose<double> X_NB;
    Program program;
  };
  struct Constraints {
    Vector value, rate, gamma;  ///< less what servos ask for
    Eigen::MatrixXd G;
  };
  struct Accelerations {
    Vector a, efforts;
  };

  template <class S>
  void rows(std::span<const Pose<S>> X_WN, std::span<const Twist<S>> V_N, std::vector<S>& value,
            std::vector<S>& rate) const;
  Constraints constraints(double t, std::span<const double> q, std::span<const double> v) const;
  Eigen::MatrixXd masses(std::span<const double> q);
  Accelerations accelerations(double t, std::span<const double> q, std::span<const double> v);
  void project();

  Model model_;  ///< without its loop joints and servos
  JointSystem system_;
  MassMatrixWorkspace<double> mass_workspace_;
  std::vector<Loop> loops_;
  std::vector<Output> outputs_;
  std::vector<int> servo_actuators_;
  double time_ = 0;
  std::vector<double> q_, qd_;
};

}  // namespace torsor::testing
