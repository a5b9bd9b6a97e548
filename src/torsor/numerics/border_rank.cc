#include "torsor/numerics/border_rank.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "torsor/numerics/jacobi_eigen.h"

namespace torsor {

BorderRank::BorderRank(int size)
    : size_(size),
      scaled_(size * size),
      vectors_(size * size),
      scale_(size),
      basis_(size * size),
      descending_(size) {}

void BorderRank::decompose(std::span<const double> schur, double sign, double noise) {
  assert(schur.size() == scaled_.size());
  double largest = 0;
  for (int i = 0; i < size_; ++i) largest = std::max(largest, sign * schur[i * size_ + i]);
  for (int i = 0; i < size_; ++i) {
    const double entry = sign * schur[i * size_ + i];
    scale_[i] = largest > 0 ? std::sqrt(entry > noise * largest ? entry : largest) : 1;
  }
  for (int i = 0; i < size_; ++i)
    for (int j = 0; j < size_; ++j)
      scaled_[i * size_ + j] =
          sign * (schur[i * size_ + j] + schur[j * size_ + i]) / (2 * scale_[i] * scale_[j]);
  jacobi_eigen(size_, scaled_, vectors_);
  std::iota(descending_.begin(), descending_.end(), 0);
  std::sort(descending_.begin(), descending_.end(),
            [&](int i, int j) { return scaled_[i * size_ + i] > scaled_[j * size_ + j]; });
}

int BorderRank::rank(double threshold) const {
  int rank = 0;
  while (rank < size_ && relative_eigenvalue(rank) > threshold) ++rank;
  return rank;
}

double BorderRank::relative_eigenvalue(int k) const {
  if (k >= size_) return 0;
  const auto eigenvalue = [&](int i) { return scaled_[descending_[i] * size_ + descending_[i]]; };
  return eigenvalue(0) > 0 ? eigenvalue(k) / eigenvalue(0) : 0;
}

std::span<const double> BorderRank::basis(int rank) {
  assert(rank >= 0 && rank <= size_);
  for (int i = 0; i < size_; ++i)
    for (int k = 0; k < rank; ++k) basis_[i * rank + k] = vectors_[descending_[k] * size_ + i] / scale_[i];
  return std::span<const double>(basis_).first(size_ * rank);
}

void BorderRank::remove_null(std::span<double> nu, int rank) const {
  for (int k = rank; k < size_; ++k) {
    const double* v = &vectors_[descending_[k] * size_];
    double along = 0;
    for (int i = 0; i < size_; ++i) along += v[i] * scale_[i] * nu[i];
    for (int i = 0; i < size_; ++i) nu[i] -= along * v[i] / scale_[i];
  }
}

}  // namespace torsor
