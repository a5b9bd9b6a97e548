#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/model_argument.h"
#include "cli/output_flags.h"
#include "cli/say.h"
#include "cli/verbs.h"
#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/convert.h"
#include "torsor/format/model_files.h"
#include "torsor/result/output_file.h"

namespace torsor {
namespace {

constexpr const char* kConvertFooter = R"(Examples:
  torsor convert robot.urdf robot.yaml
  torsor convert robot.urdf floating.yaml --floating-base --limits
  torsor convert seven_dof_arm arm.urdf
  torsor convert tendon_arm_3d arm.xml
The ending of OUT decides: .yaml is Torsor's own format, .urdf is for trees without what URDF lacks, .xml is MJCF.)";

}  // namespace

RunVerb add_convert(CLI::App& verb) {
  struct Options {
    ModelArgument model;
    std::string out;
    bool force = false;
  };
  const auto options = std::make_shared<Options>();
  options->model.add_to(verb);
  verb.add_option("OUT", options->out, "file to write, .yaml, .urdf or .xml (MJCF)")
      ->required()
      ->type_name("FILE");
  add_force(verb, options->force);
  verb.footer(kConvertFooter);
  return [options] {
    require_convertible_name(options->out, "OUT");
    require_writable(options->out, "OUT");
    const ModelSource source = options->model.source({});
    require_replaceable(options->out, "OUT", files_of(source), options->force);
    write_text_file(options->out, converted_text(source, options->out), "OUT");
    if (!source.report.empty()) say("{}", import_table(source.report));
    return kDone;
  };
}

}  // namespace torsor
