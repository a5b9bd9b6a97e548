#pragma once
// Every formulation by name: what its unknowns are, which integrators fit it, how a stepper is made of it.

#include <memory>

#include "torsor/base/catalogue.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/simulation/stepper.h"

namespace torsor {

struct FormulationEntry {
  std::string unknowns;  ///< and for which mechanisms
  SystemKind system = SystemKind::tree;
  using Make = std::unique_ptr<Stepper> (*)(const Model&, const Start&, const Method&, SystemInput);
  Make make = nullptr;  ///< null: named by the contract, not in this version

  bool exists() const { return make != nullptr; }
  bool fits(const IntegratorEntry& integrator) const {
    return exists() && (system == SystemKind::tree ? integrator.make_for_tree != nullptr
                                                   : integrator.make_for_constrained != nullptr);
  }
};

const Catalogue<FormulationEntry>& formulations();

/// Throws ModelError (key `simulation.formulation`) on a name that is unknown or not in this version.
const FormulationEntry& formulation_named(const std::string& name);

}  // namespace torsor
