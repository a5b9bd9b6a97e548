#pragma once
// Kinematics and dynamics of a model at one state: what `torsor eval` shows.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "torsor/control/point_stiffness.h"
#include "torsor/model/model.h"
#include "torsor/tree/representation.h"
#include "torsor/tree/tree.h"

namespace torsor {

/// In the order of the model file's joints (Model::coordinate_offset, Model::rate_offset).
struct JointState {
  std::vector<double> q;                     ///< coordinates
  std::vector<double> qd, qdd, qddd, qdddd;  ///< rates and their derivatives
  std::vector<double> effort;                ///< dual to the rates, beside what the model's own elements do
  double time = 0;                           ///< at which programs are read [s]
  std::map<int, double> actuators{};         ///< efforts of actuators, by index, in place of their programs
  /// Loops: joints whose rates are independent, and those that are if they can be; then actuated ones, then in file
  /// order.
  std::vector<int> independent{}, preferred{};
};

/// At rest: a tree in the configuration of zeros and unit quaternions, a model with loops or couplings as it starts,
/// assembled.
JointState neutral_state(const Model& model);

struct Energies {
  double kinetic = 0, gravity = 0, elastic = 0;  ///< [J]
  double total() const { return kinetic + gravity + elastic; }
};

/// Partial derivatives by coordinates (body-fixed increments) and by rates, row-major.
struct StateDerivatives {
  std::vector<double> by_q, by_qd;
};

/// Time derivatives of efforts.
struct EffortRates {
  std::vector<double> first, second;
};

/// The efforts of the actuators that are there, for a motion.
struct ActuatorEfforts {
  std::vector<double> needed;                 ///< in independent rates, beside all elements but actuators
  std::vector<double> efforts;                ///< by actuator: the least, where several do
  std::vector<double> missing;                ///< of `needed`, what actuators cannot give
  std::vector<std::vector<double>> internal;  ///< orthonormal lists of efforts that move nothing
};

/// Wrench on the child of a joint at the joint's frame K, efforts included.
struct Reaction {
  Wrench<double> in_K, in_world;  ///< in axes of K, of the world
};

struct PointMotion {
  Vec3<double> position, velocity, acceleration;  ///< in the world
};

struct Momentum {
  Vec3<double> linear, angular;  ///< angular about the world origin
  Vec3<double> com;              ///< of all bodies
};

/// The equations of motion read  M(q) qdd + c(q, qd) + g(q) = effort + f,  where f are the forces of all the
/// model's elements (tendons, springs, loads, actuators, controllers).
/// With loops or couplings they stand in independent rates u', v = N u' (reduced_mechanism.h): matrices are those of N^T M N .. and
/// lists by independent rates, but for what is said to be of all joints.
class Evaluation {
 public:
  /// Of a model with loops or couplings, a state that keeps them (consistent_state.h). Throws ModelError
  /// where it does not.
  Evaluation(const Model& model, const JointState& state);
  ~Evaluation();

  /// Indices, among all rates, of those that rows and columns stand for: all of a tree.
  const std::vector<int>& independent() const { return independent_; }
  const JointState& state() const { return state_; }

  const std::vector<Pose<double>>& poses() const { return X_WB_; }  ///< of each body
  std::vector<Twist<double>> twists(Representation) const;          ///< of each body
  std::vector<Twist<double>> accelerations(Representation) const;  ///< derivative of that twist's coordinates
  std::vector<Twist<double>> jerks(Representation) const;          ///< second derivative, along qddd
  std::vector<Twist<double>> jacobian(Representation, int body) const;  ///< one column for each rate
  std::vector<Vec3<double>> jacobian(const Point& point) const;         ///< of its velocity, likewise
  PointMotion motion(const Point& point) const;
  std::vector<double> mass_matrix() const;     ///< rate_count x rate_count
  std::vector<double> gravity_forces() const;  ///< g(q)
  /// The effort for qdd, M qdd + c + g - f. Throws ModelError on elements that the joint formulation lacks.
  std::vector<double> inverse_dynamics() const;
  /// Efforts of actuators that do the same, as far as they can.
  ActuatorEfforts actuator_efforts() const;
  /// The qdd of all joints for effort, M^-1 (effort + f - c - g). Likewise.
  std::vector<double> forward_dynamics() const;
  /// Of each joint, in the motion of forward_dynamics. The least where loops leave them open.
  std::vector<Reaction> reactions() const;
  /// Of each joint, in the motion qdd under actuator_efforts; what those miss acts on the independent joints.
  std::vector<Reaction> driven_reactions() const;
  /// C(q, qd) with C qd = c and Mdot = C + C^T.
  std::vector<double> coriolis_matrix() const;
  /// Symbols of the first kind (tree/christoffel.h), entry (i, j, k) at (i n + j) n + k.
  std::vector<double> christoffel() const;
  /// First and second time derivative of inverse_dynamics along qddd, qdddd, as programs go on. Throws ModelError on
  /// muscles and on a law that is known by its slopes alone.
  EffortRates inverse_dynamics_rates() const;
  /// Of inverse_dynamics at (q, qd, qdd), and of forward_dynamics at (q, qd, effort); elements included.
  StateDerivatives inverse_dynamics_derivatives() const;
  StateDerivatives forward_dynamics_derivatives() const;
  Energies energies() const;
  Momentum momentum() const;
  /// Of a point on a body by springs and tendons alone, at rest in this configuration; where they are not in
  /// balance, tension counts too, as in the second derivative of the energy. Empty where the joints cannot
  /// move the point in every direction.
  std::optional<PointStiffness> point_stiffness(const Point& point) const;

 private:
  std::vector<double> element_forces() const;  ///< f
  StateDerivatives element_force_derivatives() const;
  std::vector<double> tree_inverse_dynamics(const std::vector<double>& qd,
                                            const std::vector<double>& qdd) const;
  /// Twists of the bodies with two derivatives.
  std::vector<TwistDerivatives<double>> body_motion(Representation) const;
  bool has_elements() const;
  void refuse_without_rates(const char* quantity) const;
  void require_consistent() const;
  /// A list by all rates, or the columns of twists, in independent ones.
  std::vector<double> reduced(const std::vector<double>& by_all) const;
  std::vector<Reaction> reactions_of(const std::vector<double>& qdd, const std::vector<double>& effort,
                                     const std::vector<double>& actuation) const;

  struct Loops;                            ///< what there is beside the open tree
  const Loops& reduced_mechanism() const;  ///< made where it is asked for

  Model model_;
  JointState state_;
  Tree tree_;
  bool is_reduced_;  ///< by loops or couplings
  mutable std::unique_ptr<Loops> loops_;
  std::vector<int> independent_;
  std::vector<Pose<double>> X_WN_, X_WB_;
  std::vector<Twist<double>> V_N_, V_B_;
};

}  // namespace torsor
