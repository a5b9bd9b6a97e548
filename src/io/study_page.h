#pragma once
// Studies as pages: what `study --out FILE.html` writes.

#include <string>

#include "simulation/comparison.h"
#include "simulation/convergence_study.h"

namespace torsor {

std::string study_page(const ConvergenceStudy& study);
std::string study_page(const Comparison& comparison);

}  // namespace torsor
