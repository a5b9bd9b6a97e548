#pragma once
// Models of published experiments: from the gallery, or written by a template.

#include "experiments/experiment.h"

namespace torsor {

/// Throws ModelError where there is none, or where what was set does not fit.
Model load_experiment_model(const ExperimentModel& model);

}  // namespace torsor
