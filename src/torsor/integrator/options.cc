#include "torsor/integrator/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"

namespace torsor {
namespace {

std::string key_of(const std::string& option) { return "simulation.integrator." + option; }

void require(const IntegratorOption& option, double value) {
  const std::string key = key_of(option.name), found = fmt::format("{}", value);
  if (!std::isfinite(value)) throw ModelError(key, "a finite number", found);
  if (!option.range.contains(value)) throw ModelError(key, option.range.text(), found);
}

void require(const IntegratorOption& option, const OptionValue& value) {
  const std::string key = key_of(option.name);
  const std::string* text = std::get_if<std::string>(&value);
  if (option.choices.empty()) {
    if (text) throw ModelError(key, "a number", in_quotes(*text));
    return require(option, std::get<double>(value));
  }
  const std::string expected = "one of " + listed(option.choices);
  if (!text) throw ModelError(key, expected, fmt::format("{}", std::get<double>(value)));
  if (std::find(option.choices.begin(), option.choices.end(), *text) == option.choices.end()) {
    throw ModelError(key, expected, did_you_mean(*text, option.choices));
  }
}

}  // namespace

bool OptionRange::contains(double value) const {
  if (or_zero && value == 0) return true;
  const bool inside = value >= least && (below_most ? value < most : value <= most);
  return inside && (!whole || value == std::floor(value));
}

std::string OptionRange::text() const {
  const std::string number = fmt::format("{}a {}number", or_zero ? "0 or " : "", whole ? "whole " : "");
  if (std::isfinite(most)) return fmt::format("{} from {} to {}", number, least, most);
  return least == 0 ? fmt::format("{} that is not negative", number)
                    : fmt::format("{} from {}", number, least);
}

IntegratorOptions complete_options(const std::string& integrator,
                                   const std::vector<IntegratorOption>& options,
                                   const IntegratorOptions& given) {
  IntegratorOptions all;
  std::vector<std::string> known;
  for (const IntegratorOption& option : options) {
    all[option.name] = option.standard;
    known.push_back(option.name);
  }
  for (const auto& [name, value] : given) {
    const auto entered = std::find(known.begin(), known.end(), name);
    if (entered == known.end()) {
      throw ModelError(key_of(name),
                       known.empty() ? "no option, since '" + integrator + "' takes none"
                                     : "an option of '" + integrator + "': " + listed(known),
                       did_you_mean(name, known));
    }
    require(options[entered - known.begin()], value);
    all[name] = value;
  }
  return all;
}

}  // namespace torsor
