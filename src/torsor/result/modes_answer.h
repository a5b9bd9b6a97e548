#pragma once
// Small motions as `torsor modes` says them.

#include "torsor/evaluation/modes.h"
#include "torsor/result/answer.h"

namespace torsor {

struct ModesOptions {
  std::string at =
      "equilibrium";  ///< start, equilibrium, or t=SECONDS: simulated there with the model's method
  std::string out;    ///< FILE.json or FILE.mat that gets frequencies, shapes and matrices; empty: none
};

/// At one of the places of ModesOptions.
SmallMotions small_motions_at(const Model& model, const std::string& where);

/// Throws ModelError on a place that it does not know, where there is no rest position, on models with muscles, and where
/// the file cannot be written.
Answer answer_modes(const Model& model, const ModesOptions& options, bool json, int indent = -1);

/// A mode as a result file (.h5) that a page can show: three periods with a largest joint motion of 0.2 rad (or 0.2 of the
/// mechanism's size), drawn without decay. It is no run: it has no ledger. Modes count from 1.
void write_mode_result(const Model& model, const std::string& where, int mode, const std::string& path);

}  // namespace torsor
