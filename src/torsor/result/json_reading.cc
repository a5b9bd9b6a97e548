#include "torsor/result/json_reading.h"

#include "torsor/base/nearest.h"

namespace torsor {

void JsonGuard::fail(const std::string& expected, const std::string& found) const {
  throw ModelError(key_, expected, found, file_);
}

void JsonGuard::value() {
  if (++values_ > kMostJsonValues) fail("JSON of at most 8000000 values", "more");
}

void JsonGuard::open() {
  value();
  if (names_.size() >= std::size_t{kDeepestJson}) fail("JSON of at most 64 levels", "more");
  names_.emplace_back();
}

void JsonGuard::close() {
  value();
  names_.pop_back();
}

void JsonGuard::name(const std::string& name) {
  value();
  if (!names_.back().insert(name).second) fail("every key once", in_quotes(cut_at(name, 60)) + " twice");
  if (names_.back().size() > kMostJsonKeys) fail("at most 20000 keys in an object", "more");
}

}  // namespace torsor
