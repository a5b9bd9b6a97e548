#pragma once
// What the ledger books of a model's elements, and when their programs have kinks.

#include <map>
#include <string>
#include <vector>

#include "torsor/model/model.h"

namespace torsor {

struct FlowBook {
  std::vector<std::string> sources, dampers;  ///< of work, and what takes energy
  std::vector<double> breakpoints;            ///< of all programs, increasing
  std::map<const void*, int> first_source, damper_of;

  int flow_count() const { return static_cast<int>(sources.size() + dampers.size()); }
  /// Index of an element of the model among the sources, its others follow; or among the dampers. -1: none.
  int source(const void* element) const { return index(first_source, element); }
  int damper(const void* element) const { return index(damper_of, element); }

 private:
  static int index(const std::map<const void*, int>& of, const void* element) {
    const auto found = of.find(element);
    return found == of.end() ? -1 : found->second;
  }
};

/// Keeps the addresses of the model's elements, and that of an external input, if there is one.
FlowBook make_flow_book(const Model& model, const void* external = nullptr);

}  // namespace torsor
