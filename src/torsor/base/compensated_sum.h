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
/// The same for many terms in a row, which wait for the sum alone: `lost` grows by what each of them loses (Ogita, Rump and
/// Oishi 2005).
template <class S>
void add_in_a_row(const S& term, S& sum, S& lost) {
  S rest;
  sum = exact_sum(sum, term, rest);
  lost += rest;
}

}  // namespace torsor
