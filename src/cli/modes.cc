#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/model_argument.h"
#include "cli/verbs.h"
#include "torsor/result/modes_answer.h"

namespace torsor {
namespace {

constexpr const char* kModesFooter = R"(Examples:
  torsor modes four_bar
  torsor modes engine_mount --out engine_mount.mat
  torsor modes heavy_top --at start --json
  torsor modes tendon_arm --at t=1.5
--at equilibrium is the rest position nearest to the start (`torsor equilibrium`); t=SECONDS simulates there with the
model's own method. Files and --json have the state space A, B, C, D with names of states, inputs (actuators, motors of
tendons) and outputs (independent coordinates and rates, named points and their velocities).)";

struct ModesVerb {
  ModelArgument model;
  ModesOptions of;
  bool json = false;
};

Status modes(const ModesVerb& options, const Model& model) {
  const Answer answer = answer_modes(model, options.of, options.json, 1);
  fmt::print("{}{}", answer.text, options.json ? "\n" : "");
  if (!options.of.out.empty()) fmt::print(stderr, "result: {}\n", options.of.out);
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
  verb.add_flag("--json", options->json, "one JSON object");
  verb.footer(kModesFooter);
  return [options] {
    return options->model.use({}, [&](const Model& model) { return modes(*options, model); });
  };
}

}  // namespace torsor
