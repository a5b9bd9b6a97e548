#pragma once
// Fewer records that keep the extremes: of a stretch of states those at which a number is least or greatest.

#include <span>
#include <vector>

#include "torsor/simulation/channels.h"

namespace torsor {

/// Between two states that are recorded anyway it keeps at most two states for each number it watches.
class ExtremeStates {
 public:
  /// Watches the channels that the patterns choose, of observations like the given one. Throws ModelError at `key` as
  /// chosen_channels does.
  ExtremeStates(const Manifest& manifest, const std::vector<std::string>& patterns, const std::string& key,
                const Observation& like);

  /// From a state that is recorded.
  void begin(const Observation& observation, double energy_residual);
  void feed(const Observation& observation, double energy_residual);
  /// Up to a state that is recorded: hands out those between that are extreme, in order of time, to
  /// `use(observation, energy_residual)`, and begins anew.
  template <class Use>
  void end(const Observation& observation, double energy_residual, const Use& use) {
    compare(row_.fill(observation, energy_residual, manifest_), kRecorded);
    for (const int slot : in_order()) {
      const Slot& kept = slots_[slot];
      if (kept.observation.time < observation.time) use(kept.observation, kept.energy_residual);
    }
    begin(observation, energy_residual);
  }
  void pass(StateTape& tape);

 private:
  static constexpr int kRecorded = -1;
  struct Slot {
    Observation observation;
    double energy_residual = 0;
    int holders = 0;  ///< numbers that are extreme there

    void pass(StateTape& tape) { tape(observation, energy_residual, holders); }
  };
  struct Range {
    double least = 0, greatest = 0;
    int at_least = kRecorded, at_greatest = kRecorded;  ///< slots

    void pass(StateTape& tape) { tape(least, greatest, at_least, at_greatest); }
  };
  bool compare(std::span<const double> row, int slot);  ///< whether it is extreme in anything
  void hold(int& place, int slot);
  int free_slot();
  const std::vector<int>& in_order();

  Manifest manifest_;
  Slot blank_;
  RecordRow row_;
  std::vector<Range> ranges_;
  std::vector<Slot> slots_;
  std::vector<int> order_;
};

}  // namespace torsor
