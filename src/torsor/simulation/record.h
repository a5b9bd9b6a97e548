#pragma once
// A run: the loop over steps, what it keeps, and who listens.

#include <exception>
#include <functional>
#include <memory>
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
  /// A step, or somebody who listens, threw what is no StepFailure, as functions of the user may. Whether the run is to end
  /// where it stands as if it were interrupted: then this one sees to it that what was thrown is heard of.
  virtual bool takes(const std::exception_ptr&) { return false; }
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

/// A run whose steps are made by its caller, one by one.
class SteppedRun {
 public:
  virtual ~SteppedRun() = default;
  virtual bool goes_on() const = 0;
  virtual double next_step() = 0;                     ///< its length, to be made with the stepper
  virtual void book() = 0;                            ///< after it was made
  virtual void fail(const StepFailure& failure) = 0;  ///< or where it could not be made: the run ends
  virtual Record close() = 0;                         ///< once, at the end
};
/// Whether all that is to be recorded of these channels follows from the motion. Throws ModelError on channels to record
/// that do not exist.
bool records_motion_alone(const ChannelList& channels, const RunSettings& settings);
/// The same for many runs, which mostly record alike: names are taken apart where they are others than the last time.
class RecordedMotion {
 public:
  bool is_all(const ChannelList& channels, const RunSettings& settings);

 private:
  ChannelList channels_;
  std::vector<std::string> record_, extremes_of_;
  bool is_all_ = false;
};
/// As simulate() has it; the stepper must outlive the run. `motion_alone` is records_motion_alone(), where that is known.
std::unique_ptr<SteppedRun> begin_run(Stepper& stepper, const RunSettings& settings,
                                      const std::vector<RunListener*>& listeners = {}, bool keep = true,
                                      std::optional<bool> motion_alone = {});

/// Goes on with a run from a checkpoint of it, with a stepper of the same model and method, anew; the settings are
/// those of the run, but the duration may be longer. Listeners see only what comes; the ledger is that of the whole
/// run, `resumed` of the checkpoint included. Throws ModelError on a checkpoint of another run, and where the end lies
/// before it.
Record resume(Stepper& stepper, const RunSettings& settings, const RunCheckpoint& from,
              const std::vector<RunListener*>& listeners = {}, bool keep = true);

}  // namespace torsor
