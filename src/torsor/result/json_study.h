#pragma once
// Studies as `study --json` prints them.

#include <string>

#include "torsor/study/comparison.h"
#include "torsor/study/convergence_study.h"
#include "torsor/study/sampling_study.h"

namespace torsor {

std::string study_json(const ConvergenceStudy& study);
std::string study_json(const Comparison& comparison);
std::string study_json(const SamplingStudy& study);

}  // namespace torsor
