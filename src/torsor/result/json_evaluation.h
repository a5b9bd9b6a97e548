#pragma once
// The quantities of `torsor eval`, by name, as JSON.

#include <string>
#include <utility>
#include <vector>

#include "torsor/evaluation/evaluate.h"

namespace torsor {

/// Name and what it is, for people.
std::vector<std::pair<std::string, std::string>> evaluation_quantities();

/// One JSON object with a member for each name. Without names: everything the model allows; what it does not
/// is listed with the reason under `unavailable`. Throws ModelError for an unknown name.
std::string evaluation_json(const Model& model, const JointState& state,
                            const std::vector<std::string>& names, int indent = -1);

}  // namespace torsor
