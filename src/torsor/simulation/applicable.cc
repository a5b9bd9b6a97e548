#include "torsor/simulation/applicable.h"

#include "torsor/base/error.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/simulation/formulations.h"

namespace torsor {

std::vector<Applicable> applicable_methods(const Model& model) {
  std::vector<Applicable> methods;
  for (const auto& [formulation, how] : formulations()) {
    for (const auto& [integrator, entry] : integrators()) {
      if (!how.fits(entry)) continue;
      Applicable method{formulation, integrator, ""};
      try {
        StepperChoice choice;
        choice.formulation = formulation;
        choice.integrator = integrator;
        make_stepper(model, choice);
      } catch (const ModelError& error) {
        method.reason = error.what();
      }
      methods.push_back(method);
    }
  }
  return methods;
}

}  // namespace torsor
