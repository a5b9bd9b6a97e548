#pragma once
// A run: the loop over steps, what it keeps, and who listens.

#include <functional>
#include <optional>
#include <vector>

#include "torsor/base/error.h"
#include "torsor/simulation/ledger.h"
#include "torsor/simulation/observation.h"
#include "torsor/simulation/stepper.h"

namespace torsor {

/// Listens to a run: a file writer, a progress bar. Called as the run goes.
class RunListener {
 public:
  virtual ~RunListener() = default;
  virtual void on_start(const Manifest&, const RunSettings&) {}
  virtual void on_record(const Observation&, double energy_residual) = 0;
  virtual void on_step(double /*time*/) {}
  virtual void on_end(const Ledger&) {}
};

struct Record {
  Manifest manifest;
  RunSettings settings;
  std::vector<Observation> observations;
  Ledger ledger;
  std::optional<StepFailure> failure;  ///< the run ended early; what was computed is here
};

/// Runs the stepper. Keeps the observations in memory only if `keep` (files are written by listeners). A step
/// failure ends the run, is stored in the record and does not throw.
Record simulate(Stepper& stepper, const RunSettings& settings,
                const std::vector<RunListener*>& listeners = {}, bool keep = true);

}  // namespace torsor
