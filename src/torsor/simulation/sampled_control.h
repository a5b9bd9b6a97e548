#pragma once
// Controllers that are evaluated now and then, and hold their efforts between.

#include <memory>
#include <string>
#include <vector>

#include "torsor/base/state_tape.h"
#include "torsor/control/controller_efforts.h"
#include "torsor/formulation/external_input.h"
#include "torsor/simulation/control_observer.h"
#include "torsor/simulation/observation.h"

namespace torsor {

/// All zero; null where the model has no sampled controllers.
std::shared_ptr<HeldEfforts> make_held_efforts(const Model& model);

/// Throws ModelError, with the nearest good values, unless the period is a whole number of steps.
void require_whole_steps(const SampledController& controller, double step);

/// Each sampled controller of a model has a clock: its k-th sample, from 0, is k periods after the first time
/// that it is shown. Then its law is evaluated at what is shown, and its efforts stay until the next sample.
class SampledControl {
 public:
  SampledControl(const Model& model, std::shared_ptr<HeldEfforts> held);

  bool is_due(double t) const;  ///< of any of them
  /// Those that are due at the time of what is shown, of which bodies and joints count; whether efforts have
  /// changed. Does not allocate.
  bool sample(const Observation& shown);
  /// Throws ModelError where a step would pass over a sample.
  void require_step(double t, double h) const;

  void pass(StateTape& tape);

 private:
  struct Clock {
    SampledController of;
    int controller = 0;
    bool position_only = false;
    double start = 0;
    long samples = 0;
    Measurement last;

    double next() const { return start + static_cast<double>(samples) * of.period; }
    bool is_due(double t) const;
  };

  std::shared_ptr<HeldEfforts> held_;
  ControllerEfforts efforts_;
  ControlView view_;
  std::vector<Clock> clocks_;
};

}  // namespace torsor
