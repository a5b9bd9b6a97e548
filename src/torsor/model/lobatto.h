#pragma once
// The rule of Lobatto with five nodes, of order 8, by which laws that are functions average their derivatives on the way
// of a step; Simpson's rule has three of the same nodes.

#include <limits>

namespace torsor::lobatto {

/// In roundings of the potential: what two rules may differ by in energy.
inline constexpr double kAlike = 16 * std::numeric_limits<double>::epsilon();

struct Node {
  double way, weight;
};
inline constexpr double kInner = 0.32732683535398857190;  // sqrt(3/7) / 2
/// Without the ends; the second is the middle.
inline constexpr Node kInside[] = {{0.5 - kInner, 49.0 / 180}, {0.5, 16.0 / 45}, {0.5 + kInner, 49.0 / 180}};
inline constexpr double kAtEnds = 1.0 / 20;

}  // namespace torsor::lobatto
