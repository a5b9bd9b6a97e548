#pragma once

#include <span>
#include <vector>

#include "bench/contender.h"

namespace torsor::bench {

struct TimingOptions {
  int rounds = 15;             ///< in each, every contender has a turn
  double turn_seconds = 2e-3;  ///< length of a turn
};

/// Nanoseconds a state of each contender: the fastest of its turns. Turns are interleaved, so that a change
/// of the clock rate or a busy neighbour meets all alike.
std::vector<double> nanoseconds_per_state(std::span<const Contender> contenders,
                                          const TimingOptions& options);

}  // namespace torsor::bench
