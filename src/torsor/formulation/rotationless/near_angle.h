#pragma once
// Angles to 1e-5 rad, at a fraction of the time: enough to count the next one on from.

#include <cmath>
#include <limits>
#include <numbers>

#include "torsor/base/pack_math.h"

namespace torsor {

/// By Hastings' polynomial of an octant.
template <class S>
S near_atan2(const S& s, const S& c) {
  using std::abs, std::max, std::min;
  const S high = max(abs(s), abs(c)), low = min(abs(s), abs(c));
  const S t = low / max(high, S(std::numeric_limits<double>::min())), u = t * t;
  S angle = t * (0.9998660 + u * (-0.3302995 + u * (0.1801410 + u * (-0.0851330 + u * 0.0208351))));
  angle = select(abs(s) > abs(c), S(0.5 * std::numbers::pi - angle), angle);
  angle = select(c < 0.0, S(std::numbers::pi - angle), angle);
  return select(s < 0.0, S(-angle), angle);
}

}  // namespace torsor
