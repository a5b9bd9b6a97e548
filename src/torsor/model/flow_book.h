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
  int state_count = 0;                        ///< of elements
  std::map<const void*, int> first_source, damper_of, first_state;

  /// Of work, dissipation and, behind them, states: entries of the z of a system.
  int flow_count() const { return static_cast<int>(sources.size() + dampers.size()) + state_count; }
  /// Index of an element of the model among the sources, its others follow; or among the dampers. -1: none.
  int source(const void* element) const { return index(first_source, element); }
  int damper(const void* element) const { return index(damper_of, element); }
  /// Of its first state in z.
  int state(const void* element) const {
    const int own = index(first_state, element);
    return own < 0 ? own : flow_count() - state_count + own;
  }

 private:
  static int index(const std::map<const void*, int>& of, const void* element) {
    const auto found = of.find(element);
    return found == of.end() ? -1 : found->second;
  }
};

/// Keeps the addresses of the model's elements, and that of an external input, if there is one.
FlowBook make_flow_book(const Model& model, const void* external = nullptr);

}  // namespace torsor
