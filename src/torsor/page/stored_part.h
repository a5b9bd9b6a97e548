#pragma once
// A value of JSON of strangers that knows where it stands, and says what was expected there. For sources only.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/result/json_parts.h"

namespace torsor {

/// Every look at it throws ModelError, with file and key, where it is of another kind.
class StoredPart {
 public:
  StoredPart(const Json& json, std::string key, const std::string& file)
      : json_(&json), key_(std::move(key)), file_(&file) {}

  bool has(const char* name) const { return object().contains(name); }
  StoredPart at(const char* name) const {
    if (!has(name)) throw ModelError(key_, fmt::format("a map with {}", name), "none", *file_);
    return {json_->at(name), key_ + "." + name, *file_};
  }
  bool is_null() const { return json_->is_null(); }
  std::size_t size() const { return json_->size(); }

  void number() const { expect(json_->is_number(), "a number"); }
  void number_or_null() const { expect(json_->is_number() || is_null(), "a number or null"); }
  void text() const { expect(json_->is_string(), "a text"); }
  void boolean() const { expect(json_->is_boolean(), "true or false"); }
  void map() const { expect(json_->is_object(), "a map"); }
  void list() const { expect(json_->is_array(), "a list"); }
  void numbers(std::size_t count) const {
    const bool all =
        json_->is_array() && size() == count &&
        std::all_of(json_->begin(), json_->end(), [](const Json& one) { return one.is_number(); });
    expect(all, fmt::format("a list of {} numbers", count));
  }
  void index(double least, double most) const {
    const double at = json_->is_number() ? json_->get<double>() : std::nan("");
    expect(at >= least && at <= most && at == std::trunc(at),
           fmt::format("a whole number from {:.0f} to {:.0f}", least, most));
  }
  void one_of(std::initializer_list<const char*> names) const {
    const bool known =
        json_->is_string() && std::find(names.begin(), names.end(), json_->get<std::string>()) != names.end();
    expect(known, fmt::format("one of {}", fmt::join(names, ", ")));
  }
  /// Of groups of so many bytes.
  void base64(std::size_t group) const {
    text();
    const std::string& digits = json_->get_ref<const std::string&>();
    const std::size_t count = std::min(digits.find('='), digits.size());
    const bool known = std::all_of(digits.begin(), digits.begin() + std::ptrdiff_t(count), [](char c) {
      const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
      return letter || (c >= '0' && c <= '9') || c == '+' || c == '/';
    });
    const bool whole = digits.size() % 4 == 0 && digits.size() - count <= 2 &&
                       digits.find_first_not_of('=', count) == std::string::npos;
    expect(known && whole && count * 3 / 4 % group == 0, fmt::format("base64 of {} bytes each", group));
  }
  template <class Check>
  void each(const Check& check) const {
    list();
    std::size_t i = 0;
    for (const Json& one : *json_) check(StoredPart(one, fmt::format("{}.{}", key_, i++), *file_));
  }
  void expect(bool holds, const std::string& expected) const {
    if (!holds) throw ModelError(key_, expected, shown(), *file_);
  }

 private:
  const Json& object() const {
    map();
    return *json_;
  }
  std::string shown() const {
    if (json_->is_object() || json_->is_array()) return json_->empty() ? "an empty one" : "something else";
    return cut_at(json_text(*json_), 60);
  }

  const Json* json_;
  std::string key_;
  const std::string* file_;
};

}  // namespace torsor
