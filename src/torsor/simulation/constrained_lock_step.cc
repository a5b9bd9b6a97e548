#include "torsor/base/pack_lanes.h"
#include "torsor/formulation/rotationless/pack.h"
#include "torsor/integrator/pack_energy_momentum.h"
#include "torsor/simulation/constrained_stepper.h"
#include "torsor/simulation/lock_step.h"

namespace torsor {
namespace {

std::vector<ConstrainedSystem*> systems_of(const std::vector<ConstrainedStepper*>& steppers) {
  std::vector<ConstrainedSystem*> systems;
  for (ConstrainedStepper* stepper : steppers) systems.push_back(&stepper->system());
  return systems;
}

template <class P>
std::vector<EnergyMomentum*> schemes(const std::vector<ConstrainedStepper*>& steppers) {
  std::vector<EnergyMomentum*> all;
  for (ConstrainedStepper* stepper : steppers) {
    all.push_back(dynamic_cast<EnergyMomentum*>(&stepper->integrator()));
    if (!all.back()) throw NotPackable{"an integrator other than energy-momentum"};
    if (!PackEnergyMomentum<P>::have_same_options(*all[0], *all.back())) {
      throw NotPackable{"different options of the integrator"};
    }
  }
  return all;
}

template <class P>
class ConstrainedLockStep final : public LockStep, private LaneStates {
 public:
  explicit ConstrainedLockStep(std::vector<ConstrainedStepper*> steppers)
      : steppers_(std::move(steppers)),
        system_(make_rotationless_pack<P>(systems_of(steppers_))),
        pack_(*system_, schemes<P>(steppers_)) {
    lead();
  }
  ~ConstrainedLockStep() override { ConstrainedLockStep::release(); }

  void release() override {
    if (steppers_.empty()) return;
    pack_.show();
    for (ConstrainedStepper* stepper : steppers_) stepper->set_states(nullptr, 0);
    steppers_.clear();
  }
  bool take(const std::vector<Stepper*>& steppers) override {
    auto all = all_of_kind<ConstrainedStepper>(steppers);
    if (all.empty()) return false;
    std::vector<EnergyMomentum*> integrators = schemes<P>(all);
    if (!pack_.has_options_of(*integrators[0]) || !take_lanes<P>(*system_, systems_of(all))) return false;
    steppers_ = std::move(all);
    pack_.restart(std::move(integrators));
    lead();
    return true;
  }

  void step(double h, const LaneSet& asked) override {
    LaneSet together = asked;
    for (int lane = 0; lane < static_cast<int>(steppers_.size()); ++lane) {
      if (failure(lane)) together.reset(lane);
      if (!together[lane] || !steppers_[lane]->has_kink_within(h)) continue;
      pack_.step_alone(lane, [&] { steppers_[lane]->step(h); });
      together.reset(lane);
    }
    pack_.step(h, mask_of<P>(together), false);
  }
  void share_balances(const LaneSet& asked) override {
    const ConstrainedStateOf<P>& state = pack_.state();
    system_->balance(state.time, state.x, state.v, state.angles, balance_);
    for (int lane = 0; lane < static_cast<int>(steppers_.size()); ++lane) {
      if (asked[lane] && !failure(lane)) steppers_[lane]->take_balance(balance_, lane);
    }
  }
  const std::optional<StepFailure>& failure(int lane) const override { return pack_.failure(lane); }

 private:
  void lead() {
    for (std::size_t i = 0; i < steppers_.size(); ++i) steppers_[i]->set_states(this, static_cast<int>(i));
  }
  void show(int /*lane*/) override { pack_.show(); }

  std::vector<ConstrainedStepper*> steppers_;
  std::unique_ptr<PackSystem<P>> system_;
  PackEnergyMomentum<P> pack_;
  PackBalance<P> balance_;
};

}  // namespace

std::unique_ptr<LockStep> make_constrained_lock_step(const std::vector<Stepper*>& steppers, int width) {
  auto all = all_of_kind<ConstrainedStepper>(steppers);
  if (all.empty()) return nullptr;
  if (width == 4 && is_same_at_all_widths(all[0]->system()))
    return std::make_unique<ConstrainedLockStep<Pack<4>>>(std::move(all));
  return std::make_unique<ConstrainedLockStep<Pack<8>>>(std::move(all));
}

}  // namespace torsor
