#pragma once
// JSON of strangers. For sources only.

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "torsor/base/error.h"
#include "torsor/result/json_parts.h"

namespace torsor {

inline constexpr std::size_t kLargestJson = std::size_t{64} << 20;  ///< bytes
inline constexpr long kMostJsonValues = 8'000'000;
inline constexpr int kDeepestJson = 64;
inline constexpr std::size_t kMostJsonKeys =
    20000;  ///< of one object, which takes the square of their number

/// Looks at what the parser of a JSON library meets: throws ModelError where it is too deep or too much, or where a key
/// comes twice in one object.
class JsonGuard {
 public:
  JsonGuard(std::string key, std::string file) : key_(std::move(key)), file_(std::move(file)) {}

  template <class AnyJson>
  bool operator()(int depth, typename AnyJson::parse_event_t event, const AnyJson& value) {
    using Event = typename AnyJson::parse_event_t;
    if (depth > kDeepestJson) fail("JSON of at most 64 levels", "more");
    if (++values_ > kMostJsonValues) fail("JSON of at most 8000000 values", "more");
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key) add_key(value.template get_ref<const std::string&>());
    return true;
  }
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const;

 private:
  void add_key(const std::string& name);

  std::string key_, file_;
  long values_ = 0;
  std::vector<std::set<std::string>> keys_;  ///< of the objects that are open
};

/// Throws ModelError at the key and file given. A number that no double holds is an error, too.
template <class AnyJson = Json>
AnyJson parse_json(const std::string& text, const std::string& key, const std::string& file = "") {
  JsonGuard guard(key, file);
  if (text.size() > kLargestJson) guard.fail("JSON of at most 64 MiB", "more");
  try {
    return AnyJson::parse(text, [&](int depth, typename AnyJson::parse_event_t event, AnyJson& value) {
      return guard.operator()<AnyJson>(depth, event, value);
    });
  } catch (const typename AnyJson::exception& fault) {
    guard.fail("JSON", fault.what());
  }
}

/// A whole number that fits; throws Json::exception as the library does for other types.
template <class Whole>
Whole whole_number(const Json& json) {
  constexpr double kLargest =
      std::min(9007199254740992.0, static_cast<double>(std::numeric_limits<Whole>::max()));
  const double number = json.get<double>();
  if (!(std::abs(number) <= kLargest) || number != std::trunc(number)) {
    throw Json::type_error::create(302, "expected a whole number that fits", &json);
  }
  return static_cast<Whole>(number);
}

}  // namespace torsor
