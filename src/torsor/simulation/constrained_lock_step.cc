#include "torsor/base/pack_lanes.h"
#include "torsor/formulation/rotationless/pack.h"
#include "torsor/integrator/pack_energy_momentum.h"
#include "torsor/simulation/constrained_stepper.h"
#include "torsor/simulation/lock_step.h"

namespace torsor {
namespace {

std::unique_ptr<PackSystem> packed_system(const std::vector<ConstrainedStepper*>& steppers) {
  std::vector<ConstrainedSystem*> systems;
  for (ConstrainedStepper* stepper : steppers) systems.push_back(&stepper->system());
  return make_rotationless_pack(systems);
}

std::vector<EnergyMomentum*> schemes(const std::vector<ConstrainedStepper*>& steppers) {
  std::vector<EnergyMomentum*> all;
  for (ConstrainedStepper* stepper : steppers) {
    all.push_back(dynamic_cast<EnergyMomentum*>(&stepper->integrator()));
    if (!all.back()) throw NotPackable{"an integrator other than energy-momentum"};
    if (!PackEnergyMomentum::have_same_options(*all[0], *all.back())) {
      throw NotPackable{"different options of the integrator"};
    }
  }
  return all;
}

class ConstrainedLockStep final : public LockStep {
 public:
  explicit ConstrainedLockStep(std::vector<ConstrainedStepper*> steppers)
      : steppers_(std::move(steppers)),
        system_(packed_system(steppers_)),
        pack_(*system_, schemes(steppers_)) {}

  void step(double h, const StepPack::Mask& asked) override {
    StepPack::Mask together = asked;
    for (int lane = 0; lane < static_cast<int>(steppers_.size()); ++lane) {
      if (failure(lane)) set_lane<StepPack::size>(together, lane, false);
      if (!together[lane] || !steppers_[lane]->has_kink_within(h)) continue;
      pack_.step_alone(lane, [&] { steppers_[lane]->step(h); });
      set_lane<StepPack::size>(together, lane, false);
    }
    pack_.step(h, together);
  }
  void share_balances(const StepPack::Mask& asked) override {
    const ConstrainedStateOf<StepPack>& state = pack_.state();
    system_->balance(state.time, state.x, state.v, state.angles, balance_);
    for (int lane = 0; lane < static_cast<int>(steppers_.size()); ++lane) {
      if (asked[lane] && !failure(lane)) steppers_[lane]->take_balance(balance_, lane);
    }
  }
  const std::optional<StepFailure>& failure(int lane) const override { return pack_.failure(lane); }

 private:
  std::vector<ConstrainedStepper*> steppers_;
  std::unique_ptr<PackSystem> system_;
  PackEnergyMomentum pack_;
  PackBalance balance_;
};

}  // namespace

std::unique_ptr<LockStep> make_constrained_lock_step(const std::vector<Stepper*>& steppers) {
  auto all = all_of_kind<ConstrainedStepper>(steppers);
  return all.empty() ? nullptr : std::make_unique<ConstrainedLockStep>(std::move(all));
}

}  // namespace torsor
