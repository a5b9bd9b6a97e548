#pragma once
// The energy-momentum scheme on several mechanisms of one build at once.

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "torsor/base/error.h"
#include "torsor/formulation/pack_system.h"
#include "torsor/integrator/energy_momentum.h"

namespace torsor {

/// Steps integrators in lock-step, a lane each; their states follow after every step. A lane's numbers do not depend
/// on its neighbours, nor on how many there are, to the last bit. Where Newton's method does not converge in a lane, its
/// integrator goes on alone, in parts of the step, and comes back with a new history; where that fails, too, the lane
/// stays where it is.
class PackEnergyMomentum {
 public:
  static constexpr int kMost = StepPack::size;

  static bool have_same_options(const EnergyMomentum& a, const EnergyMomentum& b) {
    return a.scheme_.settings() == b.scheme_.settings() &&
           a.scheme_.elastic_points() == b.scheme_.elastic_points();
  }
  /// All stand at one time and have options in common. They and the system must outlive it.
  PackEnergyMomentum(PackSystem& system, std::vector<EnergyMomentum*> lanes);

  /// Advances the lanes that are asked for by h > 0; what went wrong in a lane is in failure().
  void step(double h, const StepPack::Mask& asked);
  const std::optional<StepFailure>& failure(int lane) const { return failures_[lane]; }
  const ConstrainedStateOf<StepPack>& state() const { return state_; }
  /// Makes a step with the lane's integrator alone, by `take()`; others step by `step`, all by the same h.
  template <class Take>
  void step_alone(int lane, Take&& take) {
    leave(lane);
    try {
      take();
    } catch (const StepFailure& failure) {
      failures_[lane] = failure;
    }
    come_back(lane);
  }

 private:
  void leave(int lane);      ///< makes its integrator stand where the lane does
  void come_back(int lane);  ///< the other way round; the time is that of the pack
  void show(int lane);       ///< what observers see
  void settle(const StepPack::Mask& lanes);
  template <class Use>
  void for_each_number(int lane, Use&& use);

  PackSystem& system_;
  std::vector<EnergyMomentum*> lanes_;
  EnergyMomentumScheme<StepPack> scheme_;
  ConstrainedStateOf<StepPack> state_;
  std::vector<StepPack> x_, x_lost_, angles_;  ///< of settle()
  Clock clock_;
  std::array<std::optional<StepFailure>, kMost> failures_;
};

}  // namespace torsor
