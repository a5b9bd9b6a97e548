#include "torsor/numerics/restricted_lu.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "torsor/base/norm.h"

namespace torsor {

RestrictedLu::RestrictedLu(int size)
    : size_(size), rank_(size), basis_(size * size), product_(size * size), reduced_(size), lu_(size) {}

void RestrictedLu::set_basis(std::span<const double> basis, int rank) {
  whole_ = basis.empty() && rank == size_;
  rank_ = rank;
  if (whole_) return;
  assert(rank <= size_ && basis.size() >= static_cast<std::size_t>(size_ * rank));
  std::copy_n(basis.begin(), size_ * rank, basis_.begin());
}

bool RestrictedLu::factorise(std::span<const double> S) {
  assert(S.size() == product_.size());
  const std::span<double> matrix = lu_.matrix();
  if (whole_) {
    for (int i = 0; i < size_; ++i)
      for (int j = 0; j < size_; ++j) matrix[j * size_ + i] = S[i * size_ + j];
  } else {
    project(S);
  }
  lu_.factorise();
  pivot_ratio_ = 0;
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (int j = 0; j < rank_; ++j) {
    const double pivot = std::abs(matrix[j * size_ + j]);
    if (!(pivot > 0 && std::isfinite(pivot))) return false;
    smallest = smaller(smallest, pivot);
    largest = larger(largest, pivot);
  }
  pivot_ratio_ = rank_ > 0 ? smallest / largest : 1;
  return true;
}

/// Q^T S Q, column-major; beyond the rank the identity, for the size of the factorisation is fixed.
void RestrictedLu::project(std::span<const double> S) {
  std::fill(product_.begin(), product_.end(), 0.0);  // S Q
  for (int i = 0; i < size_; ++i)
    for (int k = 0; k < size_; ++k)
      for (int j = 0; j < rank_; ++j) product_[i * rank_ + j] += S[i * size_ + k] * basis_[k * rank_ + j];
  const std::span<double> matrix = lu_.matrix();
  std::fill(matrix.begin(), matrix.end(), 0.0);
  for (int j = 0; j < rank_; ++j)
    for (int k = 0; k < size_; ++k)
      for (int i = 0; i < rank_; ++i)
        matrix[j * size_ + i] += basis_[k * rank_ + i] * product_[k * rank_ + j];
  for (int j = rank_; j < size_; ++j) matrix[j * size_ + j] = 1;
}

void RestrictedLu::solve(std::span<double> b) {
  assert(b.size() == reduced_.size());
  if (whole_) return lu_.solve(b);
  std::fill(reduced_.begin(), reduced_.end(), 0.0);
  for (int i = 0; i < size_; ++i)
    for (int j = 0; j < rank_; ++j) reduced_[j] += basis_[i * rank_ + j] * b[i];
  lu_.solve(reduced_);
  for (int i = 0; i < size_; ++i) {
    b[i] = 0;
    for (int j = 0; j < rank_; ++j) b[i] += basis_[i * rank_ + j] * reduced_[j];
  }
}

}  // namespace torsor
