#include "torsor/format/units.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "torsor/base/nearest.h"

namespace torsor {
namespace {

/// A unit's size in SI is numerator / denominator * 10^decimal: kept apart so that `35 mm` is exactly 0.035.
struct Unit {
  double numerator = 1, denominator = 1;
  int decimal = 0;
  Dimension dimension;
};

struct NamedUnit {
  const char* name;
  Unit unit;
  bool takes_prefix;
};

constexpr std::array kUnits{
    NamedUnit{"m", {1, 1, 0, {0, 1, 0}}, true},
    NamedUnit{"g", {1, 1, -3, {1, 0, 0}}, true},
    NamedUnit{"s", {1, 1, 0, {0, 0, 1}}, true},
    NamedUnit{"N", {1, 1, 0, {1, 1, -2}}, true},
    NamedUnit{"Nm", {1, 1, 0, {1, 2, -2}}, true},
    NamedUnit{"Pa", {1, 1, 0, {1, -1, -2}}, true},
    NamedUnit{"J", {1, 1, 0, {1, 2, -2}}, true},
    NamedUnit{"W", {1, 1, 0, {1, 2, -3}}, true},
    NamedUnit{"Hz", {1, 1, 0, {0, 0, -1}}, true},
    NamedUnit{"rad", {1, 1, 0, {}}, true},
    NamedUnit{"deg", {std::numbers::pi, 180, 0, {}}, false},
    NamedUnit{"\xC2\xB0", {std::numbers::pi, 180, 0, {}}, false},
    NamedUnit{"rev", {2 * std::numbers::pi, 1, 0, {}}, false},
    NamedUnit{"rpm", {2 * std::numbers::pi, 60, 0, {0, 0, -1}}, false},
    NamedUnit{"min", {60, 1, 0, {0, 0, 1}}, false},
    NamedUnit{"h", {3600, 1, 0, {0, 0, 1}}, false},
    NamedUnit{"t", {1, 1, 3, {1, 0, 0}}, false},
};

using Prefix = UnitPrefix;
constexpr std::array kPrefixes{
    Prefix{"p", -12}, Prefix{"n", -9}, Prefix{"u", -6}, Prefix{"\xC2\xB5", -6}, Prefix{"m", -3},
    Prefix{"c", -2},  Prefix{"d", -1}, Prefix{"da", 1}, Prefix{"h", 2},         Prefix{"k", 3},
    Prefix{"M", 6},   Prefix{"G", 9},  Prefix{"T", 12}, Prefix{"\xCE\xBC", -6}};

/// What people write instead, and what they should.
struct Spelling {
  std::string_view written;
  const char* hint;
};
constexpr std::array kSpellings{Spelling{"degree", "write 'deg'"},
                                Spelling{"degrees", "write 'deg'"},
                                Spelling{"radian", "write 'rad'"},
                                Spelling{"radians", "write 'rad'"},
                                Spelling{"sec", "write 's'"},
                                Spelling{"second", "write 's'"},
                                Spelling{"seconds", "write 's'"},
                                Spelling{"minute", "write 'min'"},
                                Spelling{"minutes", "write 'min'"},
                                Spelling{"hour", "write 'h'"},
                                Spelling{"hours", "write 'h'"},
                                Spelling{"meter", "write 'm'"},
                                Spelling{"meters", "write 'm'"},
                                Spelling{"metre", "write 'm'"},
                                Spelling{"metres", "write 'm'"},
                                Spelling{"gram", "write 'g'"},
                                Spelling{"grams", "write 'g'"},
                                Spelling{"kilogram", "write 'kg'"},
                                Spelling{"kilograms", "write 'kg'"},
                                Spelling{"KG", "write 'kg'"},
                                Spelling{"Kg", "write 'kg'"},
                                Spelling{"newton", "write 'N'"},
                                Spelling{"newtons", "write 'N'"},
                                Spelling{"hz", "write 'Hz'"},
                                Spelling{"lb", "1 lb is 0.45359237 kg"},
                                Spelling{"lbs", "1 lb is 0.45359237 kg"},
                                Spelling{"pound", "1 pound is 0.45359237 kg"},
                                Spelling{"pounds", "1 pound is 0.45359237 kg"},
                                Spelling{"oz", "1 oz is 0.028349523125 kg"},
                                Spelling{"lbf", "1 lbf is 4.4482216152605 N"},
                                Spelling{"kgf", "1 kgf is 9.80665 N"},
                                Spelling{"in", "1 in is 0.0254 m"},
                                Spelling{"inch", "1 inch is 0.0254 m"},
                                Spelling{"inches", "1 inch is 0.0254 m"},
                                Spelling{"ft", "1 ft is 0.3048 m"},
                                Spelling{"foot", "1 foot is 0.3048 m"},
                                Spelling{"feet", "1 foot is 0.3048 m"}};

constexpr std::string_view kWrite = "write '";
/// `centimetres` are cm: a long prefix before a long name.
constexpr std::array<std::pair<std::string_view, const char*>, 5> kLongPrefixes{
    {{"milli", "m"}, {"centi", "c"}, {"micro", "u"}, {"kilo", "k"}, {"mega", "M"}}};

std::string hint_for(const std::string& name) {
  for (const auto& [written, hint] : kSpellings)
    if (name == written) return hint;
  for (const auto& [long_prefix, prefix] : kLongPrefixes) {
    if (!name.starts_with(long_prefix)) continue;
    for (const auto& [written, hint] : kSpellings) {
      const std::string_view advice(hint);
      if (name.substr(long_prefix.size()) == written && advice.starts_with(kWrite))
        return fmt::format("{}{}{}", kWrite, prefix, advice.substr(kWrite.size()));
    }
  }
  return "see `torsor list units`";
}

/// Longer texts are no unit; and exponents beyond this are a slip.
constexpr std::size_t kLongestUnit = 64;
constexpr int kLargestExponent = 9;

/// No mechanism has larger numbers, and cubes of these are still finite.
constexpr double kLargestNumber = 1e100;
constexpr const char* kBeyond = " (out of range)";
bool is_beyond(double value) { return !(std::abs(value) <= kLargestNumber); }

std::optional<Unit> unit_named(std::string_view name) {
  for (const NamedUnit& known : kUnits)
    if (name == known.name) return known.unit;
  for (const Prefix& prefix : kPrefixes) {
    if (!name.starts_with(prefix.name)) continue;
    for (const NamedUnit& known : kUnits) {
      if (!known.takes_prefix || name.substr(prefix.name.size()) != known.name) continue;
      Unit unit = known.unit;
      unit.decimal += prefix.decimal;
      return unit;
    }
  }
  return std::nullopt;
}

Unit power(const Unit& unit, int exponent) {
  Unit result{
      1,
      1,
      unit.decimal * exponent,
      {unit.dimension.mass * exponent, unit.dimension.length * exponent, unit.dimension.time * exponent}};
  for (int i = 0; i < std::abs(exponent); ++i) {
    result.numerator *= exponent > 0 ? unit.numerator : unit.denominator;
    result.denominator *= exponent > 0 ? unit.denominator : unit.numerator;
  }
  return result;
}

Unit product(const Unit& a, const Unit& b) {
  return {a.numerator * b.numerator,
          a.denominator * b.denominator,
          a.decimal + b.decimal,
          {a.dimension.mass + b.dimension.mass, a.dimension.length + b.dimension.length,
           a.dimension.time + b.dimension.time}};
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

/// factor {('*' | '/' | space) factor}, factor = name ['^' integer] | '(' unit ')' ['^' integer]; a slash
/// divides by the one factor behind it.
class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : rest_(text) {}

  std::optional<Unit> parse() {
    if (rest_.size() > kLongestUnit) return std::nullopt;
    if (rest_.starts_with("1/")) rest_.remove_prefix(1);
    auto unit = parse_product();
    return rest_.empty() ? unit : std::nullopt;
  }
  const std::string& unknown_name() const { return unknown_name_; }
  bool has_hertz() const { return has_hertz_; }

 private:
  std::optional<Unit> parse_product() {
    Unit unit;
    for (bool first = true;; first = false) {
      bool divide = false;
      skip_spaces();
      if (take('/')) {
        divide = true;
      } else if (!first && !take('*') && (rest_.empty() || rest_[0] == ')')) {
        return unit;
      }
      skip_spaces();
      const auto factor = parse_factor();
      if (!factor) return std::nullopt;
      unit = product(unit, divide ? power(*factor, -1) : *factor);
    }
  }

  std::optional<Unit> parse_factor() {
    std::optional<Unit> unit;
    if (take('(')) {
      unit = parse_product();
      if (!take(')')) return std::nullopt;
    } else {
      std::size_t length = 0;
      while (length < rest_.size() && is_letter(rest_[length])) ++length;
      unit = unit_named(rest_.substr(0, length));
      if (!unit && length > 0 && unknown_name_.empty()) unknown_name_ = rest_.substr(0, length);
      has_hertz_ = has_hertz_ || (unit && rest_.substr(0, length).ends_with("Hz"));
      rest_.remove_prefix(length);
    }
    if (!unit || !take('^')) return unit;
    int exponent = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), exponent);
    if (error != std::errc() || std::abs(exponent) > kLargestExponent) return std::nullopt;
    rest_.remove_prefix(end - rest_.data());
    return power(*unit, exponent);
  }

  void skip_spaces() {
    while (!rest_.empty() && rest_[0] == ' ') rest_.remove_prefix(1);
  }
  bool take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
  std::string unknown_name_;
  bool has_hertz_ = false;
};

const std::array kNamed{kAngle, kLength, kMass,    kTime,    kAngularVelocity, kVelocity, kAcceleration,
                        kForce, kMoment, kInertia, kDensity, kStiffness,       kDamping,  kAngularDamping};

std::string name_of(const Dimension& dimension) {
  for (const Quantity& quantity : kNamed)
    if (quantity.dimension == dimension) return described(quantity);
  std::string text;
  const auto add = [&](const char* unit, int exponent) {
    if (exponent == 0) return;
    text += text.empty() ? "" : " ";
    text += exponent == 1 ? unit : fmt::format("{}^{}", unit, exponent);
  };
  add("kg", dimension.mass);
  add("m", dimension.length);
  add("s", dimension.time);
  return fmt::format("a quantity in [{}]", text);
}

/// The number at the front of `text`, as strtod in the C locale reads it, less its surprises: no nan or inf,
/// no hexadecimal, no leading zeros (octal in YAML 1.1), nothing out of range.
struct LeadingNumber {
  double value = 0;
  std::string_view rest;
  std::string fault;
};

LeadingNumber leading_number(std::string_view text) {
  const auto found = [&] { return in_quotes(std::string(text)); };
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  const std::string_view bare =
      digits.starts_with('-') && digits.size() == text.size() ? digits.substr(1) : digits;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (bare.empty() || !(is_digit(bare[0]) || (bare[0] == '.' && bare.size() > 1 && is_digit(bare[1]))))
    return {0, text, found()};
  if (bare.size() > 1 && bare[0] == '0' && (is_digit(bare[1]) || bare[1] == 'x' || bare[1] == 'X'))
    return {0, text, found() + " (leading zeros and hexadecimal are not accepted)"};
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range || is_beyond(value)) return {0, text, found() + kBeyond};
  if (error != std::errc()) return {0, text, found()};
  return {value, digits.substr(end - digits.data()), ""};
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

Quantity rate_of(const Quantity& quantity) {
  if (quantity.any_unit) return quantity;
  if (quantity.dimension == kAngle.dimension && *quantity.unit) return kAngularVelocity;
  if (quantity.dimension == kLength.dimension) return kVelocity;
  Dimension dimension = quantity.dimension;
  --dimension.time;
  return {"a rate of change", "SI unit per second", dimension};
}

std::string described(const Quantity& quantity) {
  return *quantity.unit ? fmt::format("{} [{}]", quantity.name, quantity.unit) : quantity.name;
}

std::string unit_in(const std::string& description) {
  const std::size_t open = description.rfind('[');
  if (open == std::string::npos || !description.ends_with(']')) return {};
  return description.substr(open + 1, description.size() - open - 2);
}

ParsedQuantity parse_quantity(std::string_view text, const Quantity& expected) {
  text = trimmed(text);
  const LeadingNumber number = leading_number(text);
  if (!number.fault.empty()) return {0, number.fault};
  const std::string_view unit_text = trimmed(number.rest);
  if (unit_text.empty()) return {number.value, ""};

  const std::string found = in_quotes(std::string(text));
  UnitParser parser(unit_text);
  const auto unit = parser.parse();
  if (!unit) {
    if (parser.unknown_name().empty()) return {0, found};
    return {0, fmt::format("{} (unknown unit {}; {})", found, in_quotes(parser.unknown_name()),
                           hint_for(parser.unknown_name()))};
  }
  if (!expected.any_unit && !*expected.unit) return {0, fmt::format("{}, which carries a unit", found)};
  if (!expected.any_unit && unit->dimension != expected.dimension)
    return {0, fmt::format("{}, {}", found, name_of(unit->dimension))};
  // 1/s by its dimension, but whoever writes 2 Hz means two turns a second, not 2 rad/s.
  if (parser.has_hertz() && expected.unit == std::string_view(kAngularVelocity.unit))
    return {0, found + ", a frequency (as an angular velocity write rev/s, rpm or rad/s)"};
  double value = number.value * unit->numerator / unit->denominator;
  value = unit->decimal < 0 ? value / std::pow(10.0, -unit->decimal) : value * std::pow(10.0, unit->decimal);
  if (is_beyond(value)) return {0, found + kBeyond};
  return {value, ""};
}

std::vector<KnownUnit> known_units() {
  std::vector<KnownUnit> all;
  for (const NamedUnit& known : kUnits) {
    const Unit& unit = known.unit;
    const bool is_frequency = known.name == std::string_view("Hz");
    all.push_back({known.name, is_frequency ? "a frequency [1/s]" : name_of(unit.dimension),
                   unit.numerator / unit.denominator * std::pow(10.0, unit.decimal), known.takes_prefix});
  }
  return all;
}

std::span<const UnitPrefix> unit_prefixes() { return kPrefixes; }

ParsedInteger parse_integer(std::string_view text) {
  const std::string found = in_quotes(std::string(text));
  std::string_view digits = text;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  const std::string_view bare = digits.starts_with('-') ? digits.substr(1) : digits;
  if (bare.size() > 1 && bare[0] == '0') return {0, found};
  long value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return {0, found};
  return {value, ""};
}

}  // namespace torsor
