#pragma once
// Studies as `study --json` prints them.

#include <string>

#include "simulation/comparison.h"
#include "simulation/convergence_study.h"

namespace torsor {

std::string study_json(const ConvergenceStudy& study);
std::string study_json(const Comparison& comparison);

}  // namespace torsor
