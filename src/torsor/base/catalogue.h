#pragma once
// A table of named entries in the order in which they are printed: joint types, integrators, quantities.

#include <string>
#include <utility>
#include <vector>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"

namespace torsor {

template <class Entry>
class Catalogue {
 public:
  using Row = std::pair<std::string, Entry>;

  explicit Catalogue(std::vector<Row> rows) : rows_(std::move(rows)) {}

  /// Null for an unknown name.
  const Entry* find(const std::string& name) const {
    for (const Row& row : rows_) {
      if (row.first == name) return &row.second;
    }
    return nullptr;
  }
  /// Throws ModelError at `key` that lists the known names and the nearest of them.
  const Entry& at(const std::string& name, const std::string& key) const {
    if (const Entry* entry = find(name)) return *entry;
    throw ModelError(key, "one of " + listed(names()), did_you_mean(name, names()));
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Row& row : rows_) all.push_back(row.first);
    return all;
  }

  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }
  std::size_t size() const { return rows_.size(); }

 private:
  std::vector<Row> rows_;
};

}  // namespace torsor
