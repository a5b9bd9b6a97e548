#pragma once
// The ledger as `run --json` prints it and result files keep it.

#include <optional>
#include <string>

#include "torsor/base/error.h"
#include "torsor/model/model.h"
#include "torsor/simulation/ledger.h"
#include "torsor/simulation/record.h"
#include "torsor/simulation/stepper.h"

namespace torsor {

/// How a run ended, beside its ledger.
struct RunEnd {
  std::string status = "done";  ///< or failed, interrupted, incomplete
  std::optional<StepFailure> failure;
};

/// One JSON object; numbers that are not finite are null. `last` is the final state.
std::string ledger_json(const Ledger& ledger, const Manifest& manifest, const Observation& last,
                        const RunEnd& end = {}, int indent = -1);

/// The ledger that ledger_json wrote: its table for people is the same again. Throws ModelError on another text.
Ledger parse_ledger(const std::string& json);

/// A list of objects with `time` and `date`.
std::string resumed_json(const std::vector<Resumption>& resumed);

/// The settings a run really used, the command line's included; with `chosen` where its steps were.
std::string settings_json(const Model& model, const Settings& settings,
                          const std::optional<StepChoice>& chosen = {});

/// Settings and choice of steps that settings_json wrote: bit for bit the same. Throws ModelError on another text.
struct ParsedSettings {
  Settings settings;
  std::optional<StepChoice> chosen;
};
ParsedSettings parse_settings(const std::string& json);

}  // namespace torsor
