#pragma once
// Steps for an accuracy: pilot runs, what they differ by, and steps that make the error of the motion what was asked.

#include "torsor/simulation/record.h"
#include "torsor/study/motion_error.h"
#include "torsor/study/study_run.h"

namespace torsor {

struct AccuracyGoal {
  double error = 0;         ///< of the motion (motion_error.h), largest along the run
  double most_steps = 1e6;  ///< of the run; each is made three times or more
};

struct ChosenSteps {
  RunSettings run;    ///< with these steps
  StepChoice choice;  ///< for the ledger
};

/// A run with steps after a density (step_density.h) that depends on time alone, and one with each of them halved: from
/// what differs, (1) of verification.h, follows its error, and from that the number of steps for the error that was
/// asked. Repeated until it is between 0.4 of it and all of it. The steps are fixed before the run begins, and each is
/// solved as any other: what the method conserves, it conserves. Where rounding, grown by the motion, or the number of
/// steps forbids the accuracy, the choice says so, and up to when it is reached.
/// For energy-momentum and petrov-galerkin; throws ModelError (key `--accuracy`) for others. `settings` says duration,
/// records and a step to begin with; `watcher` as Verifier has it.
ChosenSteps choose_steps(const StudySubject& subject, const Method& method, const RunSettings& settings,
                         const AccuracyGoal& goal, const StudyProgress& progress = {},
                         RunListener* watcher = nullptr);

}  // namespace torsor
