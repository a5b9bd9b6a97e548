#include "torsor/numerics/restricted_lu.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "torsor/base/pack_math.h"

namespace torsor {

template <class S>
RestrictedLuOf<S>::RestrictedLuOf(int size)
    : size_(size), rank_(size), basis_(size * size), product_(size * size), reduced_(size), lu_(size) {}

template <class S>
void RestrictedLuOf<S>::set_basis(std::span<const S> basis, int rank) {
  whole_ = basis.empty() && rank == size_;
  rank_ = rank;
  if (whole_) return;
  assert(rank <= size_ && basis.size() >= static_cast<std::size_t>(size_ * rank));
  std::copy_n(basis.begin(), size_ * rank, basis_.begin());
}

template <class S>
MaskOf<S> RestrictedLuOf<S>::factorise(std::span<const S> A) {
  using std::abs;
  assert(A.size() == product_.size());
  const std::span<S> matrix = lu_.matrix();
  if (whole_) {
    for (int i = 0; i < size_; ++i)
      for (int j = 0; j < size_; ++j) matrix[j * size_ + i] = A[i * size_ + j];
  } else {
    project(A);
  }
  lu_.factorise();
  S smallest(std::numeric_limits<double>::infinity()), largest(0.0);
  MaskOf<S> regular = all_lanes<S>();
  for (int j = 0; j < rank_; ++j) {
    const S pivot = abs(matrix[j * size_ + j]);
    regular = regular & (pivot > 0.0) & (pivot <= std::numeric_limits<double>::max());
    smallest = smaller(smallest, pivot);
    largest = larger(largest, pivot);
  }
  pivot_ratio_ = select(regular, rank_ > 0 ? smallest / largest : S(1.0), S(0.0));
  return regular;
}

/// Q^T A Q, column-major; beyond the rank the identity, for the size of the factorisation is fixed.
template <class S>
void RestrictedLuOf<S>::project(std::span<const S> A) {
  std::fill(product_.begin(), product_.end(), S(0.0));  // A Q
  for (int i = 0; i < size_; ++i)
    for (int k = 0; k < size_; ++k)
      for (int j = 0; j < rank_; ++j) product_[i * rank_ + j] += A[i * size_ + k] * basis_[k * rank_ + j];
  const std::span<S> matrix = lu_.matrix();
  std::fill(matrix.begin(), matrix.end(), S(0.0));
  for (int j = 0; j < rank_; ++j)
    for (int k = 0; k < size_; ++k)
      for (int i = 0; i < rank_; ++i)
        matrix[j * size_ + i] += basis_[k * rank_ + i] * product_[k * rank_ + j];
  for (int j = rank_; j < size_; ++j) matrix[j * size_ + j] = 1.0;
}

template <class S>
void RestrictedLuOf<S>::solve(std::span<S> b) {
  assert(b.size() == reduced_.size());
  if (whole_) return lu_.solve(b);
  std::fill(reduced_.begin(), reduced_.end(), S(0.0));
  for (int i = 0; i < size_; ++i)
    for (int j = 0; j < rank_; ++j) reduced_[j] += basis_[i * rank_ + j] * b[i];
  lu_.solve(reduced_);
  for (int i = 0; i < size_; ++i) {
    b[i] = 0.0;
    for (int j = 0; j < rank_; ++j) b[i] += basis_[i * rank_ + j] * reduced_[j];
  }
}

template class RestrictedLuOf<double>;
template class RestrictedLuOf<Pack<4>>;
template class RestrictedLuOf<Pack<8>>;

}  // namespace torsor
