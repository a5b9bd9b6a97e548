#pragma once
// Many runs of one mechanism: values of the model vary, and a few numbers of each run are kept.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "torsor/model/model.h"
#include "torsor/simulation/pack_runs.h"
#include "torsor/simulation/settings.h"
#include "torsor/study/sweep_description.h"
#include "torsor/study/sweep_measures.h"
#include "torsor/study/sweep_samples.h"

namespace torsor {

/// The model with these values of the variables (of list variables the index of the item). May throw ModelError.
using MakeModel = std::function<Model(std::span<const double>)>;

/// What is kept of a run.
struct SweepRow {
  long run = 0;
  std::vector<double> numbers;  ///< measures, then kSweepLedger; empty where the run failed
  std::string failure;          ///< why; empty where it got to its end

  bool done() const { return failure.empty(); }
};

/// Figures of the ledger that every run has.
struct SweepFigure {
  const char *name, *unit;
};
inline constexpr SweepFigure kSweepLedger[] = {
    {"balance", "1"},      // largest residual of the energy balance over the energy scale
    {"constraints", "m"},  // largest violation of positions; 0 without constraints
    {"steps", "1"},
};

/// Ends a run between two steps.
struct SweepStop : RunListener {
  void on_record(const Observation&, double) override {}
  void on_step(double time) override;

  std::function<bool()> stopped = {};
  int steps = 0;                                  ///< since it was asked
  int between = 1;                                ///< when it is asked again: sooner where steps are slow
  std::chrono::steady_clock::time_point asked{};  ///< the last time
  bool has_stopped = false;
};

/// Makes runs, one after another. A runner belongs to one thread.
class SweepRunner {
 public:
  SweepRunner(const SweepDescription& description, MakeModel make);

  /// In packs where they can be (simulation/pack_runs.h): quickest by kTogether of them. A row does not depend on the others
  /// that are asked for with it. A failed step, a refused model, a column that is measured and that the model does not have,
  /// and a number that is not finite end up in the row's `failure`.
  std::vector<SweepRow> run(std::span<const long> runs);
  static constexpr long kTogether = StepperPack::kMost;
  /// Ends the runs that are being made once this holds, which is asked every few steps, or every step where they are slow.
  /// They have no rows then.
  void stop_when(std::function<bool()> stopped) {
    stop_ = {};
    stop_.stopped = std::move(stopped);
  }
  const SweepSamples& samples() const { return samples_; }
  /// The model of a run. Throws ModelError.
  Model model(long run);

 private:
  const Settings& settings_of(const Model& model);
  /// One that was used before where it can take the model; `settings_` are the model's.
  std::unique_ptr<Stepper> stepper_of(std::shared_ptr<const Model> model, const ChannelList& channels);

  SweepSamples samples_;
  MakeModel make_;
  std::vector<MeasureKeeper> keepers_;  ///< of runs that are made together; at least one
  PackBench bench_;
  SweepStop stop_;
  std::vector<std::unique_ptr<Stepper>> used_;  ///< steppers of the last runs
  std::vector<double> values_;
  std::optional<SimulationSettings> asked_;  ///< what the settings were resolved from
  Settings settings_;
};

}  // namespace torsor
