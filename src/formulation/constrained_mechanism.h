#pragma once
// A constrained system that is a mechanism: what a stepper can see of it, whatever its coordinates are.

#include <string>

#include "formulation/system.h"
#include "lie/pose.h"
#include "model/model.h"

namespace torsor {

struct BodyMotion {
  Vec3<double> com;                         ///< world [m]
  Mat3<double> R;                           ///< body axes to world axes
  Vec3<double> velocity, angular_velocity;  ///< of the centre of mass, world axes
  double mass = 0;
  Vec3<double> spin;  ///< angular momentum about the centre of mass
};

struct TendonMotion {
  double length = 0, rate = 0, tension = 0;
};

class ConstrainedMechanism : public ConstrainedSystem {
 public:
  virtual const std::vector<std::string>& sources() const = 0;  ///< of work, as the flows count them
  virtual const std::vector<std::string>& dampers() const = 0;

  /// The state in which all joints have the coordinates q and rates qd, consistent with the loops.
  virtual void start(const Model& model, std::span<const double> q, std::span<const double> qd,
                     std::span<double> x, std::span<double> v, std::span<double> angles) const = 0;
  virtual EnergyParts energies(std::span<const double> x, std::span<const double> v,
                               std::span<const double> angles) = 0;
  virtual double position_error(std::span<const double> x, std::span<const double> angles) = 0;
  virtual double velocity_error(std::span<const double> x, std::span<const double> v) = 0;
  virtual void body_motions(std::span<const double> x, std::span<const double> v,
                            std::span<BodyMotion> motions) = 0;
  virtual void body_angles(std::span<const double> angles, std::span<double> by_body) const = 0;  ///< 2D
  virtual void joint_motion(int joint, std::span<const double> x, std::span<const double> v,
                            std::span<const double> angles, std::span<double> position,
                            std::span<double> rate) = 0;
  virtual void tendons(std::span<const double> x, std::span<const double> v,
                       std::span<TendonMotion> motions) = 0;
  /// By actuator; those of servos are among the unknowns that accelerate() found.
  virtual void efforts(double t, std::span<const double> unknowns, std::span<double> by_actuator) const = 0;
  /// Wrenches across the joints on the child at the joint frame K, in its axes; efforts included. The
  /// multipliers are those that accelerate() found.
  virtual void reactions(double t, std::span<const double> x, std::span<const double> v,
                         std::span<const double> angles, std::span<const double> unknowns,
                         std::span<Wrench<double>> on_child) = 0;
  /// Derivatives of the second time derivatives of servo outputs by servo efforts, row-major. Allocates.
  virtual std::vector<double> output_map(std::span<const double> x, std::span<const double> angles) = 0;
};

}  // namespace torsor
