#pragma once
// Sums that keep what rounding takes from them.

namespace torsor {

/// Adds a term to a sum in two doubles, by Knuth's exact sum: `lost` is what `sum` cannot hold.
inline void add_exactly(double term, double& sum, double& lost) {
  const double all = term + lost;
  const double total = sum + all;
  const double seen = total - sum;
  lost = (sum - (total - seen)) + (all - seen);
  sum = total;
}

}  // namespace torsor
