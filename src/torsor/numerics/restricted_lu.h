#pragma once

#include <span>
#include <vector>

#include "torsor/base/state_tape.h"
#include "torsor/numerics/dense_lu.h"

namespace torsor {

/// Equations S x = b with x = Q y and only Q^T of the rows: x = Q (Q^T S Q)^-1 Q^T b. The rank, Q's number of
/// columns, may change; nothing allocates once made.
class RestrictedLu {
 public:
  explicit RestrictedLu(int size);

  /// Q, row-major, of independent columns; the identity until the first call, and if `basis` is empty.
  void set_basis(std::span<const double> basis, int rank);
  /// False if a pivot vanishes or is not finite. S is row-major.
  bool factorise(std::span<const double> S);
  /// Smallest over largest |pivot|; 1 if there is none, 0 after a failure.
  double pivot_ratio() const { return pivot_ratio_; }
  /// b becomes x.
  void solve(std::span<double> b);
  /// What the next factorisations depend on, and the last ratio.
  void pass(StateTape& tape) { tape(rank_, whole_, basis_, pivot_ratio_); }

 private:
  void project(std::span<const double> S);

  int size_, rank_;
  bool whole_ = true;  ///< Q is the identity
  std::vector<double> basis_, product_, reduced_;
  DenseLu lu_;
  double pivot_ratio_ = 1;
};

}  // namespace torsor
