#include "cli/described.h"

#include <CLI/CLI.hpp>
#include <map>
#include <regex>

#include "experiments/registry.h"
#include "torsor/format/gallery.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/result/json_evaluation.h"
#include "torsor/simulation/formulations.h"

namespace torsor {
namespace {

using Words = std::vector<std::string>;

/// The names that `torsor list KIND` prints.
Words listed_words(const std::string& kind) {
  Words words;
  if (kind == "integrators") words = integrators().names();
  if (kind == "formulations") words = formulations().names();
  if (kind == "models") {
    for (const GalleryEntry& entry : gallery()) words.push_back(entry.name);
  }
  if (kind == "quantities") {
    for (const auto& [name, what] : evaluation_quantities()) words.push_back(name);
  }
  if (kind == "experiments") {
    for (const Experiment& experiment : all_experiments()) words.push_back(experiment.name);
  }
  return words;
}

/// The help of an option says what it can be: `{a,b}` in place of a value, or "`torsor list KIND`".
Words words_of(const std::string& value, const std::string& what) {
  std::smatch match;
  if (std::regex_search(value, match, std::regex(R"(\{(.*)\})"))) {
    Words words;
    std::istringstream list(match[1]);
    for (std::string word; std::getline(list, word, ',');) words.push_back(word);
    return words;
  }
  if (std::regex_search(what, match, std::regex("`torsor list (\\w+)`"))) return listed_words(match[1]);
  return {};
}

DescribedOption described(const CLI::Option& option) {
  DescribedOption result;
  result.positional = option.get_positional();
  if (result.positional) {
    result.names = {option.get_name(true)};
  } else {
    for (const std::string& name : option.get_snames()) result.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) result.names.push_back("--" + name);
  }
  result.what = option.get_description();
  result.repeats = option.get_expected_max() > 1;
  const std::string value = option.get_items_expected_max() > 0 ? option.get_type_name() : "";
  result.words = words_of(value, result.what);
  const bool has_file = value.find("FILE") != std::string::npos || value.find("DIR") != std::string::npos;
  result.is_file = has_file || result.names.front() == "MODEL" || result.names.front() == "RESULT";
  result.value = value.starts_with("TEXT:") ? value.substr(5) : value;
  return result;
}

}  // namespace

std::vector<DescribedVerb> described_verbs(const CLI::App& verb) {
  std::vector<DescribedVerb> verbs;
  for (const CLI::App* app : verb.get_parent()->get_subcommands([](const CLI::App*) { return true; })) {
    DescribedVerb entry{app->get_name(), app->get_description(), app->get_footer(), {}};
    for (const CLI::Option* option : app->get_options()) entry.options.push_back(described(*option));
    verbs.push_back(std::move(entry));
  }
  return verbs;
}

}  // namespace torsor
