#include "torsor/simulation/extreme_states.h"

#include <algorithm>

namespace torsor {

ExtremeStates::ExtremeStates(const Manifest& manifest, const std::vector<std::string>& patterns,
                             const std::string& key, const Observation& like)
    : manifest_(manifest), blank_{like}, row_(manifest, patterns, key), ranges_(row_.size()) {}

void ExtremeStates::begin(const Observation& observation, double energy_residual) {
  for (Slot& slot : slots_) slot.holders = 0;
  const std::span<const double> row = row_.fill(observation, energy_residual, manifest_);
  for (std::size_t i = 0; i < ranges_.size(); ++i) ranges_[i] = {row[i], row[i]};
}

void ExtremeStates::feed(const Observation& observation, double energy_residual) {
  const int slot = free_slot();
  if (!compare(row_.fill(observation, energy_residual, manifest_), slot)) return;
  slots_[slot].observation = observation;
  slots_[slot].energy_residual = energy_residual;
}

bool ExtremeStates::compare(std::span<const double> row, int slot) {
  bool extreme = false;
  for (std::size_t i = 1; i < ranges_.size(); ++i) {  // the time is extreme at the ends
    Range& range = ranges_[i];
    if (row[i] < range.least) range.least = row[i], hold(range.at_least, slot), extreme = true;
    if (row[i] > range.greatest) range.greatest = row[i], hold(range.at_greatest, slot), extreme = true;
  }
  return extreme;
}

void ExtremeStates::hold(int& place, int slot) {
  if (place != kRecorded) --slots_[place].holders;
  place = slot;
  if (slot != kRecorded) ++slots_[slot].holders;
}

int ExtremeStates::free_slot() {
  const auto free =
      std::find_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.holders == 0; });
  if (free != slots_.end()) return static_cast<int>(free - slots_.begin());
  slots_.push_back(blank_);
  return static_cast<int>(slots_.size()) - 1;
}

void ExtremeStates::pass(StateTape& tape) {
  tape(ranges_);
  tape.growing(slots_, 2 * ranges_.size() + 1, blank_);  // and one that is free
  const auto is_place = [&](int place) {
    return place >= kRecorded && place < static_cast<int>(slots_.size());
  };
  for (const Range& range : ranges_) {
    tape.require(is_place(range.at_least) && is_place(range.at_greatest), "a state that is not there");
  }
}

const std::vector<int>& ExtremeStates::in_order() {
  order_.clear();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].holders > 0) order_.push_back(static_cast<int>(i));
  }
  std::sort(order_.begin(), order_.end(),
            [&](int a, int b) { return slots_[a].observation.time < slots_[b].observation.time; });
  return order_;
}

}  // namespace torsor
