#pragma once
// Which formulations and integrators there are, and which of them can simulate a model.

#include <string>
#include <vector>

#include "torsor/model/model.h"

namespace torsor {

struct Start;

struct Applicable {
  std::string formulation, integrator;
  std::string reason;  ///< why not; empty if it can
};

/// Every formulation with every integrator of this version.
std::vector<Applicable> applicable_methods(const Model& model);
std::vector<Applicable> applicable_methods(const Model& model, const Start& start);

}  // namespace torsor
