#include "torsor/model/flow_book.h"

#include <algorithm>

namespace torsor {
namespace {

template <class Element>
void book(const Element& element, FlowBook& book) {
  if constexpr (requires { element.sources(); }) {
    const std::vector<std::string> names = element.sources();
    if (!names.empty()) book.first_source[&element] = static_cast<int>(book.sources.size());
    book.sources.insert(book.sources.end(), names.begin(), names.end());
  }
  if constexpr (requires { element.is_damped(); }) {
    if (element.is_damped()) {
      book.damper_of[&element] = static_cast<int>(book.dampers.size());
      book.dampers.push_back(element.name);
    }
  }
  if constexpr (requires { element.state_count(); }) {
    if (element.state_count() > 0) book.first_state[&element] = book.state_count;
    book.state_count += element.state_count();
  }
  if constexpr (requires { element.holds_loads(); }) {
    if (element.holds_loads()) {
      book.sampled_of[&element] = static_cast<int>(book.sampled.size());
      book.sampled.push_back(element.name);
    }
  }
  if constexpr (requires { element.programs(); }) {
    for (const Program& program : element.programs()) {
      const std::vector<double> own = program.breakpoints();
      book.breakpoints.insert(book.breakpoints.end(), own.begin(), own.end());
    }
  }
}

}  // namespace

FlowBook make_flow_book(const Model& model, const void* external) {
  FlowBook all;
  for_each_kind(model.elements(), [&](const char*, const auto& list) {
    for (const auto& element : list) book(element, all);
  });
  if (external) {
    all.first_source[external] = static_cast<int>(all.sources.size());
    all.sources.emplace_back("external");
  }
  std::sort(all.breakpoints.begin(), all.breakpoints.end());
  all.breakpoints.erase(std::unique(all.breakpoints.begin(), all.breakpoints.end()), all.breakpoints.end());
  return all;
}

}  // namespace torsor
