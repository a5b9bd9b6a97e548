#include "torsor/simulation/stepper.h"

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/simulation/formulations.h"

namespace torsor {

IntegratorOptions integrator_options(const Model& model, const StepperChoice& choice) {
  const SimulationSettings& settings = model.simulation();
  const std::string integrator = choice.integrator.empty() ? settings.integrator : choice.integrator;
  IntegratorOptions options;
  if (integrator == settings.integrator) {
    options = settings.integrator_options;
  }
  for (const auto& [name, value] : choice.options) options[name] = value;
  if (choice.tolerance != 0) {
    options["tolerance"] = choice.tolerance;
    return options;
  }
  const IntegratorEntry* entry = integrators().find(integrator);
  if (settings.tolerance && entry && entry->adaptive) options.try_emplace("tolerance", *settings.tolerance);
  return options;
}

std::unique_ptr<Stepper> make_stepper(const Model& model, const StepperChoice& choice) {
  const SimulationSettings& settings = model.simulation();
  const std::string formulation = choice.formulation.empty() ? settings.formulation : choice.formulation;
  const std::string integrator = choice.integrator.empty() ? settings.integrator : choice.integrator;
  if (settings.dynamics != Dynamics::recursive && formulation != "joint") {
    throw ModelError("simulation.dynamics", "'recursive', or the formulation 'joint'",
                     "'moving-frame' with the formulation " + in_quotes(formulation));
  }
  return formulation_named(formulation).make(model, integrator, integrator_options(model, choice));
}

}  // namespace torsor
