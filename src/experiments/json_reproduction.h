#pragma once
// The result of `torsor reproduce` as JSON.

#include <string>

#include "experiments/reproduce.h"

namespace torsor {

/// One object: rows and curves of each experiment; numbers that are not finite are null.
std::string reproduction_json(const Reproduction& reproduction, int indent = -1);

}  // namespace torsor
