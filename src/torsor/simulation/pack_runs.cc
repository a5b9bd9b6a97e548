#include "torsor/simulation/pack_runs.h"

#include <algorithm>

#include "torsor/base/pack_lanes.h"
#include "torsor/formulation/rotationless/pack.h"
#include "torsor/integrator/pack_energy_momentum.h"
#include "torsor/simulation/constrained_stepper.h"

namespace torsor {
namespace {

std::vector<ConstrainedStepper*> constrained(const std::vector<Stepper*>& steppers) {
  std::vector<ConstrainedStepper*> all;
  for (Stepper* stepper : steppers) {
    all.push_back(dynamic_cast<ConstrainedStepper*>(stepper));
    if (!all.back()) throw NotPackable{"a formulation other than rotationless"};
    if (!all.back()->manifest().sampled.empty() || !all.back()->manifest().exciting.empty()) {
      throw NotPackable{"sampled controllers"};
    }
    if (all.back()->time() != all[0]->time()) throw NotPackable{"different times"};
  }
  return all;
}

std::unique_ptr<PackSystem> packed_system(std::span<ConstrainedStepper* const> steppers) {
  std::vector<ConstrainedSystem*> systems;
  for (ConstrainedStepper* stepper : steppers) systems.push_back(&stepper->system());
  return make_rotationless_pack(systems);
}

std::vector<EnergyMomentum*> schemes(std::span<ConstrainedStepper* const> steppers) {
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

}  // namespace

StepperPack::StepperPack(std::vector<Stepper*> steppers)
    : steppers_(constrained(steppers)),
      system_(packed_system(steppers_)),
      pack_(std::make_unique<PackEnergyMomentum>(*system_, schemes(steppers_))),
      running_(!all_lanes<StepPack>()),
      balance_(std::make_unique<PackBalance>()) {
  for (int lane = 0; lane < size(); ++lane) set_lane<kMost>(running_, lane, true);
}

StepperPack::~StepperPack() = default;

const std::optional<StepFailure>& StepperPack::failure(int lane) const { return pack_->failure(lane); }

void StepperPack::step(double h) {
  StepPack::Mask together = running_;
  for (int lane = 0; lane < size(); ++lane) {
    if (!running_[lane] || !steppers_[lane]->has_kink_within(h)) continue;
    pack_->step_alone(lane, [&] { steppers_[lane]->step(h); });
    set_lane<kMost>(together, lane, false);
  }
  pack_->step(h, together);
  for (int lane = 0; lane < size(); ++lane) {
    if (pack_->failure(lane)) set_lane<kMost>(running_, lane, false);
  }
}

void StepperPack::share_balances() {
  const ConstrainedStateOf<StepPack>& state = pack_->state();
  system_->balance(state.time, state.x, state.v, state.angles, *balance_);
  for (int lane = 0; lane < size(); ++lane) {
    if (running_[lane]) steppers_[lane]->take_balance(*balance_, lane);
  }
}

std::string pack_fault(const std::vector<Stepper*>& steppers) {
  try {
    const auto all = constrained(steppers);
    schemes(all);
    packed_system(all);
  } catch (const NotPackable& fault) {
    return fault.reason;
  }
  return "";
}

namespace {

/// None where they cannot be packed.
std::unique_ptr<StepperPack> pack_of(const std::vector<Stepper*>& steppers) {
  try {
    return std::make_unique<StepperPack>(steppers);
  } catch (const NotPackable&) {
    return nullptr;
  }
}

/// Runs in lock-step to their ends.
void run_together(StepperPack& pack, std::span<const std::unique_ptr<SteppedRun>> runs) {
  for (;;) {
    double h = 0;
    for (const auto& run : runs) {
      if (run->goes_on()) h = run->next_step();
    }
    if (h == 0) return;
    pack.step(h);
    pack.share_balances();
    for (int lane = 0; lane < pack.size(); ++lane) {
      SteppedRun& run = *runs[lane];
      if (!run.goes_on()) continue;
      const auto& failure = pack.failure(lane);
      failure ? run.fail(*failure) : run.book();
      if (!run.goes_on()) pack.stop(lane);
    }
  }
}

}  // namespace

std::vector<Record> simulate_pack(const std::vector<Stepper*>& steppers, const RunSettings& settings,
                                  std::span<const std::vector<RunListener*>> listeners, bool keep) {
  const auto listening = [&](std::size_t i) {
    return listeners.empty() ? std::vector<RunListener*>{} : listeners[i];
  };
  std::vector<Record> records;
  for (std::size_t first = 0, count; first < steppers.size(); first += count) {
    count = std::min<std::size_t>(StepperPack::kMost, steppers.size() - first);
    const auto lanes = [&] {
      return std::vector<Stepper*>(steppers.begin() + static_cast<long>(first),
                                   steppers.begin() + static_cast<long>(first + count));
    };
    std::unique_ptr<StepperPack> pack = pack_of(lanes());
    // What can be packed by itself is: else its numbers would depend on the company in which it was asked for.
    if (!pack && count > 1) {
      count = 1;
      pack = pack_of(lanes());
    }
    if (!pack) {
      records.push_back(simulate(*steppers[first], settings, listening(first), keep));
      continue;
    }
    std::vector<std::unique_ptr<SteppedRun>> runs;
    for (std::size_t i = first; i < first + count; ++i) {
      runs.push_back(begin_run(*steppers[i], settings, listening(i), keep));
    }
    run_together(*pack, runs);
    for (const auto& run : runs) records.push_back(run->close());
  }
  return records;
}

}  // namespace torsor
