#include "cli/model_argument.h"

#include <CLI/CLI.hpp>

#include "torsor/base/error.h"
#include "torsor/format/gallery.h"
#include "torsor/format/model_reader.h"
#include "torsor/format/yaml_tree.h"

namespace torsor {
namespace {

/// Options of the command line have no place in the file.
bool is_about_model(const ModelError& error) {
  return error.file.empty() && !error.key.empty() && !error.key.starts_with("-");
}

[[noreturn]] void rethrow_located(const ModelError& error, const ModelSource& source) {
  YamlNode root = parse_yaml(source.text, source.file);
  for (const auto& [path, value] : source.overrides) apply_override(root, path, value);
  const YamlNode& place = deepest_match(root, error.key);
  throw ModelError(error.key, error.expected, error.found, *place.file, place.line);
}

}  // namespace

void ModelArgument::add_to(CLI::App& verb) {
  verb.add_option("MODEL", model_, "a model file, or a name from `torsor list models`")->required();
  verb.add_option("--set", assignments_, "change a value of the model: bodies.link1.mass=2, gravity.1=-1")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
}

Status ModelArgument::use(const Overrides& further, const std::function<Status(const Model&)>& action) const {
  ModelSource source = read_source(find_model(model_));
  for (const std::string& assignment : assignments_) source.overrides.push_back(parse_override(assignment));
  source.overrides.insert(source.overrides.end(), further.begin(), further.end());
  const Model model = parse_model(source);
  try {
    return action(model);
  } catch (const ModelError& error) {
    if (!is_about_model(error)) throw;
    rethrow_located(error, source);
  }
}

}  // namespace torsor
