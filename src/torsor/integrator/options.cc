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
  if (std::isfinite(value) && option.range.contains(value)) return;
  throw ModelError(key_of(option.name), std::isfinite(value) ? option.range.text() : "a finite number",
                   fmt::format("{}", value));
}

void require(const IntegratorOption& option, const OptionValue& value) {
  const std::string* text = std::get_if<std::string>(&value);
  if (option.choices.empty()) {
    if (text) throw ModelError(key_of(option.name), "a number", in_quotes(*text));
    return require(option, std::get<double>(value));
  }
  if (text && std::find(option.choices.begin(), option.choices.end(), *text) != option.choices.end()) return;
  throw ModelError(key_of(option.name), "one of " + listed(option.choices),
                   text ? did_you_mean(*text, option.choices) : fmt::format("{}", std::get<double>(value)));
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
  for (const IntegratorOption& option : options) all[option.name] = option.standard;
  for (const auto& [name, value] : given) {
    const auto entered = std::ranges::find(options, name, &IntegratorOption::name);
    if (entered == options.end()) {
      std::vector<std::string> known;
      for (const IntegratorOption& option : options) known.push_back(option.name);
      throw ModelError(key_of(name),
                       known.empty() ? "no option, since '" + integrator + "' takes none"
                                     : "an option of '" + integrator + "': " + listed(known),
                       did_you_mean(name, known));
    }
    require(*entered, value);
    all[name] = value;
  }
  return all;
}

}  // namespace torsor
