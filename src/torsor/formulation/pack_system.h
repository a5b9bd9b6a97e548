#pragma once
// What an integrator knows of a pack: several mechanisms of one build, a lane for each.

#include <span>

#include "torsor/formulation/constrained_system.h"
#include "torsor/formulation/tree_system.h"

namespace torsor {

/// With constraints.
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

/// Trees.
class PackTreeSystem : public TreeChartOf<StepPack>, public TreeAccelerationsOf<StepPack> {
 public:
  /// As that of StageDynamics, in every lane.
  virtual void collocate(const StageStepOf<StepPack>& step, std::span<const StepPack> V,
                         std::span<StepPack> Q, std::span<StepPack> dq) const = 0;
};

}  // namespace torsor
