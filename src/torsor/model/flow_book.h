#pragma once
// What the ledger books of a model's elements, and when their programs have kinks.

#include <map>
#include <string>
#include <vector>

#include "torsor/model/model.h"

namespace torsor {

struct FlowBook {
  std::vector<std::string> sources, dampers;  ///< of work, and what takes energy
  std::vector<std::string> sampled;           ///< controllers
  std::vector<double> breakpoints;            ///< of all programs, increasing
  int state_count = 0;                        ///< of elements
  std::map<const void*, int> first_source, damper_of, first_state, sampled_of;

  /// Flows are the work of the sources, then the work that the laws of sampled controllers would have done if
  /// they were continuous, then what the dampers take, then what the virtual dampers of these laws would take;
  /// behind them, the states of elements: entries of the z of a system.
  int flow_count() const {
    return work_count() + static_cast<int>(dampers.size() + sampled.size()) + state_count;
  }
  /// Whether flows and states are those of the other: the same names in the same places.
  bool books_alike(const FlowBook& other) const {
    return sources == other.sources && dampers == other.dampers && sampled == other.sampled &&
           state_count == other.state_count;
  }
  int work_count() const { return static_cast<int>(sources.size() + sampled.size()); }
  /// Index of an element of the model among the sources, its others follow; or among the dampers. -1: none.
  int source(const void* element) const { return index(first_source, element); }
  int damper(const void* element) const { return index(damper_of, element); }
  /// Of its first state in z.
  int state(const void* element) const {
    const int own = index(first_state, element);
    return own < 0 ? own : flow_count() - state_count + own;
  }
  /// Likewise of a sampled controller, after the sources and after the dampers: of what it would have done.
  int continuous_source(const void* controller) const {
    return static_cast<int>(sources.size()) + index(sampled_of, controller);
  }
  int continuous_damper(const void* controller) const {
    return static_cast<int>(dampers.size()) + index(sampled_of, controller);
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
