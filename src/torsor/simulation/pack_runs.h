#pragma once
// Several mechanisms of one build stepped at once on one core, a lane each: parameters, starts and programs differ.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "torsor/base/pack_math.h"
#include "torsor/simulation/record.h"
#include "torsor/simulation/stepper.h"

namespace torsor {

class LockStep;

/// Steppers of one formulation and integrator in lock-step. A lane's numbers do not depend, to the last bit, on which
/// lanes there are beside it, on their number or on what becomes of them; they differ by rounding from those of the
/// stepper alone, whose arithmetic has another order.
class StepperPack {
 public:
  static constexpr int kMost = StepPack::size;

  /// One to kMost steppers, which stand at one time and are stepped by the pack alone from now on. Throws NotPackable
  /// (base/pack_lanes.h), which names what keeps them from being packed.
  explicit StepperPack(std::vector<Stepper*> steppers);
  ~StepperPack();

  int size() const { return size_; }
  /// All lanes but those that have failed by h.
  void step(double h);
  /// Finds for all lanes at once what their steppers would find when their balance is observed next.
  void share_balances();
  /// Takes a lane out; its stepper stays where it is.
  void stop(int lane) { set_lane<kMost>(running_, lane, false); }
  const std::optional<StepFailure>& failure(int lane) const;

 private:
  int size_;
  std::unique_ptr<LockStep> lanes_;
  StepPack::Mask running_;
};

/// Why models with these steppers cannot be stepped as a pack; empty: they can.
std::string pack_fault(const std::vector<Stepper*>& steppers);

/// simulate() of each stepper, in packs where they can be, else one by one: what a run gives depends on its stepper
/// alone. `listeners` has a list for each, or is empty.
std::vector<Record> simulate_pack(const std::vector<Stepper*>& steppers, const RunSettings& settings,
                                  std::span<const std::vector<RunListener*>> listeners = {},
                                  bool keep = true);

}  // namespace torsor
