#pragma once
// What an integrator knows of a pack: several mechanisms of one build, a lane for each.

#include <span>
#include <vector>

#include "torsor/formulation/constrained_system.h"
#include "torsor/formulation/tree_system.h"

namespace torsor {

/// StateBalance of every lane, and the speeds of bodies.
struct PackBalance {
  struct Speed {
    Vec3<StepPack> velocity{}, angular_velocity{};  ///< of the centre of mass; of the body
  };
  StepPack kinetic, gravity, elastic;
  Vec3<StepPack> linear_momentum{}, angular_momentum{};
  StepPack position_error, velocity_error;
  std::vector<Speed> speeds;  ///< by body
};

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
  /// Of a state, as MechanismObserver has it.
  virtual void balance(double time, std::span<const StepPack> x, std::span<const StepPack> v,
                       std::span<const StepPack> angles, PackBalance& balance) = 0;
};

/// Trees.
class PackTreeSystem : public TreeChartOf<StepPack>, public TreeAccelerationsOf<StepPack> {
 public:
  /// As that of StageDynamics, in every lane.
  virtual void collocate(const StageStepOf<StepPack>& step, std::span<const StepPack> V,
                         std::span<StepPack> Q, std::span<StepPack> dq) const = 0;
};

}  // namespace torsor
