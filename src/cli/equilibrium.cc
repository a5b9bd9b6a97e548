#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/model_argument.h"
#include "cli/verbs.h"
#include "torsor/result/equilibrium_answer.h"

namespace torsor {
namespace {

constexpr const char* kEquilibriumFooter = R"(Examples:
  torsor equilibrium tendon_arm --set gravity=[0,-9.81]
  torsor equilibrium toggle --all
  torsor equilibrium five_bar --hold --json
Everything acts as at the time of the start. Without --all: where the mechanism comes to rest from its start if its
motion is slow and heavily damped. A start at rest stays, stable or not. With --all: what a search over the
independent coordinates finds, which need not be all there is.)";

struct EquilibriumVerb {
  ModelArgument model;
  EquilibriumOptions of;
  bool json = false;
};

Status equilibrium(const EquilibriumVerb& options, const Model& model) {
  const Answer answer = answer_equilibrium(model, options.of, options.json, 1);
  fmt::print("{}{}", answer.text, options.json ? "\n" : "");
  return answer.fell_short ? kFellShort : kDone;
}

}  // namespace

RunVerb add_equilibrium(CLI::App& verb) {
  const auto options = std::make_shared<EquilibriumVerb>();
  options->model.add_to(verb);
  verb.add_flag("--all", options->of.all, "all rest positions that a search finds, instead of the nearest");
  verb.add_option("--starts", options->of.starts, "from how many positions --all searches")->type_name("N");
  verb.add_flag("--hold", options->of.hold,
                "efforts of the actuators that hold the start, the least of them");
  verb.add_flag("--json", options->json, "one JSON object");
  verb.footer(kEquilibriumFooter);
  return [options] {
    return options->model.use({}, [&](const Model& model) { return equilibrium(*options, model); });
  };
}

}  // namespace torsor
