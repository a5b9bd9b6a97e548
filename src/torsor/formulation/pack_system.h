#pragma once
// What an integrator with constraints knows of a pack: several mechanisms of one build, a lane for each.

#include <span>

#include "torsor/formulation/constrained_system.h"

namespace torsor {

class PackSystem : public StepEquationsOf<StepPack> {
 public:
  virtual int angle_count() const = 0;
  virtual int flow_count() const = 0;
  /// As those of ConstrainedStates, in every lane.
  virtual StepPack begin_step(double time, std::span<const StepPack> x, std::span<const StepPack> v,
                              std::span<const StepPack> angles) = 0;
  virtual void settle(std::span<StepPack> x, std::span<StepPack> x_lost,
                      std::span<StepPack> angles) const = 0;
};

}  // namespace torsor
