#pragma once
// Steppers of one kind in lock-step, a lane each: what pack_runs.h hides.

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "torsor/base/error.h"
#include "torsor/base/pack_math.h"

namespace torsor {

class Stepper;

class LockStep {
 public:
  virtual ~LockStep() = default;
  /// Those that are asked for, but for those that have failed, by h.
  virtual void step(double h, const StepPack::Mask& asked) = 0;
  /// Finds for all lanes at once what their steppers would find when their balance is observed next, where that pays.
  virtual void share_balances(const StepPack::Mask& /*asked*/) {}
  virtual const std::optional<StepFailure>& failure(int lane) const = 0;
};

/// Null: steppers of another formulation. Throw NotPackable (base/pack_lanes.h), which names what keeps them from being
/// packed.
std::unique_ptr<LockStep> make_constrained_lock_step(const std::vector<Stepper*>& steppers);
std::unique_ptr<LockStep> make_tree_lock_step(const std::vector<Stepper*>& steppers);

/// All of one kind, or none.
template <class Kind>
std::vector<Kind*> all_of_kind(const std::vector<Stepper*>& steppers) {
  std::vector<Kind*> all;
  for (Stepper* stepper : steppers) {
    all.push_back(dynamic_cast<Kind*>(stepper));
    if (!all.back()) return {};
  }
  return all;
}

}  // namespace torsor
