#pragma once
// Kinematics and dynamics of a tree model at one state: what `torsor eval` shows.

#include <optional>
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
};

/// At rest in the configuration of zeros and unit quaternions.
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

struct Momentum {
  Vec3<double> linear, angular;  ///< angular about the world origin
  Vec3<double> com;              ///< of all bodies
};

/// The equations of motion read  M(q) qdd + c(q, qd) + g(q) = effort + f,  where f are the forces of all the
/// model's elements (tendons, springs, loads, actuators, controllers) at t = 0.
class Evaluation {
 public:
  /// Throws ModelError for a model with loops: its coordinates are not independent.
  Evaluation(const Model& model, const JointState& state);

  const std::vector<Pose<double>>& poses() const { return X_WB_; }  ///< of each body
  std::vector<Twist<double>> twists(Representation) const;          ///< of each body
  std::vector<Twist<double>> accelerations(Representation) const;  ///< derivative of that twist's coordinates
  std::vector<Twist<double>> jerks(Representation) const;          ///< second derivative, along qddd
  std::vector<Twist<double>> jacobian(Representation, int body) const;  ///< one column for each rate
  std::vector<double> mass_matrix() const;                              ///< rate_count x rate_count
  std::vector<double> gravity_forces() const;                           ///< g(q)
  /// The effort for qdd, M qdd + c + g - f. Throws ModelError on elements that the joint formulation lacks.
  std::vector<double> inverse_dynamics() const;
  /// The qdd for effort, M^-1 (effort + f - c - g). Likewise.
  std::vector<double> forward_dynamics() const;
  /// C(q, qd) with C qd = c and Mdot = C + C^T.
  std::vector<double> coriolis_matrix() const;
  /// Symbols of the first kind (tree/christoffel.h), entry (i, j, k) at (i n + j) n + k.
  std::vector<double> christoffel() const;
  /// First and second time derivative of M qdd + c + g along qddd, qdddd. Throws ModelError if the model has
  /// force elements: their own rates are not in it.
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
  void refuse_elements(const char* quantity) const;

  const Model& model_;
  JointState state_;
  Tree tree_;
  std::vector<Pose<double>> X_WN_, X_WB_;
  std::vector<Twist<double>> V_N_, V_B_;
};

}  // namespace torsor
