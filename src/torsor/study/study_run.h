#pragma once
// One run of a study: its ledger, and its states on a grid of times that it shares with others.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "torsor/assembly/start.h"
#include "torsor/simulation/ledger.h"
#include "torsor/simulation/stepper.h"
#include "torsor/study/state_error.h"

namespace torsor {

/// `rotationless + petrov-galerkin(m = 2)`; empty names are the model's own.
std::string label_of(const Model& model, const StepperChoice& choice);

/// Equal parts of [0, duration]: states are compared at their ends.
struct StudyGrid {
  double duration = 0;
  int parts = 1;
  double spacing() const { return duration / parts; }
};
/// As fine as all the steps allow, with at most a hundred parts; steps that fit nowhere meet at the end only.
StudyGrid common_grid(double duration, const std::vector<double>& steps);

struct StudyRun {
  Ledger ledger;
  std::vector<double> times, residuals;  ///< of the energy balance
  std::vector<std::vector<BodyObservation>> states;
  std::string failure;  ///< of a step; empty if it got to the end

  bool ended() const { return failure.empty(); }
  double drift() const;   ///< of the balance's residual, the slope of a line through it [J/s]
  double extent() const;  ///< how far from the origin a body got [m]
};

/// A model with its start, which all runs of a study share.
struct StudySubject {
  explicit StudySubject(const Model& subject) : model(subject), start(make_start(subject)) {}

  const Model& model;
  Start start;
};

/// Throws ModelError where the model cannot be simulated that way.
StudyRun run_on_grid(const StudySubject& subject, const StepperChoice& choice, double step,
                     const StudyGrid& grid);

/// Told before each run of a study, with a line for people; by one thread at a time.
using StudyProgress = std::function<void(const std::string&)>;

/// The runs of a study on several threads: job(i) for i = 0 .. count - 1, in any order. What they tell `progress` comes there one
/// after another.
void run_jobs(long count, int threads, const StudyProgress& progress,
              const std::function<void(long, const StudyProgress&)>& job);

/// Over the times that both have; of runs without one in common it is not a number.
StateError largest_error(const StudyRun& run, const StudyRun& reference);

}  // namespace torsor
