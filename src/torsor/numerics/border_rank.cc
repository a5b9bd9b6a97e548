#include "torsor/numerics/border_rank.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "torsor/base/norm.h"
#include "torsor/numerics/jacobi_eigen.h"

namespace torsor {

BorderRank::BorderRank(std::vector<double> units)
    : size_(static_cast<int>(units.size())),
      scaled_(size_ * size_),
      vectors_(size_ * size_),
      unit_(std::move(units)),
      basis_(size_ * size_),
      descending_(size_) {}

void BorderRank::decompose(std::span<const double> schur, double sign) {
  assert(schur.size() == scaled_.size());
  const bool finite = std::isfinite(max_abs(schur));
  for (int i = 0; i < size_; ++i)
    for (int j = 0; j < size_; ++j)
      scaled_[i * size_ + j] =
          finite ? sign * (schur[i * size_ + j] + schur[j * size_ + i]) / (2 * unit_[i] * unit_[j]) : 0;
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
    for (int k = 0; k < rank; ++k) basis_[i * rank + k] = vectors_[descending_[k] * size_ + i] / unit_[i];
  return std::span<const double>(basis_).first(size_ * rank);
}

void BorderRank::remove_null(std::span<double> nu, int rank) const {
  for (int k = rank; k < size_; ++k) {
    const double* v = &vectors_[descending_[k] * size_];
    double along = 0;
    for (int i = 0; i < size_; ++i) along += v[i] * unit_[i] * nu[i];
    for (int i = 0; i < size_; ++i) nu[i] -= along * v[i] / unit_[i];
  }
}

}  // namespace torsor
