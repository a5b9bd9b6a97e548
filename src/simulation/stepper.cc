#include "simulation/stepper.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "integrator/catalogue.h"
#include "model/initial.h"
#include "simulation/constrained_stepper.h"
#include "simulation/rotationless_start.h"
#include "simulation/servo_check.h"
#include "simulation/tree_stepper.h"

namespace torsor {
namespace {

constexpr char kKey[] = "simulation.formulation";

[[noreturn]] void refuse_formulation(const std::string& name) {
  const std::vector<std::string> existing{"joint", "rotationless"};
  if (name == "cartesian") {
    throw ModelError(kKey, "a formulation of this version (" + listed(existing) + ")",
                     in_quotes(name) + ", which it does not have");
  }
  throw ModelError(kKey, "one of " + listed(existing), did_you_mean(name, existing));
}

/// The file's options hold only for the file's integrator, and its `simulation.tolerance` for those that
/// control their error: a solver's tolerance that made a conserving method forget what it conserves is named
/// in full.
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
  if (settings.tolerance && entry && entry->adaptive) options.try_emplace("tolerance", *settings.tolerance);
  return options;
}

std::unique_ptr<Stepper> make_tree_stepper(const Model& model, const std::string& integrator,
                                           const IntegratorOptions& options) {
  auto system = std::make_unique<JointSystem>(model);
  TreeState initial;
  initial.q = initial_coordinates(model);
  initial.v = initial_rates(model, initial.q);
  auto method = make_tree_integrator(integrator, options, *system, std::move(initial));
  return std::make_unique<TreeStepper>(model, std::move(system), std::move(method), integrator);
}

std::unique_ptr<Stepper> make_rotationless_stepper(const Model& model, const std::string& integrator,
                                                   const IntegratorOptions& options) {
  ConstrainedStart start = make_rotationless_start(model);
  check_servos(model, start);
  auto method = make_constrained_integrator(integrator, options, *start.system, std::move(start.initial));
  return std::make_unique<ConstrainedStepper>(model, std::move(start.system), std::move(method),
                                              "rotationless", integrator);
}

}  // namespace

std::unique_ptr<Stepper> make_stepper(const Model& model, const StepperChoice& choice) {
  const SimulationSettings& settings = model.simulation();
  const std::string formulation = choice.formulation.empty() ? settings.formulation : choice.formulation;
  const std::string integrator = choice.integrator.empty() ? settings.integrator : choice.integrator;
  const IntegratorOptions options = options_for(model, choice, integrator);
  if (formulation == "joint") return make_tree_stepper(model, integrator, options);
  if (formulation == "rotationless") return make_rotationless_stepper(model, integrator, options);
  refuse_formulation(formulation);
}

}  // namespace torsor
