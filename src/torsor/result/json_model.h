#pragma once
// A model file as JSON: what other languages read, change and hand back (JSON is YAML, too).

#include <string>

#include "torsor/format/model_reader.h"

namespace torsor {

/// The file's own words, overrides included, before any unit is converted: numbers and true, false where a
/// scalar reads so, texts otherwise. parse_model of it gives the same model. Throws ModelError on a text that
/// is no YAML.
std::string model_json(const ModelSource& source, int indent = -1);

}  // namespace torsor
