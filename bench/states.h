#pragma once

#include "bench/contender.h"

namespace torsor::bench {

/// Random configurations, rates, accelerations, and the efforts that belong to them.
States random_states(const Model& model, int count);

}  // namespace torsor::bench
