#pragma once
// The accuracy of a motion as JSON: `accuracy` of `run --json`. For sources only.

#include "torsor/result/json_parts.h"
#include "torsor/simulation/accuracy.h"

namespace torsor {

Json accuracy_object(const Accuracy& accuracy, bool exact_energy);
/// What accuracy_object wrote.
Accuracy parse_accuracy(const Json& object);
Json choice_object(const StepChoice& choice);
StepChoice parse_choice(const Json& object);

}  // namespace torsor
