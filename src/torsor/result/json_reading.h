#pragma once
// JSON of strangers. For sources only.

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "torsor/base/error.h"
#include "torsor/result/json_parts.h"

namespace torsor {

inline constexpr std::size_t kLargestJson = std::size_t{64} << 20;  ///< bytes
inline constexpr long kMostJsonValues = 8'000'000;  ///< names count, too, and lists and objects twice
inline constexpr int kDeepestJson = 64;
inline constexpr std::size_t kMostJsonKeys = 20000;  ///< of one object: looking each up takes their square

/// Counts what the parser of a JSON library meets: throws ModelError where it is too deep or too much, or where a key
/// comes twice in one object.
class JsonGuard {
 public:
  JsonGuard(std::string key, std::string file) : key_(std::move(key)), file_(std::move(file)) {}

  void value();
  void open();
  void close();
  void name(const std::string& name);  ///< of the next value of the object that is open
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const;

 private:
  std::string key_, file_;
  long values_ = 0;
  std::vector<std::set<std::string>> names_;  ///< of what is open; none of lists
};

/// Puts every value at its place as the parser meets it. The parser's own callback looks at all siblings whenever an
/// object ends, and its ordered objects at all names before each, which takes the square of their number.
template <class AnyJson>
class JsonBuilder {
 public:
  explicit JsonBuilder(JsonGuard& guard) : guard_(guard) {}

  bool null() { return add(AnyJson(nullptr)); }
  bool boolean(bool value) { return add(AnyJson(value)); }
  bool number_integer(typename AnyJson::number_integer_t value) { return add(AnyJson(value)); }
  bool number_unsigned(typename AnyJson::number_unsigned_t value) { return add(AnyJson(value)); }
  bool number_float(double value, const std::string&) { return add(AnyJson(value)); }
  bool string(std::string& value) { return add(AnyJson(std::move(value))); }
  bool binary(typename AnyJson::binary_t&) { return false; }  // not in texts
  bool start_object(std::size_t) { return open(AnyJson::object()); }
  bool start_array(std::size_t) { return open(AnyJson::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    guard_.name(name);
    name_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const std::exception& fault) {
    guard_.fail("JSON", fault.what());
  }

  AnyJson result;

 private:
  /// Its place stays, for what it is in does not grow while it is open.
  AnyJson* place(AnyJson&& value) {
    if (open_.empty()) return &(result = std::move(value));
    if (open_.back()->is_array()) return &open_.back()->emplace_back(std::move(value));
    auto& object = open_.back()->template get_ref<typename AnyJson::object_t&>();
    if constexpr (requires { object.emplace_back(std::move(name_), std::move(value)); }) {
      return &object.emplace_back(std::move(name_), std::move(value)).second;  // known to be new
    } else {
      return &object.emplace(std::move(name_), std::move(value)).first->second;
    }
  }
  bool add(AnyJson&& value) {
    guard_.value();
    place(std::move(value));
    return true;
  }
  bool open(AnyJson&& value) {
    guard_.open();
    open_.push_back(place(std::move(value)));
    return true;
  }
  bool close() {
    guard_.close();
    open_.pop_back();
    return true;
  }

  JsonGuard& guard_;
  std::vector<AnyJson*> open_;
  std::string name_;
};

/// Throws ModelError at the key and file given. A number that no double holds is an error, too.
template <class AnyJson = Json>
AnyJson parse_json(const std::string& text, const std::string& key, const std::string& file = "") {
  JsonGuard guard(key, file);
  if (text.size() > kLargestJson) guard.fail("JSON of at most 64 MiB", "more");
  JsonBuilder<AnyJson> builder(guard);
  AnyJson::sax_parse(text, &builder);
  return std::move(builder.result);
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
