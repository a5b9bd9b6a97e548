#pragma once
// How efforts follow from the unknowns of servos. Where a servo has as many actuators as outputs, they are its
// unknowns. Where it has more, as a platform on cables,
//   tau = cut(tau_mid + N mu),   N = (C M^-1 B)^T,                                                        (1)
// with one unknown mu for each output: cut() keeps each effort between its limits, tau_mid is the middle of
// these. Of all efforts within the limits that lead the outputs alike, that is the one nearest to tau_mid:
// (1) are the conditions of that least square, mu its multipliers. N is that of the step's start.

#include <span>
#include <vector>

#include "torsor/model/model.h"

namespace torsor {

class ServoShares {
 public:
  explicit ServoShares(const Model& model);

  bool redundant() const { return redundant_; }
  int effort_count() const { return static_cast<int>(servo_of_effort_.size()); }
  int output_count() const { return static_cast<int>(servo_of_output_.size()); }
  bool has(int effort, int output) const { return servo_of_effort_[effort] == servo_of_output_[output]; }
  /// N of an effort that has a share of its own with others.
  bool is_shared(int effort) const { return shared_[servo_of_effort_[effort]]; }
  void set(int effort, int output, double share) { shares_[effort * output_count() + output] = share; }

  /// The efforts times `gain` by the unknowns, which have that factor in them.
  std::span<const double> efforts(double gain, std::span<const double> unknowns) const;
  /// The derivative of an effort by an unknown, at the last efforts().
  double slope(int effort, int output) const {
    return slope_[effort] * shares_[effort * output_count() + output];
  }
  /// Which efforts were cut.
  std::span<const double> cuts() const { return slope_; }

 private:
  bool redundant_ = false;
  std::vector<int> servo_of_effort_, servo_of_output_;
  std::vector<bool> shared_;           ///< by servo
  std::vector<double> low_, high_;     ///< by effort
  std::vector<double> shares_;         ///< N, row-major
  mutable std::vector<double> effort_, slope_;
};

}  // namespace torsor
