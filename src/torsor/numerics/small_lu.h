#pragma once
// LU with row pivoting of a small square block whose rows go on into further columns. Row-major; sizes known
// to the compiler; V columns at once, so the stride is a multiple of V and rows are aligned to it. Loops are
// unrolled by order: GCC's own budget stops half way, which takes half as long again.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "torsor/base/pack.h"

namespace torsor {

template <int V>
using Lanes = typename SimdRegister<V>::Lanes;

template <int V>
Lanes<V> load_lanes(const double* from) {
  Lanes<V> lanes;
  std::memcpy(&lanes, std::assume_aligned<8 * V>(from), sizeof lanes);
  return lanes;
}

template <int V>
void store_lanes(double* to, const Lanes<V>& lanes) {
  std::memcpy(std::assume_aligned<8 * V>(to), &lanes, sizeof lanes);
}

/// Calls f<N>() with N the count, kLeast to kMost, so that every loop's bounds are known to the compiler.
template <int kLeast, int kMost, class F>
[[gnu::always_inline]] inline auto with_count(int count, F f) {
  if constexpr (kLeast == kMost) {
    return f.template operator()<kMost>();
  } else {
    if (count == kLeast) return f.template operator()<kLeast>();
    return with_count<kLeast + 1, kMost>(count, f);
  }
}

/// The first S columns of S rows become L and U, P A = L U, with the inverses of U's diagonal in its place;
/// further columns b become L^-1 P b. Row i of the result came from row order[i]. False, with the work
/// unfinished, if a pivot is zero or not finite.
template <int S, int V, class Stride>
bool factorise_rows(double* rows, Stride stride, int* order) {
  const auto lane = [] {
    typename SimdRegister<V>::Bits bits;
    for (int i = 0; i < V; ++i) bits[i] = i;
    return bits;
  }();
  for (int i = 0; i < S; ++i) order[i] = i;
#pragma GCC unroll 12
  for (int k = 0; k < S; ++k) {
    int best = k;
    double largest = std::abs(rows[k * stride + k]);
    for (int i = k + 1; i < S; ++i) {
      const double size = std::abs(rows[i * stride + k]);
      best = size > largest ? i : best;
      largest = size > largest ? size : largest;
    }
    if (!(largest > 0 && largest <= std::numeric_limits<double>::max())) return false;
    double* pivot = rows + k * stride;
    if (best != k) {
      std::swap(order[k], order[best]);
      double* other = rows + best * stride;
      for (int j = 0; j < stride; j += V) {
        const Lanes<V> upper = load_lanes<V>(pivot + j), lower = load_lanes<V>(other + j);
        store_lanes<V>(pivot + j, lower);
        store_lanes<V>(other + j, upper);
      }
    }
    // Scalar stores into a row would stall the loads of whole registers that follow: lane k is blended in.
    const int first = k / V * V;
    const auto at_k = lane == k % V;
    const Lanes<V> zero{};
    const double inverse = 1 / pivot[k];
    const Lanes<V> head = load_lanes<V>(pivot + first);
    const Lanes<V> after_k = lane > k % V ? head : zero;
    store_lanes<V>(pivot + first, at_k ? inverse + zero : head);
    double factor[S];
    for (int i = k + 1; i < S; ++i) {
      double* row = rows + i * stride;
      factor[i] = row[k] * inverse;
      const Lanes<V> updated = load_lanes<V>(row + first) - factor[i] * after_k;
      store_lanes<V>(row + first, at_k ? factor[i] + zero : updated);
    }
    for (int j = first + V; j < stride; j += V) {
      const Lanes<V> tail = load_lanes<V>(pivot + j);
      for (int i = k + 1; i < S; ++i)
        store_lanes<V>(rows + i * stride + j, load_lanes<V>(rows + i * stride + j) - factor[i] * tail);
    }
  }
  return true;
}

/// x becomes L^-1 x; a T is one number or the lanes of one.
template <int S, class T, class Stride>
void substitute_forward(const double* rows, Stride stride, T* x) {
#pragma GCC unroll 12
  for (int i = 1; i < S; ++i)
#pragma GCC unroll 12
    for (int j = 0; j < i; ++j) x[i] -= rows[i * stride + j] * x[j];
}

/// x becomes U^-1 x.
template <int S, class T, class Stride>
void substitute_backward(const double* rows, Stride stride, T* x) {
#pragma GCC unroll 12
  for (int i = S - 1; i >= 0; --i) {
#pragma GCC unroll 12
    for (int j = S - 1; j > i; --j) x[i] -= rows[i * stride + j] * x[j];
    x[i] *= rows[i * stride + i];
  }
}

}  // namespace torsor
