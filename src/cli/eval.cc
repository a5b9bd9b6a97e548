#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <iterator>
#include <memory>

#include "cli/model_argument.h"
#include "cli/say.h"
#include "cli/verbs.h"
#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/yaml_text.h"
#include "torsor/result/json_evaluation.h"
#include "torsor/result/json_state.h"

namespace torsor {
namespace {

constexpr const char* kEvalFooter = R"(Examples:
  torsor eval tendon_arm
  torsor eval tendon_arm --state state.json --quantity mass_matrix --quantity energy
  echo '{"q": {"shoulder": 0.3}, "qd": {"elbow": 1}}' | torsor eval tendon_arm --state -
  echo '{"q": {"drive": 1.2}, "qd": {"drive": 3}}' | torsor eval four_bar --state - --quantity actuator_efforts
The state is {"q": {joint: value}, "qd": {}, "qdd": {}, "qddd": {}, "qdddd": {}, "effort": {}}; what is missing
is zero. Beside it "time" (0) and "actuators": {name: effort}, instead of their programs. Vectors and matrices
are in the file's order of joints. inverse_dynamics, forward_dynamics and their derivatives include every force
element of the model (tendons, springs, loads, actuators, controllers), so that each inverts the other.
With loops, joints that are not named follow those that are, from where the model starts; matrices stand in the
rates that `independent` lists, chosen by "independent": [joints] in the state.)";

struct EvalOptions {
  ModelArgument model;
  std::string state;
  std::vector<std::string> quantities;
  bool json = false;
};

std::string read_all(const std::string& path) {
  if (path == "-") {
    std::string text, block(std::size_t{1} << 16, '\0');
    while (std::cin && text.size() <= kLargestState) {
      std::cin.read(block.data(), static_cast<std::streamsize>(block.size()));
      text.append(block, 0, static_cast<std::size_t>(std::cin.gcount()));
    }
    return text;
  }
  if (const std::optional<std::string> text = read_file(path, kLargestState)) return *text;
  throw ModelError("--state", "a file that can be read", in_quotes(path));
}

Status eval(const EvalOptions& options, const Model& model) {
  const JointState state = options.state.empty()
                               ? neutral_state(model)
                               : parse_joint_state(model, read_all(options.state), options.state);
  print("{}\n", evaluation_json(model, state, options.quantities));
  return kDone;
}

}  // namespace

RunVerb add_eval(CLI::App& verb) {
  const auto options = std::make_shared<EvalOptions>();
  options->model.add_to(verb);
  verb.add_option("--state", options->state, "the state as JSON; - for standard input")->type_name("FILE");
  verb.add_option("--quantity", options->quantities, "see `torsor list quantities`; repeat for more")
      ->type_name("NAME")
      ->allow_extra_args(false);
  verb.add_flag("--json", options->json, "accepted for uniformity: the output is JSON anyway");
  verb.footer(kEvalFooter);
  return
      [options] { return options->model.use({}, [&](const Model& model) { return eval(*options, model); }); };
}

}  // namespace torsor
