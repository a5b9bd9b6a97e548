#pragma once
// Kinematics and dynamics of a tree model at one state: what `torsor eval` shows.

#include <vector>

#include "model/model.h"
#include "tree/tree.h"

namespace torsor {

/// In the order of the model file's joints (Model::coordinate_offset, Model::rate_offset).
struct JointState {
  std::vector<double> q;        ///< coordinates
  std::vector<double> qd, qdd;  ///< rates and their derivatives
  std::vector<double> effort;   ///< dual to the rates, beside what the model's own elements do
};

/// At rest in the configuration of zeros and unit quaternions.
JointState neutral_state(const Model& model);

/// Müller's names. body: both parts in body axes, of the body frame's origin. spatial: world axes, of the
/// point at the world origin. hybrid: world axes, of the body frame's origin. mixed: angular in body axes,
/// linear in world axes, of the body frame's origin.
enum class Representation { body, spatial, hybrid, mixed };
inline constexpr Representation kRepresentations[] = {Representation::body, Representation::spatial,
                                                      Representation::hybrid, Representation::mixed};
const char* name_of(Representation);

/// A body-fixed twist in another representation.
Twist<double> represent(Representation representation, const Pose<double>& X_WB, const Twist<double>& V_B);

struct Energies {
  double kinetic = 0, gravity = 0, elastic = 0;  ///< [J]
  double total() const { return kinetic + gravity + elastic; }
};

struct Momentum {
  Vec3<double> linear, angular;  ///< angular about the world origin
  Vec3<double> com;              ///< of all bodies
};

/// The equations of motion read  M(q) qdd + c(q, qd) + g(q) = effort + f,  where f are the forces of all the
/// model's elements (tendons, springs, loads, actuators) at t = 0.
class Evaluation {
 public:
  /// Throws ModelError for a model with loops: its coordinates are not independent.
  Evaluation(const Model& model, const JointState& state);

  const std::vector<Pose<double>>& poses() const { return X_WB_; }      ///< of each body
  std::vector<Twist<double>> twists(Representation) const;              ///< of each body
  std::vector<Twist<double>> jacobian(Representation, int body) const;  ///< one column for each rate
  std::vector<double> mass_matrix() const;                              ///< rate_count x rate_count
  std::vector<double> gravity_forces() const;                           ///< g(q)
  /// The effort for qdd, M qdd + c + g - f. Throws ModelError on elements that the joint formulation lacks.
  std::vector<double> inverse_dynamics() const;
  /// The qdd for effort, M^-1 (effort + f - c - g). Likewise.
  std::vector<double> forward_dynamics() const;
  Energies energies() const;
  Momentum momentum() const;

 private:
  std::vector<double> element_forces() const;  ///< f
  std::vector<double> tree_inverse_dynamics(const std::vector<double>& qd,
                                            const std::vector<double>& qdd) const;

  const Model& model_;
  JointState state_;
  Tree tree_;
  std::vector<Pose<double>> X_WN_, X_WB_;
  std::vector<Twist<double>> V_N_, V_B_;
};

}  // namespace torsor
