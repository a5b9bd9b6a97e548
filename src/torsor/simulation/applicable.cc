#include "torsor/simulation/applicable.h"

#include "torsor/assembly/start.h"
#include "torsor/base/error.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/simulation/formulations.h"

namespace torsor {

std::vector<Applicable> applicable_methods(const Model& model) {
  return applicable_methods(model, make_start(model));
}

std::vector<Applicable> applicable_methods(const Model& model, const Start& start) {
  std::vector<Applicable> methods;
  for (const auto& [formulation, how] : formulations()) {
    for (const auto& [integrator, entry] : integrators()) {
      if (!how.fits(entry)) continue;
      Applicable method{formulation, integrator, ""};
      try {
        make_stepper(model, start, resolve_method(model, {formulation, integrator}));
      } catch (const ModelError& error) {
        method.reason = error.what();
      }
      methods.push_back(method);
    }
  }
  return methods;
}

}  // namespace torsor
