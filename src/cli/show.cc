#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/model_argument.h"
#include "cli/output_flags.h"
#include "cli/say.h"
#include "cli/verbs.h"
#include "torsor/format/model_files.h"
#include "torsor/page/show.h"
#include "torsor/result/json_parts.h"
#include "torsor/result/output_file.h"

namespace torsor {
namespace {

constexpr const char* kShowFooter = R"(Examples:
  torsor show four_bar
  torsor show my_robot.urdf -o robot.html
Sliders of a tree move all joints. Where there are loops each moves the closed mechanism from its start.)";

struct ShowOptions {
  ModelArgument model;
  std::string out = "show.html";
  bool json = false, force = false;
};

}  // namespace

RunVerb add_show(CLI::App& verb) {
  const auto options = std::make_shared<ShowOptions>();
  options->model.add_to(verb);
  verb.add_option("-o,--out", options->out, "the page")->type_name("FILE.html")->capture_default_str();
  verb.add_flag("--json", options->json, "what was written as one JSON object");
  add_force(verb, options->force);
  verb.footer(kShowFooter);
  return [options] {
    return options->model.use({}, [&](const Model& model, const ImportReport& imported) {
      require_replaceable(options->out, "--out", files_of(model, imported), options->force);
      write_show(model, options->out);
      if (options->json) print("{}\n", json_text({{"out", options->out}}, 1));
      say("show: {}\n", options->out);
      return kDone;
    });
  };
}

}  // namespace torsor
