#pragma once
// What a model is, as `torsor check --json` says it.

#include <string>

#include "torsor/model/model.h"

namespace torsor {

/// One JSON object: bodies, joints, degrees of freedom, loops, what it conserves, which methods can simulate it. Throws
/// ModelError on an inconsistent start.
std::string check_json(const Model& model, int indent = -1);

}  // namespace torsor
