#pragma once
// LU factorisation with row pivoting, in place. Eigen's allocates its packing buffers from a size of about
// 130 on; this one never allocates, which a time step relies on.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "torsor/base/state_tape.h"

namespace torsor {

class DenseLu {
 public:
  explicit DenseLu(int n) : n_(n), a_(static_cast<std::size_t>(n) * n), pivot_(n) {}

  /// To be filled with the matrix, column-major, before factorise().
  std::span<double> matrix() { return a_; }

  /// P A = L U, right-looking. A singular matrix leaves infinities, which solve() hands on.
  void factorise() {
    for (std::size_t k = 0; k < n_; ++k) {
      double* column = a_.data() + k * n_;
      std::size_t best = k;
      for (std::size_t i = k + 1; i < n_; ++i) {
        if (std::abs(column[i]) > std::abs(column[best])) best = i;
      }
      pivot_[k] = best;
      if (best != k) {
        for (std::size_t j = 0; j < n_; ++j) std::swap(a_[j * n_ + k], a_[j * n_ + best]);
      }
      const double inverse = 1 / column[k];
      for (std::size_t i = k + 1; i < n_; ++i) column[i] *= inverse;
      for (std::size_t j = k + 1; j < n_; ++j) add_scaled(-a_[j * n_ + k], k, k + 1, n_, &a_[j * n_]);
    }
  }

  /// b becomes A^-1 b.
  void solve(std::span<double> b) const {
    for (std::size_t k = 0; k < n_; ++k) std::swap(b[k], b[pivot_[k]]);
    for (std::size_t k = 0; k < n_; ++k) add_scaled(-b[k], k, k + 1, n_, b.data());
    for (std::size_t k = n_; k-- > 0;) {
      b[k] /= a_[k * n_ + k];
      add_scaled(-b[k], k, 0, k, b.data());
    }
  }

  void pass(StateTape& tape) { tape(a_, pivot_); }

 private:
  /// x[i] += factor * (column k)[i] for begin <= i < end.
  void add_scaled(double factor, std::size_t k, std::size_t begin, std::size_t end, double* x) const {
    const double* column = a_.data() + k * n_;
    for (std::size_t i = begin; i < end; ++i) x[i] += factor * column[i];
  }

  std::size_t n_;
  std::vector<double> a_;
  std::vector<std::size_t> pivot_;
};

}  // namespace torsor
