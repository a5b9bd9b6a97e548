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

/// Where a run stands: with it, the run goes on bit for bit as if it had never stopped.
struct RunCheckpoint {
  double time = 0;  ///< [s]
  long steps = 0;
  double wall_seconds = 0;
  std::vector<Resumption> resumed;  ///< so far
  std::vector<double> numbers;      ///< state, history, ledger, watches
};

/// Listens to a run: a file writer, a progress bar. Called as the run goes.
class RunListener {
 public:
  virtual ~RunListener() = default;
  virtual void on_start(const Manifest&, const RunSettings&) {}
  virtual void on_record(const Observation&, double energy_residual) = 0;
  virtual void on_step(double /*time*/) {}
  virtual void on_end(const Ledger&) {}
  /// Whether it is to be handed checkpoints: at the start, whenever one is due, before the last step (from where a
  /// run can go on to a later end) and where the run is interrupted.
  virtual bool keeps_checkpoints() const { return false; }
  virtual bool checkpoint_is_due(long /*steps*/) { return false; }  ///< asked after each step
  virtual void on_checkpoint(const RunCheckpoint&) {}
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

/// Goes on with a run from a checkpoint of it, with a stepper of the same model and method, anew; the settings are
/// those of the run, but the duration may be longer. Listeners see only what comes; the ledger is that of the whole
/// run, `resumed` of the checkpoint included. Throws ModelError on a checkpoint of another run, and where the end lies
/// before it.
Record resume(Stepper& stepper, const RunSettings& settings, const RunCheckpoint& from,
              const std::vector<RunListener*>& listeners = {}, bool keep = true);

}  // namespace torsor
