#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include "cli/flags.h"
#include "cli/say.h"
#include "cli/verbs.h"
#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/model_templates.h"
#include "torsor/result/output_file.h"

namespace torsor {
namespace {

constexpr const char* kNewFooter = R"(Examples:
  torsor new arm --links 5 --springs multi > arm.yaml
  torsor new chain --links 100 --joint revolute --out chain.yaml
  torsor new chain --links 64 --start coiled --length 2 --side 0.2 --mass 50 --damping 70 > coil.yaml)";

constexpr int kMostLinks = 20000;  // more than the reader takes in one file

struct NewOptions {
  std::string what, springs = "mono", start = "stretched", out;
  int links = 3;
  ChainTemplate chain;
};

void require_positive(const char* flag, double value) {
  if (!(value > 0 && std::isfinite(value)))
    throw ModelError(flag, "a positive number", std::to_string(value));
}

ChainTemplate chain_of(const NewOptions& options) {
  using Start = ChainTemplate::Start;
  const std::map<std::string, Start> starts{
      {"stretched", Start::stretched}, {"hanging", Start::hanging}, {"coiled", Start::coiled}};
  ChainTemplate chain = options.chain;
  chain.links = options.links;
  chain.start = starts.at(options.start);
  require_positive("--length", chain.length);
  require_positive("--side", chain.side);
  require_positive("--mass", chain.mass);
  if (chain.density) require_positive("--density", *chain.density);
  if (!(chain.damping >= 0 && std::isfinite(chain.damping)))
    throw ModelError("--damping", "a number that is not negative", std::to_string(chain.damping));
  if (!std::isfinite(chain.tilt)) throw ModelError("--tilt", "a finite angle", std::to_string(chain.tilt));
  if (chain.floats && chain.start != Start::stretched)
    throw ModelError("--start", "'stretched' for a chain that floats", in_quotes(options.start));
  if (chain.start == Start::coiled && chain.joint != "spherical")
    throw ModelError("--joint", "'spherical' for a coil", in_quotes(chain.joint));
  return chain;
}

std::string text_of(const NewOptions& options) {
  using Springs = ArmTemplate::Springs;
  const std::map<std::string, Springs> springs{
      {"none", Springs::none}, {"mono", Springs::mono}, {"multi", Springs::multi}};
  if (options.links < 1 || options.links > kMostLinks) {
    throw ModelError("--links", fmt::format("a number from 1 to {}", kMostLinks),
                     std::to_string(options.links));
  }
  if (options.what == "arm") return arm_text({options.links, springs.at(options.springs)});
  return chain_text(chain_of(options));
}

void write(const std::string& text, const std::string& path) {
  if (path.empty()) {
    print("{}", text);
    return;
  }
  if (std::filesystem::exists(path)) {
    throw ModelError("--out", "a file that is not there yet", in_quotes(path));
  }
  write_text_file(path, text);
}

}  // namespace

RunVerb add_new(CLI::App& verb) {
  const auto options = std::make_shared<NewOptions>();
  verb.add_option("WHAT", options->what, "arm: planar, hung in tendons; chain: rods in space")
      ->required()
      ->check(CLI::IsMember({"arm", "chain"}));
  verb.add_option("--links", options->links, "how many")->type_name("N");
  verb.add_option("--springs", options->springs,
                  "of an arm: none, mono (over each joint), multi (one over all)")
      ->check(CLI::IsMember({"none", "mono", "multi"}));
  ChainTemplate& chain = options->chain;
  verb.add_option("--joint", chain.joint, "of a chain: revolute, universal or spherical")
      ->check(CLI::IsMember({"revolute", "universal", "spherical"}));
  verb.add_flag("--float", chain.floats, "a chain without ground and gravity");
  verb.add_option("--start", options->start,
                  "of a chain: stretched sideways, hanging (tilted), coiled (a flat spiral that falls)")
      ->check(CLI::IsMember({"stretched", "hanging", "coiled"}));
  verb.add_option("--tilt", chain.tilt, "of a hanging chain, about x [rad]; 0.1")->type_name("ANGLE");
  verb.add_option("--length", chain.length, "of a chain's rods [m]; 1")->type_name("L");
  verb.add_option("--side", chain.side, "of their square section [m]; 0.1")->type_name("A");
  CLI::Option* mass = verb.add_option("--mass", chain.mass, "of each rod [kg]; 1")->type_name("M");
  verb.add_option("--density", chain.density, "of the rods, in place of their mass [kg/m^3]")
      ->type_name("RHO")
      ->excludes(mass);
  verb.add_option("--damping", chain.damping, "in every joint of a chain [N m s]; 0")->type_name("C");
  verb.add_option("--out", options->out, "file to write instead of standard output")->type_name("FILE");
  verb.footer(kNewFooter);
  return [options, &verb] {
    const bool arm = options->what == "arm";
    for (const char* flag : {"--joint", "--float", "--start", "--tilt", "--length", "--side", "--mass",
                             "--density", "--damping"}) {
      if (arm) require_absent(verb, flag, "new chain");
    }
    if (!arm) require_absent(verb, "--springs", "new arm");
    write(text_of(*options), options->out);
    return kDone;
  };
}

}  // namespace torsor
