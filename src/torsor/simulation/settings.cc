#include "torsor/simulation/settings.h"

#include <utility>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/simulation/formulations.h"

namespace torsor {

StepperChoice named(const Model& model, StepperChoice choice) {
  if (choice.formulation.empty()) choice.formulation = model.simulation().formulation;
  if (choice.integrator.empty()) choice.integrator = model.simulation().integrator;
  return choice;
}

/// The file's options hold only for the file's integrator, and its `simulation.tolerance` for those that
/// control their error: a solver's tolerance that made a conserving method forget what it conserves is named
/// in full.
Method resolve_method(const Model& model, const StepperChoice& choice) {
  const SimulationSettings& file = model.simulation();
  const auto [formulation, integrator, asked, tolerance, external] = named(model, choice);
  formulation_named(formulation);
  if (file.dynamics != Dynamics::recursive && formulation != "joint") {
    throw ModelError("simulation.dynamics", "'recursive', or the formulation 'joint'",
                     "'moving-frame' with the formulation " + in_quotes(formulation));
  }
  const IntegratorEntry& entry = integrator_named(integrator);
  IntegratorOptions options = asked;
  if (tolerance != 0) options["tolerance"] = tolerance;
  if (integrator == file.integrator) {
    options.insert(file.integrator_options.begin(), file.integrator_options.end());
  }
  if (file.tolerance && entry.adaptive) options.try_emplace("tolerance", *file.tolerance);
  return {formulation, integrator, complete_options(integrator, entry.options, options), external};
}

Settings resolve_settings(const Model& model, const StepperChoice& choice) {
  const SimulationSettings& file = model.simulation();
  if (!file.step) throw ModelError("simulation.step", "a step in seconds (or --step H)", "none");
  if (!file.duration) {
    throw ModelError("simulation.duration", "a duration in seconds (or --duration T)", "none");
  }
  RunSettings run{*file.step, *file.duration, file.record_every, {}, file.record, file.extremes_of};
  return {resolve_method(model, choice), std::move(run)};
}

}  // namespace torsor
