#pragma once
// The formulation `joint` with an integrator for trees.

#include <memory>

#include "torsor/formulation/joint/joint.h"
#include "torsor/integrator/integrator.h"
#include "torsor/simulation/control_observer.h"
#include "torsor/simulation/frame_observer.h"
#include "torsor/simulation/step_parts.h"
#include "torsor/simulation/stepper.h"
#include "torsor/simulation/tendon_observer.h"
#include "torsor/simulation/touch_steps.h"

namespace torsor {

class TreeStepper : public Stepper {
 public:
  /// The integrator runs on the system.
  TreeStepper(const Model& model, std::unique_ptr<JointSystem> system,
              std::unique_ptr<TreeIntegrator> integrator, const Method& method,
              std::shared_ptr<const HeldEfforts> held);

  double time() const override { return integrator_->state().time; }
  const Manifest& manifest() const override { return manifest_; }
  Observation make_observation() const override { return blank_; }
  void observe(Observation& observation) override;
  void observe_balance(Observation& observation) override;
  void observe_motion(Observation& observation) override;
  std::span<const BodySpeed> speeds() override;
  long evaluations() const override { return integrator_->evaluations(); }
  void expect_jump() override { integrator_->expect_jump(); }

  // For packs (pack_runs.h).
  JointSystem& system() { return *system_; }
  TreeIntegrator& integrator() { return *integrator_; }
  /// Whether a program has a breakpoint in a step from here, its ends included.
  bool has_breakpoint_near(double h) const;
  /// What acts in a step that the integrator makes with others, and whether a stop has changed its side in it.
  void hold_sides();
  bool release_sides();

 private:
  void advance(double h) override {
    step_over_kinks(kinks_, time(), h, [&](double part) {
      if (sides_.empty()) return integrator_->step(part);
      Mover mover{*this};
      step_onto_touches(mover, sides_, part);
    });
  }
  void pass_integrator(StateTape& tape) override {
    integrator_->pass(tape);
    if (!sides_.empty()) sides_.pass(tape);
  }
  void set_channels(ChannelList channels) override { manifest_.channels = std::move(channels); }
  /// Forces of stops stay on their sides in a step, so that they are smooth.
  struct Mover {
    TreeStepper& of;
    void step(double part);
    void save();
    void restore();
    void expect_jump() { of.integrator_->expect_jump(); }
  };
  /// By what a node of the plane is turned against its parent: sign * q[q].
  struct Turn {
    int q = 0;
    double sign = 0;
  };
  struct BodyPlace {
    int node;
    Vec3<double> com_N;
    Pose<double> X_NB;
  };
  struct JointPlace {
    int node, q, q_count, v, v_count;
    Pose<double> X_NK;
  };

  void place_bodies(const Model& model);
  void place_joints(const Model& model);
  void sum_angles(const Model& model);
  void observe_momentum(Observation& observation) const;
  void observe_bodies(Observation& observation);
  void observe_angles(Observation& observation);
  void observe_joints(Observation& observation) const;
  void observe_reactions(Observation& observation);
  void observe_accelerations(Observation& observation) const;

  std::unique_ptr<JointSystem> system_;
  std::unique_ptr<TreeIntegrator> integrator_;
  ControlObserver control_;
  TendonObserver along_tendons_;
  FrameObserver frames_;
  Manifest manifest_;
  bool conserves_momentum_ = false;  ///< of any direction: a balance needs it
  std::vector<double> kinks_;        ///< of programs, on which steps end; none if they shall not
  StopSides sides_{0};               ///< likewise of stops
  StateTape saved_;                  ///< of a step that may be made again
  Observation blank_;
  std::vector<BodyPlace> bodies_;
  std::vector<JointPlace> joints_;
  std::vector<Turn> turns_;               ///< of the nodes, in 2D
  std::vector<double> neutral_, angles_;  ///< in 2D: of the bodies where no joint turns; of the nodes now
  std::vector<Pose<double>> X_W_;
  std::vector<Twist<double>> V_;
  std::vector<BodySpeed> speeds_;
  std::vector<Program> efforts_;   ///< of the actuators
  std::vector<int> pulled_;        ///< tendons, by actuator
  std::vector<Wrench<double>> F_;  ///< across joints
};

}  // namespace torsor
