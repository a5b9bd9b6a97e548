#include "torsor/result/json_reading.h"

#include "torsor/base/nearest.h"

namespace torsor {

void JsonGuard::fail(const std::string& expected, const std::string& found) const {
  throw ModelError(key_, expected, found, file_);
}

void JsonGuard::add_key(const std::string& name) {
  if (keys_.empty()) return;
  if (!keys_.back().insert(name).second) fail("every key once", in_quotes(cut_at(name, 60)) + " twice");
  if (keys_.back().size() > kMostJsonKeys) fail("at most 20000 keys in an object", "more");
}

}  // namespace torsor
