#include <array>

#include "torsor/base/pack_lanes.h"
#include "torsor/formulation/joint/pack.h"
#include "torsor/integrator/pack_tree.h"
#include "torsor/integrator/rkmk.h"
#include "torsor/simulation/lock_step.h"
#include "torsor/simulation/tree_stepper.h"

namespace torsor {
namespace {

template <class P>
std::unique_ptr<PackTreeSystem<P>> packed_system(const std::vector<TreeStepper*>& steppers) {
  std::vector<JointSystem*> systems;
  for (TreeStepper* stepper : steppers) systems.push_back(&stepper->system());
  return make_joint_pack<P>(systems);
}

template <class P>
std::unique_ptr<PackTreeIntegrator<P>> packed_integrator(PackTreeSystem<P>& system,
                                                         const std::vector<TreeStepper*>& steppers) {
  std::vector<TreeIntegrator*> integrators;
  for (TreeStepper* stepper : steppers) integrators.push_back(&stepper->integrator());
  return make_pack_tree_integrator(system, integrators);
}

/// A lane that has a breakpoint in the step, whose stops change sides in it or whose state is lost makes the step alone:
/// in parts, or to fail as it would alone.
template <class P>
class TreeLockStep final : public LockStep {
 public:
  explicit TreeLockStep(std::vector<TreeStepper*> steppers)
      : steppers_(std::move(steppers)),
        system_(packed_system<P>(steppers_)),
        pack_(packed_integrator<P>(*system_, steppers_)) {}

  void step(double h, const LaneSet& asked) override {
    LaneSet together = asked, alone;
    const auto part = [&](int lane) {
      together.reset(lane);
      alone.set(lane);
    };
    for (int lane = 0; lane < size(); ++lane) {
      if (failures_[lane]) together.reset(lane);
      if (!together[lane]) continue;
      steppers_[lane]->has_breakpoint_near(h) ? part(lane) : steppers_[lane]->hold_sides();
    }
    const typename P::Mask found = pack_->step(h, mask_of<P>(together));
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
  void release() override { steppers_.clear(); }

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
  std::unique_ptr<PackTreeSystem<P>> system_;
  std::unique_ptr<PackTreeIntegrator<P>> pack_;
  std::array<std::optional<StepFailure>, P::size> failures_;
};

}  // namespace

std::unique_ptr<LockStep> make_tree_lock_step(const std::vector<Stepper*>& steppers, int width) {
  auto all = all_of_kind<TreeStepper>(steppers);
  if (all.empty()) return nullptr;
  // The sums over stages of implicit methods are contracted otherwise at another width.
  const bool is_explicit = dynamic_cast<Rkmk*>(&all[0]->integrator()) != nullptr;
  if (width == 4 && is_explicit) return std::make_unique<TreeLockStep<Pack<4>>>(std::move(all));
  return std::make_unique<TreeLockStep<Pack<8>>>(std::move(all));
}

}  // namespace torsor
