#pragma once
// What an integrator knows of a pack: several mechanisms of one build, a lane of P for each.

#include <span>
#include <vector>

#include "torsor/formulation/constrained_system.h"
#include "torsor/formulation/tree_system.h"

namespace torsor {

/// StateBalance of every lane, and the speeds of bodies.
template <class P>
struct PackBalance {
  struct Speed {
    Vec3<P> velocity{}, angular_velocity{};  ///< of the centre of mass; of the body
  };
  P kinetic, gravity, elastic;
  Vec3<P> linear_momentum{}, angular_momentum{};
  P position_error, velocity_error;
  struct Tendon {
    P length, rate, tension;
  };
  std::vector<Speed> speeds;    ///< by body
  std::vector<Tendon> tendons;  ///< what TendonMotion has of each
};

/// With constraints.
template <class P>
class PackSystem : public StepEquationsOf<P> {
 public:
  virtual int angle_count() const = 0;
  virtual int flow_count() const = 0;
  virtual std::vector<FreeAxisOf<P>> free_axes() const = 0;
  /// As those of ConstrainedStates, in every lane.
  virtual P begin_step(double time, std::span<const P> x, std::span<const P> v,
                       std::span<const P> angles) = 0;
  virtual void settle(std::span<P> x, std::span<P> x_lost, std::span<P> angles) const = 0;
  /// Of a state, as MechanismObserver has it.
  virtual void balance(double time, std::span<const P> x, std::span<const P> v, std::span<const P> angles,
                       PackBalance<P>& balance) = 0;
};

/// Trees.
template <class P>
class PackTreeSystem : public TreeChartOf<P>, public TreeAccelerationsOf<P> {
 public:
  /// As that of StageDynamics, in every lane.
  virtual void collocate(const StageStepOf<P>& step, std::span<const P> V, std::span<P> Q,
                         std::span<P> dq) const = 0;
};

}  // namespace torsor
