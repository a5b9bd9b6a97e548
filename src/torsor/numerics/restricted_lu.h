#pragma once

#include <span>
#include <vector>

#include "torsor/base/state_tape.h"
#include "torsor/numerics/dense_lu.h"

namespace torsor {

/// Equations A x = b with x = Q y and only Q^T of the rows: x = Q (Q^T A Q)^-1 Q^T b. The rank, Q's number of
/// columns, may change; nothing allocates once made.
template <class S>
class RestrictedLuOf {
 public:
  explicit RestrictedLuOf(int size);

  /// Q, row-major, of independent columns; the identity until the first call, and if `basis` is empty.
  void set_basis(std::span<const S> basis, int rank);
  /// False if a pivot vanishes or is not finite, lane by lane. The matrix is row-major.
  MaskOf<S> factorise(std::span<const S> matrix);
  /// Smallest over largest |pivot|; 1 if there is none, 0 after a failure.
  S pivot_ratio() const { return pivot_ratio_; }
  /// b becomes x.
  void solve(std::span<S> b);
  /// What the next factorisations depend on, and the last ratio.
  void pass(StateTape& tape) {
    if constexpr (std::same_as<S, double>) {
      tape(rank_, whole_, basis_, pivot_ratio_);
      tape.require(rank_ >= 0 && rank_ <= size_, "a rank is larger than its matrix");
    }
  }

 private:
  void project(std::span<const S> matrix);

  int size_, rank_;
  bool whole_ = true;  ///< Q is the identity
  std::vector<S> basis_, product_, reduced_;
  DenseLuOf<S> lu_;
  S pivot_ratio_ = 1.0;
};
using RestrictedLu = RestrictedLuOf<double>;

extern template class RestrictedLuOf<double>;
extern template class RestrictedLuOf<Pack<4>>;
extern template class RestrictedLuOf<Pack<8>>;

}  // namespace torsor
