#pragma once
// Runs that differ in their step only.

#include "experiments/experiment.h"

namespace torsor {

inline std::vector<double> multiples(double step, int count) {
  std::vector<double> steps;
  for (int i = 1; i <= count; ++i) steps.push_back(i * step);
  return steps;
}

inline std::vector<ExperimentRun> sweep(ExperimentRun run, const std::vector<double>& steps) {
  std::vector<ExperimentRun> runs;
  for (const double step : steps) {
    run.step = step;
    runs.push_back(run);
  }
  return runs;
}

}  // namespace torsor
