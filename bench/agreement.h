#pragma once

#include <span>

#include "bench/contender.h"

namespace torsor::bench {

/// Largest difference of any contender's results from the reference's (the first of the same algorithm), over
/// the first `states` states, relative to the largest entry.
double disagreement(std::span<const Contender> contenders, Algorithm algorithm, int states);

}  // namespace torsor::bench
