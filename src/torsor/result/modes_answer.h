#pragma once
// Small motions as `torsor modes` says them.

#include "torsor/result/answer.h"

namespace torsor {

struct ModesOptions {
  std::string at =
      "equilibrium";  ///< start, equilibrium, or t=SECONDS: simulated there with the model's method
  std::string out;    ///< FILE.json or FILE.mat that gets frequencies, shapes and matrices; empty: none
};

/// Throws ModelError on a place that it does not know, where there is no rest position, on models with muscles, and where
/// the file cannot be written.
Answer answer_modes(const Model& model, const ModesOptions& options, bool json, int indent = -1);

}  // namespace torsor
