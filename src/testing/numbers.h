#pragma once
// How far two lists of numbers are apart.

#include <algorithm>
#include <cmath>
#include <span>

namespace torsor {

/// Largest difference, relative to the largest entry of either list. Not a number where an entry is none.
inline double relative_error(std::span<const double> a, std::span<const double> b) {
  double worst = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    worst = difference <= worst ? worst : difference;
    scale = std::max({scale, std::abs(a[i]), std::abs(b[i])});
  }
  return worst / scale;
}

}  // namespace torsor
