#pragma once
// Steps that end on the kinks of programs: across a kink a method of order p is one of order 1 or 2.

#include <algorithm>
#include <cmath>
#include <vector>

namespace torsor {

/// Hands a step of length h to `take(part)`, in parts that end on the breakpoints (increasing) within it.
/// Breakpoints that a step begins or ends on but for rounding make no part of their own.
template <class Take>
void step_over_kinks(const std::vector<double>& breakpoints, double begin, double h, Take&& take) {
  constexpr double kRounding = 1e-9;  // of the step
  double done = 0;
  auto kink = std::upper_bound(breakpoints.begin(), breakpoints.end(), begin + kRounding * h);
  for (; kink != breakpoints.end(); ++kink) {
    const double part = *kink - begin - done;
    if (done + part > (1 - kRounding) * h) break;
    if (part < kRounding * h) continue;
    take(part);
    done += part;
  }
  take(h - done);
}

}  // namespace torsor
