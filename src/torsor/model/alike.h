#pragma once
// What two models have in common: runs of a sweep differ in a few numbers, and keep what does not follow from these.

#include "torsor/model/model.h"

namespace torsor {

/// Whether they differ in numbers alone: names and kinds of all that they have, how it is connected, and how they wish to be
/// simulated, are the same. Never for models with functions of the user.
bool are_built_alike(const Model& a, const Model& b);

/// Of models that are built alike, whether bodies, joints and gravity are the same to the last bit. Shapes do not count.
bool move_alike(const Model& a, const Model& b);

}  // namespace torsor
