#pragma once
// Where the length of a tendon that goes round something jumps, for the advice of a step that fails there.

#include <string>

#include "torsor/model/model.h"
#include "torsor/simulation/observation.h"

namespace torsor {

/// Whether lengths can jump at all: a wrap knows `side`.
bool has_sided_wraps(const Model& model);

/// What to say of the first jump within twice the step ahead of a state, as far as its bodies go on straight and turn on;
/// empty where there is none.
std::string wrap_jump_ahead(const Model& model, const Observation& now, double h);

}  // namespace torsor
