#pragma once
// What a stepper sees of directors: poses, coordinates, energies, errors, reactions; and what a check of servos
// sees.

#include "torsor/formulation/constrained_mechanism.h"
#include "torsor/formulation/rotationless/work.h"

namespace torsor {

template <int D>
class RotationlessObserver final : public MechanismObserver {
 public:
  /// Keeps a reference, and uses the workspace between steps.
  explicit RotationlessObserver(RotationlessWork<D>& work);

  const std::vector<std::string>& sources() const override { return work_.book.sources; }
  const std::vector<std::string>& dampers() const override { return work_.book.dampers; }
  void start(const Model& model, std::span<const double> q, std::span<const double> qd, std::span<double> x,
             std::span<double> v, std::span<double> angles) const override {
    start_directors(model, work_.mechanism, q, qd, x, v, angles);
  }
  void start_states(double t, std::span<const double> x, std::span<const double> angles,
                    std::span<double> z) override;
  EnergyParts energies(double t, std::span<const double> x, std::span<const double> v,
                       std::span<const double> angles) override;
  double position_error(std::span<const double> x, std::span<const double> angles) override;
  double velocity_error(std::span<const double> x, std::span<const double> v) override;
  StateBalance balance(double t, std::span<const double> x, std::span<const double> v,
                       std::span<const double> angles, std::span<BodyMotion> motions) override;
  void project_rates(std::span<const double> x, std::span<const double> angles, std::span<const double> v,
                     std::span<double> projected) override;
  void body_motions(std::span<const double> x, std::span<const double> v,
                    std::span<BodyMotion> motions) override;
  void body_angles(std::span<const double> x, std::span<const double> angles,
                   std::span<double> by_body) override;
  void joint_motions(std::span<const double> x, std::span<const double> v, std::span<const double> angles,
                     std::span<const JointMotion> motions) override;
  void tendons(double t, std::span<const double> x, std::span<const double> v, std::span<const double> angles,
               std::span<TendonMotion> motions) override;
  void efforts(double t, std::span<const double> unknowns, std::span<double> by_actuator) const override;
  void coupling_efforts(std::span<const double> unknowns, std::span<double> by_coupling) const override;
  void reactions(double t, std::span<const double> x, std::span<const double> v,
                 std::span<const double> angles, std::span<const double> unknowns,
                 std::span<Wrench<double>> on_child) override;

 private:
  void load_state(std::span<const double> x, std::span<const double> v);
  EnergyParts energies_of_loaded(double t, std::span<const double> v, std::span<const double> angles) const;
  void set_motion(std::size_t body, BodyMotion& motion) const;
  Wrench<double> wrench_at_joint(int joint) const;

  RotationlessWork<D>& work_;
  std::vector<NodeForce<D>> across_;  ///< by joint, on its child
};

template <int D>
class RotationlessServoObserver final : public ServoObserver {
 public:
  explicit RotationlessServoObserver(RotationlessWork<D>& work) : work_(work) {}

  ServoMaps servo_maps(double t, std::span<const double> x, std::span<const double> angles) override;
  std::vector<OutputMotion> outputs(double t, std::span<const double> x, std::span<const double> v,
                                    std::span<const double> angles) override;

 private:
  std::vector<double> held_schur() const;
  std::vector<double> free_mobilities();

  RotationlessWork<D>& work_;
};

}  // namespace torsor
