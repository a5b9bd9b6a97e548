#pragma once
// Sums that keep what rounding takes from them.

#include <type_traits>

namespace torsor {

/// a + b and, in `lost`, what that cannot hold, by Knuth's exact sum.
template <class S>
S exact_sum(const S& a, const std::type_identity_t<S>& b, S& lost) {
  const S sum = a + b;
  const S seen = sum - a;
  lost = (a - (sum - seen)) + (b - seen);
  return sum;
}

/// Adds a term, smaller than the sum as a rule, to a sum in two doubles: `lost` is what `sum` cannot hold.
template <class S>
void add_exactly(const S& term, S& sum, S& lost) {
  sum = exact_sum(sum, term + lost, lost);
}

}  // namespace torsor
