#include "cli/answering_verb.h"
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

}  // namespace

RunVerb add_equilibrium(CLI::App& verb) {
  const auto options = add_answering<EquilibriumOptions>(verb, kEquilibriumFooter);
  verb.add_flag("--all", options->of.all, "all rest positions that a search finds, instead of the nearest");
  verb.add_option("--starts", options->of.starts, "from how many positions --all searches")->type_name("N");
  verb.add_flag("--hold", options->of.hold,
                "efforts of the actuators that hold the start, the least of them");
  return run_answer(verb, options, answer_equilibrium);
}

}  // namespace torsor
