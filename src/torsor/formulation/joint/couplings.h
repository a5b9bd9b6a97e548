#pragma once
// Couplings C q = offset of a tree's coordinates. C is constant, so that rates and accelerations which satisfy
// C v = 0 and C a = 0 keep the relations to rounding in every method on the tree:
//   M a = f + C^T lambda,   C a = 0. (1)
// Rows that repeat others are left out: all is done with orthonormal rows Q that span those of C.

#include <span>
#include <vector>

#include "torsor/model/model.h"
#include "torsor/numerics/dense_lu.h"

namespace torsor {

class TreeCouplings {
 public:
  explicit TreeCouplings(const Model& model);

  bool empty() const { return rank_ == 0; }
  /// At a configuration: `solve(effort, a)` gives a = M^-1 effort.
  template <class Solve>
  void factorise(Solve&& solve) {
    for (int k = 0; k < rank_; ++k) {
      solve(std::span<const double>(row(k)), std::span<double>(yields(k)));
      for (int i = 0; i < rank_; ++i) schur_.matrix()[k * rank_ + i] = dot(row(i), yields(k));
    }
    schur_.factorise();
  }
  /// a becomes that of (1), from M^-1 f; the efforts that do it stay for effort() and efforts().
  void hold(std::span<double> a);
  std::span<const double> effort() const { return effort_; }  ///< C^T lambda, by rate
  void efforts(std::span<double> by_coupling) const;          ///< lambda, the least where it is not unique
  double error(
      std::span<const double> q) const;  ///< the largest of C q - offset, rows over their largest factor
  double rate_error(std::span<const double> v) const;  ///< the largest of C v, likewise

  /// x without its part along the rows, and with that of y in its place.
  void replace_part(std::span<double> x, std::span<const double> y) const;

 private:
  std::span<const double> row(int k) const { return std::span(Q_).subspan(k * rates_, rates_); }
  std::span<double> yields(int k) { return std::span(yields_).subspan(k * rates_, rates_); }
  static double dot(std::span<const double> a, std::span<const double> b);

  const std::vector<Coupling> couplings_;
  std::vector<std::vector<int>> rate_of_, coordinate_of_;  ///< by coupling and term
  std::size_t rates_;
  int rank_ = 0;
  std::vector<double> Q_, yields_;  ///< row by row: Q, and M^-1 Q^T
  std::vector<double> by_row_;      ///< lambda by the efforts along Q, row-major
  std::vector<double> mu_, effort_;
  DenseLu schur_;
};

}  // namespace torsor
