#include "cli/applicable.h"

#include "base/error.h"
#include "integrator/catalogue.h"
#include "simulation/stepper.h"

namespace torsor {

std::vector<Applicable> applicable_methods(const Model& model) {
  std::vector<Applicable> methods;
  for (const auto& [name, entry] : integrators()) {
    if (!entry.exists()) continue;
    Applicable method{"joint", name, ""};
    try {
      StepperChoice choice;
      choice.formulation = method.formulation;
      choice.integrator = method.integrator;
      make_stepper(model, choice);
    } catch (const ModelError& error) {
      method.reason = error.what();
    }
    methods.push_back(method);
  }
  return methods;
}

}  // namespace torsor
