#pragma once
// A mechanism in redundant coordinates: what a method steps, and what a stepper can see of it, whatever its
// coordinates are.

#include <algorithm>
#include <string>

#include "torsor/formulation/system.h"
#include "torsor/lie/pose.h"
#include "torsor/model/model.h"

namespace torsor {

struct BodyMotion {
  Vec3<double> com;                         ///< world [m]
  Mat3<double> R;                           ///< body axes to world axes
  Vec3<double> velocity, angular_velocity;  ///< of the centre of mass, world axes
  double mass = 0;
  Vec3<double> spin;  ///< angular momentum about the centre of mass
};

/// What the ledger books of a state.
struct StateBalance {
  EnergyParts energies;
  Vec3<double> linear_momentum, angular_momentum;  ///< the latter about the world origin
  double position_error = 0, velocity_error = 0;   ///< of constraints
};

/// Where the coordinates of a joint and their rates go.
struct JointMotion {
  std::span<double> position, rate;
};

template <class S>
struct TendonMotionOf {
  S length = 0.0, rate = 0.0, tension = 0.0;
};
using TendonMotion = TendonMotionOf<double>;

/// How servo outputs y = c(x) answer to servo efforts, y'' = C M^-1 B tau + ..., and both to themselves, in
/// the metric of the masses; n x n, row-major. Empty where the mechanism is singular without servos.
struct ServoMaps {
  std::vector<double> outputs_by_efforts;  ///< C M^-1 B
  std::vector<double> outputs;             ///< C M^-1 C^T
  std::vector<double> efforts;             ///< B^T M^-1 B
  std::vector<double> free_outputs;        ///< the diagonal of the second, were there no joints
  std::vector<double> free_efforts;        ///< likewise of the third
};

struct OutputMotion {
  enum class Kind { length, angle, turn };
  std::string key;  ///< servos.NAME.follows.x
  Kind kind;        ///< turn: of the body from its target orientation about one of its axes, target 0
  double value = 0, rate = 0, target = 0, target_rate = 0;  ///< [m] or [rad]
};

/// What is seen of a mechanism.
class MechanismObserver {
 public:
  virtual ~MechanismObserver() = default;

  virtual const std::vector<std::string>& sources() const = 0;  ///< of work, as the flows count them
  virtual const std::vector<std::string>& dampers() const = 0;
  /// The state in which all joints have the coordinates q and rates qd, consistent with the loops.
  virtual void start(const Model& model, std::span<const double> q, std::span<const double> qd,
                     std::span<double> x, std::span<double> v, std::span<double> angles) const = 0;
  /// The states of elements at a start, behind the flows.
  virtual void start_states(double t, std::span<const double> x, std::span<const double> angles,
                            std::span<double> z) = 0;
  /// With the states of elements that the system holds.
  virtual EnergyParts energies(double t, std::span<const double> x, std::span<const double> v,
                               std::span<const double> angles) = 0;
  virtual double position_error(std::span<const double> x, std::span<const double> angles) = 0;
  virtual double velocity_error(std::span<const double> x, std::span<const double> v) = 0;
  /// All of that at once, and the motions of bodies but for their orientations.
  virtual StateBalance balance(double t, std::span<const double> x, std::span<const double> v,
                               std::span<const double> angles, std::span<BodyMotion> motions) = 0;
  /// The rates nearest to v in the metric of the masses that satisfy the constraints, G v = 0; v itself where
  /// there are none, or in a singular position. A step that satisfies g = 0 leaves v beside them by O(h^2):
  /// what is shown of velocities is this, what a method steps from and books is v.
  virtual void project_rates(std::span<const double> x, std::span<const double> angles,
                             std::span<const double> v, std::span<double> projected) = 0;
  virtual void body_motions(std::span<const double> x, std::span<const double> v,
                            std::span<BodyMotion> motions) = 0;
  virtual void body_angles(std::span<const double> x, std::span<const double> angles,
                           std::span<double> by_body) = 0;  ///< 2D
  virtual void joint_motions(std::span<const double> x, std::span<const double> v,
                             std::span<const double> angles, std::span<const JointMotion> motions) = 0;
  virtual void tendons(double t, std::span<const double> x, std::span<const double> v,
                       std::span<const double> angles, std::span<TendonMotion> motions) = 0;
  /// By actuator; those of servos are among the unknowns that accelerate() found.
  virtual void efforts(double t, std::span<const double> unknowns, std::span<double> by_actuator) const = 0;
  /// Of couplings, likewise: `factor * effort` acts on each coordinate.
  virtual void coupling_efforts(std::span<const double> unknowns, std::span<double> by_coupling) const = 0;
  /// Wrenches across the joints on the child at the joint frame K, in its axes; efforts included. The
  /// multipliers are those that accelerate() found.
  virtual void reactions(double t, std::span<const double> x, std::span<const double> v,
                         std::span<const double> angles, std::span<const double> unknowns,
                         std::span<Wrench<double>> on_child) = 0;
};

/// What a check of servos sees.
class ServoObserver {
 public:
  virtual ~ServoObserver() = default;
  /// Loops held. Allocates.
  virtual ServoMaps servo_maps(double t, std::span<const double> x, std::span<const double> angles) = 0;
  /// One for each servo effort. Allocates.
  virtual std::vector<OutputMotion> outputs(double t, std::span<const double> x, std::span<const double> v,
                                            std::span<const double> angles) = 0;
};

/// A constrained system that is a mechanism, by use. The observers see the system, and go with it.
struct ConstrainedMechanism {
  std::unique_ptr<ConstrainedSystem> system;
  std::unique_ptr<MechanismObserver> observer;
  std::unique_ptr<ServoObserver> servos;  ///< none where the formulation has none
};

}  // namespace torsor
