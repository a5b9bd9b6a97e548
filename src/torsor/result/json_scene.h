#pragma once
// What a mechanism looks like, for those who draw it: kept with every result, so that a picture needs neither
// the model file nor its meshes.

#include <string>

#include "torsor/model/model.h"

namespace torsor {

/// One JSON object: bodies with their shapes and the box of equal inertia, joints with their frames, points,
/// tendons. Frames and points are in the axes of their body; body -1 is the ground. Planar models lie in the
/// plane z = 0.
std::string scene_json(const Model& model);

}  // namespace torsor
