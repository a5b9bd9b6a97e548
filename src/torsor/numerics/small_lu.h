#pragma once
// LU with row pivoting of a small square block whose rows go on into further columns. Row-major; sizes known
// to the compiler; V columns at once, so the stride is a multiple of V and rows are aligned to it. Loops are
// unrolled by order: GCC's own budget stops half way, which takes half as long again.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>

#include "torsor/base/pack_math.h"

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

// A pack is a register by itself.
template <int V, int N>
const Pack<N>& load_lanes(const Pack<N>* from) {
  return *from;
}
template <int V, int N>
void store_lanes(Pack<N>* to, const Pack<N>& lanes) {
  *to = lanes;
}

/// The exchange of a row with a later one, in every lane another: that with the index `best`, or none.
template <int N>
struct LaneSwap {
  typename Pack<N>::Bits best{};
  std::uint64_t rows = 0;  ///< bits of the later rows that some lane takes
};
/// The largest of |at(k)|, |at(k + 1)|, .. |at(n - 1)|, n <= 64; `largest` is its size.
template <int N, class At>
LaneSwap<N> find_pivot(int k, int n, At&& at, Pack<N>& largest) {
  LaneSwap<N> swap;
  swap.best = k - typename Pack<N>::Bits{};
  largest = abs(at(k));
  for (int i = 1; i < n; ++i) {  // by constants, or GCC 12 sees loops without end where k is the last
    if (i <= k) continue;
    const Pack<N> size = abs(at(i));
    const typename Pack<N>::Mask more = size > largest;
    swap.best = more.bits ? i - typename Pack<N>::Bits{} : swap.best;
    largest = select(more, size, largest);
  }
  for (int i = 1; i < n; ++i) {
    if (i > k && any(typename Pack<N>::Mask(swap.best == i))) swap.rows |= std::uint64_t{1} << i;
  }
  return swap;
}
/// `exchange(i, mask)` of the row k with every later row i that some lane takes.
template <int N, class Exchange>
void for_each_swap(const LaneSwap<N>& swap, Exchange&& exchange) {
  for (std::uint64_t rows = swap.rows; rows != 0; rows &= rows - 1) {
    const int i = std::countr_zero(rows);
    exchange(i, typename Pack<N>::Mask(swap.best == i));
  }
}
template <int N>
[[gnu::always_inline]] inline void swap_where(const typename Pack<N>::Mask& mask, Pack<N>& a, Pack<N>& b) {
  const Pack<N> upper = a;
  a = select(mask, b, upper);
  b = select(mask, upper, b);
}

/// x = P b for the b at from[0], from[stride], ..
template <int S, class T, class U>
[[gnu::always_inline]] inline void load_permuted(const int* order, const U* from, int stride, T* x) {
  for (int i = 0; i < S; ++i) {
    if constexpr (std::is_same_v<T, U>) {
      x[i] = from[order[i] * stride];
    } else {
      x[i] = load_lanes<sizeof(T) / sizeof(U)>(from + order[i] * stride);
    }
  }
}
template <int S, int N>
[[gnu::always_inline]] inline void load_permuted(const LaneSwap<N>* order, const Pack<N>* from, int stride,
                                                 Pack<N>* x) {
  for (int i = 0; i < S; ++i) x[i] = from[i * stride];
#pragma GCC unroll 12
  for (int k = 0; k < S - 1; ++k) {
    if (order[k].rows == 0) continue;
      // By indices that the compiler knows: x stays in registers.
#pragma GCC unroll 12
    for (int i = k + 1; i < S; ++i) {
      if (order[k].rows >> i & 1) swap_where<N>(typename Pack<N>::Mask(order[k].best == i), x[k], x[i]);
    }
  }
}

/// `Width` numbers of one kind, and how the order of pivoted rows is kept.
template <class S, int Width>
struct RegisterOf {
  using type = Lanes<Width>;
  using Order = int;
};
template <int N, int Width>
struct RegisterOf<Pack<N>, Width> {
  using type = Pack<N>;
  using Order = LaneSwap<N>;
};
template <>
struct RegisterOf<double, 1> {
  using type = double;
  using Order = int;
};

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

/// row[0] x[0] + .. + row[N - 1] x[N - 1].
template <int N, class X, class S>
[[gnu::always_inline]] inline X row_times(const S* row, const X* x) {
  X sum = row[0] * x[0];
#pragma GCC unroll 12
  for (int k = 1; k < N; ++k) sum += row[k] * x[k];
  return sum;
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

/// The same in every lane, but for the further columns: these are solved for one by one, in registers. Which lanes are
/// regular; the others have numbers that are none, and go on.
template <int S, int V, int N, class Stride>
typename Pack<N>::Mask factorise_rows(Pack<N>* rows, Stride stride, LaneSwap<N>* order) {
  typename Pack<N>::Mask regular = all_lanes<Pack<N>>();
  for (int k = 0; k < S; ++k) {
    Pack<N> largest;
    order[k] = find_pivot<N>(
        k, S, [&](int i) -> const Pack<N>& { return rows[i * stride + k]; }, largest);
    regular = regular & (largest > 0.0) & (largest <= std::numeric_limits<double>::max());
    Pack<N>* pivot = rows + k * stride;
    for_each_swap(order[k], [&](int i, const auto& mask) {
      for (int j = 0; j < S; ++j) swap_where<N>(mask, pivot[j], rows[i * stride + j]);
    });
    const Pack<N> inverse = 1.0 / pivot[k];
    pivot[k] = inverse;
    Pack<N> factor[S];
    for (int i = k + 1; i < S; ++i) rows[i * stride + k] = factor[i] = rows[i * stride + k] * inverse;
    for (int j = k + 1; j < S; ++j) {
      const Pack<N> tail = pivot[j];
      for (int i = k + 1; i < S; ++i) rows[i * stride + j] -= factor[i] * tail;
    }
  }
  return regular;
}

/// x becomes L^-1 x; a T is one number or the lanes of one.
template <int S, class T, class U, class Stride>
void substitute_forward(const U* rows, Stride stride, T* x) {
#pragma GCC unroll 12
  for (int i = 1; i < S; ++i)
#pragma GCC unroll 12
    for (int j = 0; j < i; ++j) x[i] -= rows[i * stride + j] * x[j];
}

/// x becomes U^-1 x.
template <int S, class T, class U, class Stride>
void substitute_backward(const U* rows, Stride stride, T* x) {
#pragma GCC unroll 12
  for (int i = S - 1; i >= 0; --i) {
#pragma GCC unroll 12
    for (int j = S - 1; j > i; --j) x[i] -= rows[i * stride + j] * x[j];
    x[i] *= rows[i * stride + i];
  }
}

}  // namespace torsor
