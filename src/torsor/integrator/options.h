#pragma once
// Options of integrators as data: reading, checking, messages and lists follow from it.

#include <limits>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace torsor {

using OptionValue = std::variant<double, std::string>;
using IntegratorOptions = std::map<std::string, OptionValue>;

/// What a number may be.
struct OptionRange {
  double least = 0, most = std::numeric_limits<double>::infinity();
  bool whole = false;
  bool below_most = false;  ///< the upper bound itself is none
  bool or_zero = false;     ///< 0 besides, which stands for something else

  bool contains(double value) const;
  std::string text() const;  ///< "a whole number from 1 to 10"
};

struct IntegratorOption {
  std::string name;
  OptionValue standard;  ///< what it is when nobody says
  std::string help;
  OptionRange range = {};                 ///< of a number
  std::vector<std::string> choices = {};  ///< of a text; a number has none
  std::string unit = {};                  ///< of a number; none where empty
};

/// All options with their values. Throws ModelError (key `simulation.integrator.NAME`) on an option that the
/// integrator does not take, and on a value out of range.
IntegratorOptions complete_options(const std::string& integrator,
                                   const std::vector<IntegratorOption>& options,
                                   const IntegratorOptions& given);

}  // namespace torsor
