#pragma once
// A formulation with constraints and an integrator for it.

#include <memory>
#include <optional>

#include "torsor/formulation/constrained_mechanism.h"
#include "torsor/integrator/constrained_integrator.h"
#include "torsor/simulation/control_observer.h"
#include "torsor/simulation/frame_observer.h"
#include "torsor/simulation/step_parts.h"
#include "torsor/simulation/stepper.h"
#include "torsor/simulation/tendon_observer.h"

namespace torsor {

template <class P>
struct PackBalance;

/// Who steps integrators, and lets them stand where they were until somebody looks.
class LaneStates {
 public:
  virtual ~LaneStates() = default;
  virtual void show(int lane) = 0;  ///< makes the integrator of a lane stand where this does
};

class ConstrainedStepper : public Stepper {
 public:
  /// The integrator runs on the system, or on the reduction of it that is handed over to be kept.
  ConstrainedStepper(const Model& model, ConstrainedMechanism mechanism,
                     std::unique_ptr<ConstrainedSystem> reduction,
                     std::unique_ptr<ConstrainedIntegrator> integrator, const Method& method,
                     const Start& start, std::shared_ptr<const HeldEfforts> held);

  double time() const override { return integrator_->state().time; }
  const Manifest& manifest() const override { return manifest_; }
  Observation make_observation() const override { return blank_; }
  void observe(Observation& observation) override;
  void observe_balance(Observation& observation) override;
  void observe_motion(Observation& observation) override;
  std::span<const BodySpeed> speeds() override { return speeds_; }
  long evaluations() const override { return integrator_->evaluations(); }
  void expect_jump() override { integrator_->expect_jump(); }
  std::vector<double> singular_times() const override { return integrator_->singular_times(); }
  double energy_returned() const override { return integrator_->state().returned; }

  // For packs (pack_runs.h).
  ConstrainedSystem& system() { return reduction_ ? *reduction_ : *mechanism_.system; }  ///< that is stepped
  ConstrainedIntegrator& integrator() { return *integrator_; }
  /// From now on time and flows alone follow every step, all else when it is asked for; null: all does.
  void set_states(LaneStates* states, int lane) {
    states_ = states;
    lane_ = lane;
  }
  /// What a pack found of the state, in the place of what observe_balance() would find when it is asked next.
  template <class P>
  void take_balance(const PackBalance<P>& all, int lane);
  /// Whether a step from here ends on a kink of a program on its way.
  bool has_kink_within(double h) const {
    int parts = 0;
    step_over_kinks(kinks_, time(), h, [&](double) { ++parts; });
    return parts > 1;
  }

 private:
  const ConstrainedState& shown_state() const {
    if (states_) states_->show(lane_);
    return integrator_->state();
  }
  void advance(double h) override {
    taken_.reset();
    step_over_kinks(kinks_, time(), h, [&](double part) { integrator_->step(part); });
  }
  void pass_integrator(StateTape& tape) override {
    shown_state();
    integrator_->pass(tape);
  }
  bool take_model(const Model& model, const Model& before, const Start& start) override;
  void set_numbers(const Model& model, const Start& start);
  void set_channels(ChannelList channels) override { manifest_.channels = std::move(channels); }
  void observe_tendons(std::span<const double> v, Observation& observation);
  void show_tendons(Observation& observation) const;  ///< that were observed, with what pulls beside
  void observe_bodies_and_joints(Observation& observation);
  void observe_bodies(Observation& observation);
  /// Those that are angles and lengths.
  void observe_coordinates(std::span<const double> v, Observation& observation);
  void observe_joints(Observation& observation);
  void observe_accelerations(Observation& observation);
  void observe_reactions(Observation& observation);
  /// Spherical and free joints, from the poses and velocities of the two bodies.
  void observe_open_joint(const Joint& joint, JointObservation& observation) const;

  std::vector<Joint> joints_;
  std::vector<Vec3<double>> coms_;  ///< in body frames
  int dimension_;
  ConstrainedMechanism mechanism_;
  MechanismObserver& observer_;
  std::unique_ptr<ConstrainedSystem> reduction_;
  std::unique_ptr<ConstrainedIntegrator> integrator_;
  ControlObserver control_;
  TendonObserver along_tendons_;
  FrameObserver frames_;
  Manifest manifest_;
  std::vector<double> kinks_;  ///< of programs, on which steps end; none if they shall not
  Observation blank_;
  std::vector<BodyMotion> motions_;
  std::vector<BodySpeed> speeds_;
  std::optional<StateBalance> taken_;  ///< by take_balance()
  std::vector<BodyMotion> second_;     ///< with accelerations in the place of velocities
  std::vector<JointMotion> joint_motions_;
  std::vector<TendonMotion> tendons_;
  std::vector<int> pulled_;      ///< tendons, by actuator
  std::vector<double> shown_v_;  ///< that satisfies the constraints
  std::vector<double> body_angles_, unknowns_, accelerations_;
  std::vector<Wrench<double>> reactions_;
  LaneStates* states_ = nullptr;
  int lane_ = 0;
};

}  // namespace torsor
