#pragma once
// The result of `torsor reproduce` as one HTML file that needs nothing else: table, verdicts, curves.

#include <string>

#include "experiments/reproduce.h"

namespace torsor {

std::string reproduction_page(const Reproduction& reproduction);

}  // namespace torsor
