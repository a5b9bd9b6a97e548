#pragma once
// The files that a model was read from, which nobody writes over.

#include <string>
#include <vector>

#include "torsor/format/model_reader.h"

namespace torsor {

/// The model's own file, those that it includes, and meshes.
std::vector<std::string> files_of(const Model& model, const ImportReport& report = {});
/// Of one that has not been built.
std::vector<std::string> files_of(const ModelSource& source);

}  // namespace torsor
