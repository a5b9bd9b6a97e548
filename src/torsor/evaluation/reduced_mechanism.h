#pragma once
// A mechanism with loops in independent rates. Its joints are those of an open tree (tree/tree.h), in which every
// loop joint carries a massless copy of its child; the copy has the child's motion. With all rates v of the open
// tree, couplings among them,
//   M(q) a + h(t, q, v) = G^T lambda + B tau,   G v = 0,   G a + gamma = 0                                 (1)
// where h has the gravity and all elements of the model. The rows of G are the twist of each child less that of its
// copy, at the joint's frame K in axes of the child: lambda is the wrench on the child. Both bodies stand alike, so that
// G^T lambda is a pair of wrenches fixed on child and copy, along every motion that keeps the loops closed.
//   v = N u',   N^T (M a + h - B tau) = f = 0                                                              (2)
// u' are some of the rates themselves. Derivatives along the manifold of closed loops come by dual numbers with
//   dq = N du,   G dv = -dG v,   G da = -(dG a + dgamma),   df = N^T (d(M a + h - B tau) - dG^T lambda),   (3)
// lambda such that M a + h - B tau - G^T lambda has no part on dependent rates.

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "torsor/formulation/joint/elements.h"
#include "torsor/model/model.h"
#include "torsor/tree/scalars.h"
#include "torsor/tree/tree.h"

namespace torsor {

/// Where the mechanism stands, with closed loops, and how it can move there.
struct ReducedConfiguration {
  std::vector<double> q;                    ///< of all joints in file order
  std::vector<int> independent, dependent;  ///< rates, by index in qd of all joints, increasing
  Eigen::MatrixXd G;        ///< a row each: loops (turning, then sliding over `length`), then couplings
  Eigen::MatrixXd N;        ///< v = N u', columns as `independent`
  Eigen::MatrixXd inverse;  ///< of the dependent columns of G; least squares, where rows repeat others
  double length = 1;        ///< [m]

  int dof() const { return static_cast<int>(independent.size()); }
  int redundant_rows() const { return static_cast<int>(G.rows()) - static_cast<int>(dependent.size()); }
};

/// A motion there, and what acts beside the model's own elements.
struct ReducedMotion {
  double t = 0;
  std::vector<double> v, a;         ///< of all joints; consistent with the loops
  std::vector<double> effort{};     ///< by rate of all joints; empty: none
  std::vector<double> actuation{};  ///< by actuator of the model, beside its program; empty: none
  std::vector<double> states{};     ///< of elements, in z of a system (FlowBook); empty: as at a start
};

/// (2) and what it is made of.
struct ReducedEquations {
  Eigen::MatrixXd M;  ///< N^T M N
  Eigen::VectorXd f;  ///< the efforts in independent rates that are missing for the motion: 0 if it is one
  Eigen::VectorXd lambda;  ///< by rows of G; the least, where it is not unique
};

/// Derivatives along the manifold of closed loops, by u (dq = N du) and u', at fixed u'' (and u').
struct ReducedLinearisation {
  ReducedEquations at;
  Eigen::MatrixXd K, D;                       ///< of f: stiffness, and damping with gyroscopic terms
  Eigen::MatrixXd B;                          ///< f changes by -B times a change of `actuation`
  Eigen::MatrixXd v_by_u;                     ///< dv at fixed u'; by u' it is N
  Eigen::MatrixXd a_by_u, a_by_ud;            ///< da at fixed u''; by u'' it is N
  Eigen::MatrixXd lambda_by_u, lambda_by_ud;  ///< at fixed u''
};

/// Position, velocity and acceleration of a point in the world, 3 x dof each: at fixed u', u''. By u'' the acceleration
/// is by_u of the position, and so is the velocity by u'.
struct PointDerivatives {
  Eigen::MatrixXd position_by_u, velocity_by_u, acceleration_by_u, acceleration_by_ud;
};

class ReducedMechanism {
 public:
  /// Controllers act continuously, as at a sample. Efforts of servos are none: `actuation` has them.
  explicit ReducedMechanism(const Model& model);

  const Model& model() const { return model_; }
  const Tree& tree() const { return open_.tree; }
  const OpenTree& open() const { return open_; }
  const JointElements& elements() const { return elements_; }
  int rate_count() const { return open_.tree.rate_count; }

  /// At q of all joints, with loops nearly closed: dependent coordinates take up what is left. Independent are
  /// rates of the joints `first`, then of those `preferred` as far as it goes, of those with actuators, and of others
  /// in file order. Throws ModelError where a joint of `first` has no rate that others leave open.
  ReducedConfiguration configure(std::vector<double> q, const std::vector<int>& first = {},
                                 const std::vector<int>& preferred = {}) const;
  /// Independent coordinates moved by du from there, loops closed again, the same rates independent. Throws
  /// ModelError where the loops do not close.
  ReducedConfiguration moved(const ReducedConfiguration& from, const Eigen::VectorXd& du) const;
  /// Largest gap at q: angles, and lengths over `length`; couplings.
  double gap(std::span<const double> q, double length) const;

  std::vector<double> rates(const ReducedConfiguration& at, const Eigen::VectorXd& u_rate) const;
  /// Throws ModelError in a singular position, where no accelerations keep the loops closed.
  std::vector<double> accelerations(const ReducedConfiguration& at, std::span<const double> v,
                                    const Eigen::VectorXd& u_acceleration) const;
  /// The next derivative, of a.
  std::vector<double> jerks(const ReducedConfiguration& at, std::span<const double> v,
                            std::span<const double> a, const Eigen::VectorXd& u_jerk) const;
  /// And the one after that.
  std::vector<double> snaps(const ReducedConfiguration& at, std::span<const double> v,
                            std::span<const double> a, std::span<const double> jerk,
                            const Eigen::VectorXd& u_snap) const;
  /// First and second time derivative of f along a motion with these derivatives of a. Programs go on with time, further
  /// efforts stand still. Laws that are known by their slopes alone (muscles, functions without `along`) have none.
  struct ForceRates {
    Eigen::VectorXd first, second;
  };
  ForceRates force_rates(const ReducedConfiguration& at, const ReducedMotion& motion,
                         std::span<const double> jerk, std::span<const double> snap) const;
  /// At rest.
  ReducedMotion rest(double t) const;
  /// States of elements as they start there.
  std::vector<double> start_states(const ReducedConfiguration& at, double t) const;

  ReducedEquations equations(const ReducedConfiguration& at, const ReducedMotion& motion) const;
  ReducedLinearisation linearise(const ReducedConfiguration& at, const ReducedMotion& motion) const;
  /// The motion that the efforts cause, from its rates: (1) solved for a. Throws ModelError where motions move no mass.
  ReducedMotion solve(const ReducedConfiguration& at, ReducedMotion motion) const;
  /// Efforts in independent rates of a unit of each actuator, dof x actuators: N^T B.
  Eigen::MatrixXd input_matrix(const ReducedConfiguration& at) const;
  /// C with C u' the velocity terms of f without elements, and Mdot = C + C^T: N^T (C N + M N').
  Eigen::MatrixXd coriolis_matrix(const ReducedConfiguration& at, std::span<const double> v) const;
  /// Wrench on the child of each joint, at K in its axes; efforts included.
  std::vector<Wrench<double>> reactions(const ReducedConfiguration& at, const ReducedMotion& motion,
                                        const Eigen::VectorXd& lambda) const;
  PointDerivatives point_derivatives(const ReducedConfiguration& at, const ReducedMotion& motion,
                                     const ReducedLinearisation& along, const Point& point) const;

  template <class S>
  struct Pass;

 private:
  int row_count() const;
  void set_rows(ReducedConfiguration& at) const;
  Eigen::VectorXd gaps(std::span<const double> q, double length) const;
  bool close(ReducedConfiguration& at) const;
  template <class S>
  void run(Pass<S>& pass, const ReducedMotion& motion, std::span<const S> lambda, double length) const;
  template <class S>
  std::vector<S> rate_gaps(const Pass<S>& pass, double length) const;
  template <class S>
  std::vector<S> acceleration_gaps(const Pass<S>& pass, double length) const;

  Model model_;
  OpenTree open_;
  JointElements elements_;
  std::vector<int> live_;  ///< rows of a twist that the dimension has
};

/// `elbow`, or `ball[2]` where a joint has several rates.
std::string rate_name(const Model& model, int rate);

}  // namespace torsor
