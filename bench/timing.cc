#include "bench/timing.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace torsor::bench {
namespace {

double seconds(const Contender& contender, int calls) {
  const auto start = std::chrono::steady_clock::now();
  contender.run(calls);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Calls that fill a turn, found by doubling; at least one.
int calls_in(const Contender& contender, double turn_seconds) {
  int calls = 1;
  double time = seconds(contender, calls);
  while (time < turn_seconds) {
    calls = time < turn_seconds / 10 ? 4 * calls : static_cast<int>(calls * 1.1 * turn_seconds / time) + 1;
    time = seconds(contender, calls);
  }
  return calls;
}

}  // namespace

std::vector<double> nanoseconds_per_state(std::span<const Contender> contenders,
                                          const TimingOptions& options) {
  std::vector<int> calls;
  for (const Contender& contender : contenders) calls.push_back(calls_in(contender, options.turn_seconds));
  std::vector<double> best(contenders.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < options.rounds; ++round) {
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const double call = seconds(contenders[i], calls[i]) / calls[i];
      best[i] = std::min(best[i], 1e9 * call / contenders[i].width);
    }
  }
  return best;
}

}  // namespace torsor::bench
