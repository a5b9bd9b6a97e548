#pragma once
// How steps are spread over a run: short where its motion bends much, long where it does not.

#include <vector>

#include "torsor/simulation/settings.h"

namespace torsor {

/// |v''| along a pilot run, in equal parts of its duration (speeds as motion_watch.h weighs them).
using BendProfile = std::vector<double>;

/// A method of order p loses about |v''|^(p/2) h^p in a unit of time, and with
///   1/h(t) ~ |v''|^(p / (2 (p + 1)))                                                               (1)
/// it loses least for a number of steps. A density of steps along a run, one number for each part, of mean 1: (1), in
/// bounds; of equal steps where that saves little.
std::vector<double> step_density(const BendProfile& bend, int order);

/// Spans of equal steps after that density, about `steps` of them in all; a single span where the density is even or
/// steps are few.
std::vector<StepSpan> spread_steps(const std::vector<double>& density, double duration, long steps);

}  // namespace torsor
