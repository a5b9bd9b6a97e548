#pragma once
// What a run is made with: resolved once, from the model file, what was asked for and the defaults.

#include "torsor/integrator/options.h"
#include "torsor/model/model.h"

namespace torsor {

/// What is asked for; the rest is as the model file says, or the integrator's own.
struct StepperChoice {
  std::string formulation = {}, integrator = {};  ///< empty: as the model says
  IntegratorOptions options = {};                 ///< of the integrator; replace the file's
  double tolerance = 0;                           ///< 0: as the model says, or the integrator's own
  bool external = false;  ///< efforts and wrenches can be put in: Stepper::set_external
};

/// A formulation with an integrator and all its options.
struct Method {
  std::string formulation, integrator;
  IntegratorOptions options;
  bool external = false;  ///< as of StepperChoice
};

/// Equal steps up to a time.
struct StepSpan {
  double end = 0;  ///< after the start of the run [s]
  long steps = 1;
};

struct RunSettings {
  double step = 0;       ///< [s]
  double duration = 0;   ///< [s]
  int record_every = 1;  ///< steps between two records; the first and the last state are always recorded
  /// Steps that were chosen beforehand, up to the duration; `step` is then their mean. Empty: all are `step`.
  std::vector<StepSpan> spans = {};
  std::vector<std::string> record = {};  ///< which channels (channels.h); none: all
  std::vector<std::string> extremes_of =
      {};                ///< record the states between, too, at which one of these is extreme
  bool extrema = false;  ///< of the recorded numbers, in the ledger
};

struct Settings {
  Method method;
  RunSettings run;
};

/// With the names of the model file where none are asked for.
StepperChoice named(const Model& model, StepperChoice choice);

/// Throw ModelError on names and options that are unknown or out of range, and on a run without a step or a
/// duration.
Method resolve_method(const Model& model, const StepperChoice& choice = {});
Settings resolve_settings(const Model& model, const StepperChoice& choice = {});

}  // namespace torsor
