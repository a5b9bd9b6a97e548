#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/model_argument.h"
#include "cli/passing_result.h"
#include "cli/verbs.h"
#include "torsor/page/report.h"
#include "torsor/result/modes_answer.h"

namespace torsor {
namespace {

constexpr const char* kModesFooter = R"(Examples:
  torsor modes four_bar
  torsor modes engine_mount --out engine_mount.mat
  torsor modes heavy_top --at start --json
  torsor modes stewart --report mode.html --mode 2
  torsor modes tendon_arm --at t=1.5
--at equilibrium is the rest position nearest to the start (`torsor equilibrium`); t=SECONDS simulates there with the
model's own method. Files and --json have the state space A, B, C, D with names of states, inputs (actuators, motors of
tendons) and outputs (independent coordinates and rates, named points and their velocities).)";

struct ModesVerb {
  ModelArgument model;
  ModesOptions of;
  std::string report;
  int mode = 1;
  bool json = false;
};

Status modes(const ModesVerb& options, const Model& model) {
  const Answer answer = answer_modes(model, options.of, options.json, 1);
  fmt::print("{}{}", answer.text, options.json ? "\n" : "");
  if (!options.of.out.empty()) fmt::print(stderr, "result: {}\n", options.of.out);
  if (!options.report.empty()) {
    const PassingResult passing;
    write_mode_result(model, options.of.at, options.mode, passing.path());
    write_report({{passing.path()}, {}}, options.report, "--report");
    fmt::print(stderr, "report: {}\n", options.report);
  }
  return kDone;
}

}  // namespace

RunVerb add_modes(CLI::App& verb) {
  const auto options = std::make_shared<ModesVerb>();
  options->model.add_to(verb);
  verb.add_option("--at", options->of.at, "equilibrium, start, or t=SECONDS")
      ->type_name("WHERE")
      ->capture_default_str();
  verb.add_option("--out", options->of.out, "frequencies, shapes and matrices, .json or .mat")
      ->type_name("FILE");
  verb.add_option("--report", options->report, "page on which a mode moves")->type_name("FILE.html");
  verb.add_option("--mode", options->mode, "which one the page shows")->type_name("N")->capture_default_str();
  verb.add_flag("--json", options->json, "one JSON object");
  verb.footer(kModesFooter);
  return [options] {
    if (!options->report.empty()) require_report_place(options->report, "--report");
    return options->model.use({}, [&](const Model& model) { return modes(*options, model); });
  };
}

}  // namespace torsor
