#pragma once
// How many conditions of joints are independent, in the coordinates of bodies.

#include <optional>
#include <vector>

#include "torsor/model/model.h"

namespace torsor {

/// Rows of all joints, tree and loops, that depend on others in the configuration q. Along a tree of joints errors
/// grow from link to link, so that in a large lattice rounding looks like a rank in its coordinates; in those of
/// bodies a joint has two neighbours, wherever it is. For models without couplings; empty where an elimination meets a pivot that vanishes.
std::optional<int> dependent_row_count(const Model& model, const std::vector<double>& q);

}  // namespace torsor
