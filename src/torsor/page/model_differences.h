#pragma once
// What tells the models and settings of several results apart.

#include <optional>
#include <string>
#include <vector>

namespace torsor {

struct ModelDifference {
  std::string key;                                 ///< `bodies.link1.mass`; of a run's settings `run.step`
  std::vector<std::optional<std::string>> values;  ///< one for each result; none where it has no such key
};

/// `models`: texts as results keep them; `settings`: JSON. Keys in the order of the first that has them. A section that
/// one of the models lacks is one difference, not one for each key below it. A text that is no model (made in code)
/// has no keys.
std::vector<ModelDifference> model_differences(const std::vector<std::string>& models,
                                               const std::vector<std::string>& settings);

}  // namespace torsor
