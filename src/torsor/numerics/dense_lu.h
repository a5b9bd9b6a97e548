#pragma once
// LU factorisation with row pivoting, in place. Eigen's allocates its packing buffers from a size of about
// 130 on; this one never allocates, which a time step relies on.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "torsor/base/state_tape.h"
#include "torsor/numerics/small_lu.h"

namespace torsor {

/// Of numbers, or of packs of them with rows pivoted in every lane by itself; then n is at most 64.
template <class S>
class DenseLuOf {
 public:
  explicit DenseLuOf(int n) : n_(n), a_(static_cast<std::size_t>(n) * n), pivot_(n) {}

  /// To be filled with the matrix, column-major, before factorise().
  std::span<S> matrix() { return a_; }

  /// P A = L U, right-looking. A singular matrix leaves infinities, which solve() hands on.
  void factorise() {
    for (std::size_t k = 0; k < n_; ++k) {
      S* column = a_.data() + k * n_;
      if constexpr (kPlain) {
        std::size_t best = k;
        for (std::size_t i = k + 1; i < n_; ++i) {
          if (std::abs(column[i]) > std::abs(column[best])) best = i;
        }
        pivot_[k] = best;
        if (best != k) {
          for (std::size_t j = 0; j < n_; ++j) std::swap(a_[j * n_ + k], a_[j * n_ + best]);
        }
      } else {
        S largest;
        const int row = static_cast<int>(k);
        pivot_[k] = find_pivot<S::size>(
            row, static_cast<int>(n_), [&](int i) -> const S& { return column[i]; }, largest);
        for_each_swap(pivot_[k], [&](int i, const auto& mask) {
          for (std::size_t j = 0; j < n_; ++j) swap_where<S::size>(mask, a_[j * n_ + k], a_[j * n_ + i]);
        });
      }
      const S inverse = 1 / column[k];
      for (std::size_t i = k + 1; i < n_; ++i) column[i] *= inverse;
      for (std::size_t j = k + 1; j < n_; ++j) add_scaled(-a_[j * n_ + k], k, k + 1, n_, &a_[j * n_]);
    }
  }

  /// b becomes A^-1 b.
  void solve(std::span<S> b) const {
    for (std::size_t k = 0; k < n_; ++k) {
      if constexpr (kPlain) {
        std::swap(b[k], b[pivot_[k]]);
      } else {
        for_each_swap(pivot_[k], [&](int i, const auto& mask) { swap_where<S::size>(mask, b[k], b[i]); });
      }
    }
    for (std::size_t k = 0; k < n_; ++k) add_scaled(-b[k], k, k + 1, n_, b.data());
    for (std::size_t k = n_; k-- > 0;) {
      b[k] /= a_[k * n_ + k];
      add_scaled(-b[k], k, 0, k, b.data());
    }
  }

  void pass(StateTape& tape) requires std::same_as<S, double> {
    tape(a_, pivot_);
    const auto is_row = [this](std::size_t row) { return row < n_; };
    tape.require(std::all_of(pivot_.begin(), pivot_.end(), is_row), "a pivot is out of its matrix");
  }

 private:
  static constexpr bool kPlain = std::is_same_v<S, double>;
  template <class T>
  struct PivotOf {
    using type = std::size_t;
  };
  template <int N>
  struct PivotOf<Pack<N>> {
    using type = LaneSwap<N>;
  };

  /// x[i] += factor * (column k)[i] for begin <= i < end.
  void add_scaled(const S& factor, std::size_t k, std::size_t begin, std::size_t end, S* x) const {
    const S* column = a_.data() + k * n_;
    for (std::size_t i = begin; i < end; ++i) x[i] += factor * column[i];
  }

  std::size_t n_;
  std::vector<S> a_;
  std::vector<typename PivotOf<S>::type> pivot_;
};
using DenseLu = DenseLuOf<double>;

}  // namespace torsor
