#pragma once
// Studies as pages: what `study --out FILE.html` writes.

#include <string>

#include "torsor/study/comparison.h"
#include "torsor/study/convergence_study.h"

namespace torsor {

std::string study_page(const ConvergenceStudy& study);
std::string study_page(const Comparison& comparison);

}  // namespace torsor
