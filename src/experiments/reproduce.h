#pragma once
// Runs experiments, several at a time, and judges them.

#include "experiments/verdict.h"

namespace torsor {

struct ExperimentResult {
  std::string name, source, item, claim;
  std::vector<std::string> models;  ///< names, each once
  std::vector<std::string> runs;    ///< a line each; a sweep over steps is one
  std::vector<Row> rows;
  std::vector<NamedPlot> plots;
  double seconds = 0;  ///< that its runs took, added up

  bool fell_short() const;
};

struct Reproduction {
  std::vector<ExperimentResult> experiments;  ///< in the order given
  std::string machine;
  double seconds = 0;
  int threads = 1;

  int count(Match verdict) const;
  bool fell_short() const;
};

struct ReproductionOptions {
  int threads = 2;
  /// Called from any thread, one at a time, after each experiment.
  std::function<void(const ExperimentResult&, int done, int all)> on_result = {};
  std::function<bool()> stopped = {};  ///< no further run starts once it says so
};

/// A fault of one experiment falls short and does not stop the others; one of the options' functions ends it all
/// and is thrown on. Times are measured at the end, one run
/// at a time.
Reproduction reproduce(const std::vector<Experiment>& experiments, const LoadModel& load,
                       const ReproductionOptions& options = {});

}  // namespace torsor
