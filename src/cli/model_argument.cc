#include "cli/model_argument.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "torsor/base/error.h"
#include "torsor/format/gallery.h"
#include "torsor/format/model_reader.h"
#include "torsor/format/yaml_tree.h"
#include "torsor/result/output_file.h"

namespace torsor {
namespace {

constexpr const char* kImportGroup = "Models of other formats";

/// Options of the command line, and the page of a report, have no place in the file.
bool is_about_model(const ModelError& error) {
  return error.file.empty() && !error.key.empty() && !error.key.starts_with("-") &&
         !error.key.starts_with("(");
}

[[noreturn]] void rethrow_located(const ModelError& error, const ModelSource& source) {
  const YamlNode root = source_tree(source);
  const YamlNode& place = deepest_match(root, error.key);
  throw ModelError(error.key, error.expected, error.found, *place.file, place.line);
}

/// A fault of a value that an option gave (`--step`) is told of that option.
void rethrow_of_option(const ModelError& error, const ModelArgument::Overrides& options) {
  constexpr std::string_view kSection = "simulation.";
  for (const auto& [path, value] : options) {
    if (error.file != "--set " + path || !error.key.starts_with(path) || !path.starts_with(kSection))
      continue;
    std::string option = "--" + path.substr(kSection.size());
    std::replace(option.begin(), option.end(), '_', '-');
    throw ModelError(option + error.key.substr(path.size()), error.expected, error.found);
  }
}

}  // namespace

void ModelArgument::add_to(CLI::App& verb) {
  verb.add_option("MODEL", model_, "a model file (YAML, URDF, MJCF), or a name from `torsor list models`")
      ->required();
  verb.add_option("--set", assignments_, "change a value of the model: bodies.link1.mass=2, gravity.1=-1")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  add_import_options(verb, import_);
}

void add_import_options(CLI::App& verb, ImportOptions& options) {
  std::string names;
  for (const ImportAllowance& one : import_allowances())
    names += (names.empty() ? "" : ", ") + std::string(one.name);
  verb.add_flag("--floating-base", options.floating_base, "URDF: the root link floats")->group(kImportGroup);
  verb.add_flag_callback(
          "--no-meshes", [&options] { options.meshes = false; }, "leave out meshes that are only drawn")
      ->group(kImportGroup);
  verb.add_flag("--limits", options.limits, "URDF: position limits act as stops")->group(kImportGroup);
  verb.add_option("--package-path", options.package_path,
                  "where package://NAME/.. lies; before ROS_PACKAGE_PATH and others")
      ->type_name("FOLDER")
      ->allow_extra_args(false)
      ->group(kImportGroup);
  verb.add_flag("--strict", options.strict, "what is approximated or left out is an error")
      ->group(kImportGroup);
  verb.add_option("--allow", options.allowed, "leave this out although the motion changes: " + names)
      ->type_name("WHAT")
      ->allow_extra_args(false)
      ->group(kImportGroup);
  verb.add_option("--keyframe", options.keyframe,
                  "MJCF: the keyframe to start from; the reference configuration without it")
      ->type_name("NAME")
      ->group(kImportGroup);
  verb.add_flag("--files-outside", options.files_outside, "MJCF: files may lie outside of the model's folder")
      ->group(kImportGroup);
}

Status ModelArgument::use(const Overrides& further, const std::function<Status(const Model&)>& action) const {
  return use(further, [&](const Model& model, const ImportReport&) { return action(model); });
}

ModelSource ModelArgument::source(const Overrides& further) const {
  ModelSource source = read_source(find_model(model_), import_);
  for (const std::string& assignment : assignments_) source.overrides.push_back(parse_override(assignment));
  source.overrides.insert(source.overrides.end(), further.begin(), further.end());
  return source;
}

Status ModelArgument::use(const Overrides& further,
                          const std::function<Status(const Model&, const ImportReport&)>& action) const {
  try {
    const ModelSource source = this->source(further);
    const Model model = parse_model(source);
    try {
      return action(model, source.report);
    } catch (const OutputFailure&) {
      throw;
    } catch (const ModelError& error) {
      if (!is_about_model(error)) throw;
      rethrow_located(error, source);
    }
  } catch (const OutputFailure&) {
    throw;
  } catch (const ModelError& error) {
    rethrow_of_option(error, further);
    throw;
  }
}

}  // namespace torsor
