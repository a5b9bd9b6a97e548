#include "simulation/stepper.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "integrator/catalogue.h"
#include "model/initial.h"
#include "simulation/tree_stepper.h"

namespace torsor {
namespace {

constexpr char kKey[] = "simulation.formulation";

void refuse_formulation(const std::string& name) {
  const std::vector<std::string> existing{"joint"}, named{"joint", "rotationless", "cartesian"};
  for (const std::string& known : named) {
    if (name == known) {
      throw ModelError(kKey, "a formulation of this version (" + listed(existing) + ")",
                       in_quotes(name) + ", which it does not have");
    }
  }
  throw ModelError(kKey, "one of " + listed(existing), did_you_mean(name, existing));
}

/// The file's options hold only for the file's integrator.
IntegratorOptions options_for(const Model& model, const StepperChoice& choice,
                              const std::string& integrator) {
  const SimulationSettings& settings = model.simulation();
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
  const bool takes_tolerance = entry && std::any_of(entry->options.begin(), entry->options.end(),
                                                    [](const auto& o) { return o.name == "tolerance"; });
  if (settings.tolerance && takes_tolerance) options.try_emplace("tolerance", *settings.tolerance);
  return options;
}

}  // namespace

std::unique_ptr<Stepper> make_stepper(const Model& model, const StepperChoice& choice) {
  const SimulationSettings& settings = model.simulation();
  const std::string formulation = choice.formulation.empty() ? settings.formulation : choice.formulation;
  const std::string integrator = choice.integrator.empty() ? settings.integrator : choice.integrator;
  if (formulation != "joint") refuse_formulation(formulation);

  auto system = std::make_unique<JointSystem>(model);
  TreeState initial;
  initial.q = initial_coordinates(model);
  initial.v = initial_rates(model, initial.q);
  auto method =
      make_tree_integrator(integrator, options_for(model, choice, integrator), *system, std::move(initial));
  return std::make_unique<TreeStepper>(model, std::move(system), std::move(method), integrator);
}

}  // namespace torsor
