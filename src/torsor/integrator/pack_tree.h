#pragma once
// Methods on trees, on several mechanisms of one build at once.

#include <memory>
#include <vector>

#include "torsor/formulation/pack_system.h"
#include "torsor/integrator/integrator.h"

namespace torsor {

/// Steps integrators in lock-step, a lane each; their states follow after every step. A lane's numbers do not depend
/// on its neighbours, nor on how many there are, to the last bit.
template <class P>
class PackTreeIntegrator {
 public:
  virtual ~PackTreeIntegrator() = default;

  /// Advances the lanes that are asked for by h > 0, on whose breakpoints the step neither begins nor ends; which of them
  /// it could. The others stay where they are.
  virtual typename P::Mask step(double h, const typename P::Mask& asked) = 0;
  /// The last step of one lane.
  virtual void undo(int lane) = 0;
  /// Goes on where the integrator of a lane stands, which has made the last step alone.
  virtual void take_over(int lane) = 0;
};

/// All stand at one time. They and the system must outlive it. Throws NotPackable (base/pack_lanes.h).
template <class P>
std::unique_ptr<PackTreeIntegrator<P>> make_pack_tree_integrator(PackTreeSystem<P>& system,
                                                                 const std::vector<TreeIntegrator*>& lanes);

}  // namespace torsor
