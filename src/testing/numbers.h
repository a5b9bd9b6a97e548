#pragma once
// How far two lists of numbers are apart.

#include <cmath>
#include <span>

#include "torsor/base/norm.h"

namespace torsor {

/// Largest difference, relative to the largest entry of either list. Not a number where an entry is none.
inline double relative_error(std::span<const double> a, std::span<const double> b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) keep_largest(worst, std::abs(a[i] - b[i]));
  return worst / larger(max_abs(a), max_abs(b));
}

}  // namespace torsor
