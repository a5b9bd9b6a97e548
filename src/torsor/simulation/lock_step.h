#pragma once
// Steppers of one kind in lock-step, a lane each: what pack_runs.h hides.

#include <bitset>
#include <memory>
#include <optional>
#include <vector>

#include "torsor/base/error.h"
#include "torsor/base/pack_math.h"

namespace torsor {

class Stepper;

/// Some of the lanes of a pack, of whatever width.
using LaneSet = std::bitset<8>;
template <class P>
typename P::Mask mask_of(const LaneSet& lanes) {
  typename P::Mask mask = !all_lanes<P>();
  for (int i = 0; i < P::size; ++i) set_lane<P::size>(mask, i, lanes[i]);
  return mask;
}

class LockStep {
 public:
  virtual ~LockStep() = default;
  /// Those that are asked for, but for those that have failed, by h.
  virtual void step(double h, const LaneSet& asked) = 0;
  /// Finds for all lanes at once what their steppers would find when their balance is observed next, where that pays.
  virtual void share_balances(const LaneSet& /*asked*/) {}
  virtual const std::optional<StepFailure>& failure(int lane) const = 0;
  /// Leaves the steppers where their lanes stand.
  virtual void release() {}
  /// Goes on with others, as if it were made of them. False where they are not built like those before, or where nothing is
  /// won; then, and where NotPackable is thrown, it is of no more use.
  virtual bool take(const std::vector<Stepper*>& /*steppers*/) { return false; }
};

/// In packs of `width` lanes, 4 or 8, where that changes no number, else of 8. Null: steppers of another formulation. Throw
/// NotPackable (base/pack_lanes.h), which names what keeps them from being packed.
std::unique_ptr<LockStep> make_constrained_lock_step(const std::vector<Stepper*>& steppers, int width);
std::unique_ptr<LockStep> make_tree_lock_step(const std::vector<Stepper*>& steppers, int width);

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
