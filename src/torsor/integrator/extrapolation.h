#pragma once
// A first guess for the unknowns of a step from those of the last steps of the same size.

#include <algorithm>
#include <span>
#include <vector>

#include "torsor/base/state_tape.h"

namespace torsor {

/// With backward differences, D^0 x_n = x_n and D^(k+1) x_n = D^k x_n - D^k x_(n-1), the polynomial of degree d
/// through the last steps leads to
///   x_(n+1) = sum over k <= d of D^k x_n,                                                       (1)
/// and it would have missed x_n by D^(d+1) x_n. The degree is the one that missed it least: high where steps
/// resolve the motion, low where they do not, or where unknowns swing from step to step.
class Extrapolation {
 public:
  explicit Extrapolation(std::size_t size, int most_degree = 4)
      : differences_(most_degree + 2, std::vector<double>(size)), carried_(size) {}

  int steps() const { return steps_; }  ///< that are remembered
  void forget() { steps_ = 0; }
  void predict(std::span<double> x) const {
    std::copy(differences_[degree_].begin(), differences_[degree_].end(), x.begin());
    for (int k = degree_; k-- > 0;) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += differences_[k][i];
    }
  }
  /// `size_of(difference)` says how far a guess is off.
  template <class SizeOf>
  void remember(std::span<const double> x, SizeOf&& size_of) {
    const int known = std::min<int>(steps_, static_cast<int>(differences_.size()) - 1);
    std::copy(x.begin(), x.end(), carried_.begin());
    for (int k = 0; k <= known; ++k) {  // carried_ is the new D^k
      std::vector<double>& old = differences_[k];
      for (std::size_t i = 0; i < old.size(); ++i) {
        const double now = carried_[i];
        carried_[i] = now - old[i];
        old[i] = now;
      }
    }
    degree_ = 0;
    double least = 0;
    for (int k = 1; k <= known; ++k) {
      const double miss = size_of(std::span<const double>(differences_[k]));
      if (k > 1 && !(miss < 0.5 * least)) continue;  // a higher degree hands on more of the rounding
      least = miss;
      degree_ = k - 1;
    }
    ++steps_;
  }
  void pass(StateTape& tape) {
    for (std::vector<double>& difference : differences_) tape(difference);
    tape(steps_, degree_);
  }

 private:
  std::vector<std::vector<double>> differences_;  ///< D^0 x_n, D^1 x_n, ..
  std::vector<double> carried_;
  int steps_ = 0, degree_ = 0;
};

}  // namespace torsor
