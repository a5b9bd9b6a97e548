#pragma once
// The convex hull of points in space.

#include <array>
#include <optional>
#include <vector>

#include "torsor/base/vec.h"

namespace torsor {

/// Comparisons of a point with a face. Ordinary surfaces take some hundred for each point; the square of the number of points
/// is possible.
constexpr long kMostHullWork = 1'000'000'000;

/// Triangles, counter-clockwise seen from outside, as indices of points. Points within 1e-12 of the size from a face count as
/// on it. An empty list where all points lie in a plane; nothing where it would take more than `most_work`.
std::optional<std::vector<std::array<int, 3>>> convex_hull(const std::vector<Vec3<double>>& points,
                                                           long most_work = kMostHullWork);

}  // namespace torsor
