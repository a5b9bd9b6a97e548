#pragma once
// Controllers in an observation: their efforts, and what they send across joints.

#include "torsor/control/controller_efforts.h"
#include "torsor/simulation/observation.h"

namespace torsor {

/// Formulations write impedance controllers as forces on bodies, which do the same virtual work as efforts on
/// the joints; across a joint goes what these forces are beyond it.
class ControlObserver {
 public:
  explicit ControlObserver(const Model& model);
  /// Bodies, joints and their reactions without controllers of impedance are there already.
  void observe(Observation& observation);

 private:
  ControllerEfforts efforts_;
  std::vector<BodyState> bodies_;
  std::vector<double> q_, qd_;
};

}  // namespace torsor
