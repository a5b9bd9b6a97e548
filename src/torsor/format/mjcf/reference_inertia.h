#pragma once
// The mass matrix in the reference configuration, for what the format derives from it.

#include <vector>

#include "torsor/format/mjcf/world.h"

namespace torsor::mjcf {

/// For each joint the inertia against which its first rate moves when all others are free: 1 over the diagonal of M^-1, rotors included.
std::vector<double> free_inertias(const World& world);
/// Likewise against which a sum of coordinates moves, of joints and factors: 1 / (j^T M^-1 j).
double inertia_along(const World& world, const std::vector<std::pair<int, double>>& terms);

}  // namespace torsor::mjcf
