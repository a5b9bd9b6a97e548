#pragma once
// Sums that keep what rounding takes from them.

namespace torsor {

/// a + b and, in `lost`, what that cannot hold, by Knuth's exact sum.
inline double exact_sum(double a, double b, double& lost) {
  const double sum = a + b;
  const double seen = sum - a;
  lost = (a - (sum - seen)) + (b - seen);
  return sum;
}

/// Adds a term, smaller than the sum as a rule, to a sum in two doubles: `lost` is what `sum` cannot hold.
inline void add_exactly(double term, double& sum, double& lost) { sum = exact_sum(sum, term + lost, lost); }

}  // namespace torsor
