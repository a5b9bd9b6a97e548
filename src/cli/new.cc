#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <map>
#include <memory>

#include "base/error.h"
#include "base/nearest.h"
#include "cli/verbs.h"
#include "io/model_templates.h"

namespace torsor {
namespace {

constexpr const char* kFooter = R"(Examples:
  torsor new arm --links 5 --springs multi > arm.yaml
  torsor new chain --links 100 --joint revolute --out chain.yaml)";

constexpr int kMostLinks = 100000;

struct Options {
  std::string what, springs = "mono", joint = "spherical", out;
  int links = 3;
  bool floats = false;
};

std::string text_of(const Options& options) {
  using Springs = ArmTemplate::Springs;
  const std::map<std::string, Springs> springs{
      {"none", Springs::none}, {"mono", Springs::mono}, {"multi", Springs::multi}};
  if (options.links < 1 || options.links > kMostLinks) {
    throw ModelError("--links", fmt::format("a number from 1 to {}", kMostLinks),
                     std::to_string(options.links));
  }
  if (options.what == "arm") return arm_text({options.links, springs.at(options.springs)});
  return chain_text({options.links, options.joint, options.floats});
}

void write(const std::string& text, const std::string& path) {
  if (path.empty()) {
    fmt::print("{}", text);
    return;
  }
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw ModelError("--out", "a file that can be written", in_quotes(path));
}

}  // namespace

RunVerb add_new(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("WHAT", options->what, "arm: planar, hung in tendons; chain: rods in space")
      ->required()
      ->check(CLI::IsMember({"arm", "chain"}));
  verb.add_option("--links", options->links, "how many")->type_name("N");
  verb.add_option("--springs", options->springs,
                  "of an arm: none, mono (over each joint), multi (one over all)")
      ->check(CLI::IsMember({"none", "mono", "multi"}));
  verb.add_option("--joint", options->joint, "of a chain: revolute, universal or spherical")
      ->check(CLI::IsMember({"revolute", "universal", "spherical"}));
  verb.add_flag("--float", options->floats, "a chain without ground and gravity");
  verb.add_option("--out", options->out, "file to write instead of standard output")->type_name("FILE");
  verb.footer(kFooter);
  return [options] {
    write(text_of(*options), options->out);
    return kDone;
  };
}

}  // namespace torsor
