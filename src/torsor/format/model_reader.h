#pragma once
// From a model file to a Model. Every complaint is a ModelError with file, line, key path, expected and
// found.

#include <string>
#include <utility>
#include <vector>

#include "torsor/model/model.h"

namespace torsor {

struct ModelSource {
  std::string file;  ///< as it stands in messages; meshes are found relative to its folder
  std::string text;
  std::vector<std::pair<std::string, std::string>> overrides;  ///< key path, YAML value: `--set path=value`
};

/// Reads the text of a file, within the size limit.
ModelSource read_source(const std::string& path);
/// `path=value` as the command line gives it.
std::pair<std::string, std::string> parse_override(const std::string& assignment);

ModelDescription parse_description(const ModelSource&);
Model parse_model(const ModelSource&);
Model parse_model(const std::string& text, const std::string& file_name);
Model load_model(const std::string& path);

}  // namespace torsor
