#include "torsor/base/pack_lanes.h"
#include "torsor/formulation/joint/pack.h"
#include "torsor/integrator/pack_tree.h"
#include "torsor/simulation/lock_step.h"
#include "torsor/simulation/tree_stepper.h"

namespace torsor {
namespace {

std::unique_ptr<PackTreeSystem> packed_system(const std::vector<TreeStepper*>& steppers) {
  std::vector<JointSystem*> systems;
  for (TreeStepper* stepper : steppers) systems.push_back(&stepper->system());
  return make_joint_pack(systems);
}

std::unique_ptr<PackTreeIntegrator> packed_integrator(PackTreeSystem& system,
                                                      const std::vector<TreeStepper*>& steppers) {
  std::vector<TreeIntegrator*> integrators;
  for (TreeStepper* stepper : steppers) integrators.push_back(&stepper->integrator());
  return make_pack_tree_integrator(system, integrators);
}

/// A lane that has a breakpoint in the step, whose stops change sides in it or whose state is lost makes the step alone:
/// in parts, or to fail as it would alone.
class TreeLockStep final : public LockStep {
 public:
  explicit TreeLockStep(std::vector<TreeStepper*> steppers)
      : steppers_(std::move(steppers)),
        system_(packed_system(steppers_)),
        pack_(packed_integrator(*system_, steppers_)) {}

  void step(double h, const StepPack::Mask& asked) override {
    StepPack::Mask together = asked, alone = !all_lanes<StepPack>();
    const auto part = [&](int lane) {
      set_lane<StepPack::size>(together, lane, false);
      set_lane<StepPack::size>(alone, lane, true);
    };
    for (int lane = 0; lane < size(); ++lane) {
      if (failures_[lane]) set_lane<StepPack::size>(together, lane, false);
      if (!together[lane]) continue;
      steppers_[lane]->has_breakpoint_near(h) ? part(lane) : steppers_[lane]->hold_sides();
    }
    const StepPack::Mask found = pack_->step(h, together);
    for (int lane = 0; lane < size(); ++lane) {
      if (!together[lane]) continue;
      const bool crossed = steppers_[lane]->release_sides();
      if (found[lane] && crossed) pack_->undo(lane);
      if (!found[lane] || crossed) part(lane);
    }
    for (int lane = 0; lane < size(); ++lane) {
      if (alone[lane]) step_alone(lane, h);
    }
  }
  const std::optional<StepFailure>& failure(int lane) const override { return failures_[lane]; }

 private:
  int size() const { return static_cast<int>(steppers_.size()); }
  void step_alone(int lane, double h) {
    try {
      steppers_[lane]->step(h);
      pack_->take_over(lane);
    } catch (const StepFailure& failure) {
      failures_[lane] = failure;
    }
  }

  std::vector<TreeStepper*> steppers_;
  std::unique_ptr<PackTreeSystem> system_;
  std::unique_ptr<PackTreeIntegrator> pack_;
  std::array<std::optional<StepFailure>, StepPack::size> failures_;
};

}  // namespace

std::unique_ptr<LockStep> make_tree_lock_step(const std::vector<Stepper*>& steppers) {
  auto all = all_of_kind<TreeStepper>(steppers);
  return all.empty() ? nullptr : std::make_unique<TreeLockStep>(std::move(all));
}

}  // namespace torsor
