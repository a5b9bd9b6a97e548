#pragma once
// Controllers in an observation: their efforts, and what they send across joints.

#include <optional>

#include "torsor/control/controller_efforts.h"
#include "torsor/formulation/external_input.h"
#include "torsor/simulation/observation.h"

namespace torsor {

/// What controllers see of an observation, in memory of its own.
struct ControlView {
  explicit ControlView(const Model& model)
      : bodies(model.bodies().size()), q(model.coordinate_count()), qd(model.rate_count()) {}
  void load(const Observation& observation);

  std::vector<BodyState> bodies;
  std::vector<double> q, qd;
};

/// Formulations write impedance controllers as forces on bodies, which do the same virtual work as efforts on
/// the joints; across a joint goes what these forces are beyond it.
class ControlObserver {
 public:
  /// Those of sampled controllers are held; `held` may be null where there are none.
  ControlObserver(const Model& model, std::shared_ptr<const HeldEfforts> held);
  /// Bodies, joints and their reactions without controllers of impedance are there already.
  void observe(Observation& observation);

 private:
  std::optional<ControllerEfforts> efforts_;  ///< none without controllers
  std::shared_ptr<const HeldEfforts> held_;
  ControlView view_;
};

}  // namespace torsor
