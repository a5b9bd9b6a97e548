#pragma once
// Which parts of a mechanism nothing holds to a place: their motion is the same wherever they are.

#include <vector>

#include "torsor/model/model.h"

namespace torsor {

/// The bodies of each part that no joint but a free one, no tendon and nothing else that asks for a place ties to the
/// ground; in each list in the order of the bodies. Gravity, loads and drag are the same everywhere. Bodies that
/// joints, tendons or bushings connect are of one part. None where something acts on the coordinates of a joint to the
/// ground, on a point in the world, or leads anything along a program.
std::vector<std::vector<int>> free_parts(const Model& model);

}  // namespace torsor
