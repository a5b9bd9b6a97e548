#pragma once
// From a model file to a Model. Every complaint is a ModelError with file, line, key path, expected and
// found. Files of other formats (URDF, MJCF) are told by their ending and root element, and read by the same functions.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "torsor/format/import_report.h"
#include "torsor/model/model.h"

namespace torsor {

struct YamlNode;

struct ModelSource {
  std::string file;  ///< as it stands in messages; meshes are found relative to its folder
  std::string text;
  std::vector<std::pair<std::string, std::string>> overrides;  ///< key path, YAML value: `--set path=value`
  /// Of a file in another format: what it became, with the places of that file; `text` says the same in our format.
  std::shared_ptr<const YamlNode> imported{};
  ImportReport report{};  ///< what was converted
};

/// Reads a file, within the size limit.
ModelSource read_source(const std::string& path, const ImportOptions& options = {});
/// The same of a text that stands in such a file.
ModelSource source_of_text(const std::string& text, const std::string& file_name,
                           const ImportOptions& options = {});
/// The tree of the model file with its overrides: where complaints about the model get their file and line.
YamlNode source_tree(const ModelSource&);
/// From the text that a result keeps (Model::text): its overrides stand in comments at its end.
ModelSource recorded_source(const std::string& text);
/// `path=value` as the command line gives it.
std::pair<std::string, std::string> parse_override(const std::string& assignment);

ModelDescription parse_description(const ModelSource&);
Model parse_model(const ModelSource&);
Model parse_model(const std::string& text, const std::string& file_name);
Model load_model(const std::string& path, const ImportOptions& options = {});

}  // namespace torsor
