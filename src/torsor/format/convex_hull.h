#pragma once
// The convex hull of points in space.

#include <array>
#include <vector>

#include "torsor/base/vec.h"

namespace torsor {

/// Triangles, counter-clockwise seen from outside, as indices of points. Points within 1e-12 of the size from a face count as
/// on it. None where all points lie in a plane.
std::vector<std::array<int, 3>> convex_hull(const std::vector<Vec3<double>>& points);

}  // namespace torsor
