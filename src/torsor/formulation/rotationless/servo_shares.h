#pragma once
// How efforts follow from the unknowns of servos. Where a servo has as many actuators as outputs, they are its
// unknowns. Where it has more, as a platform on cables,
//   tau = cut(tau_mid + N mu),   N = (C M^-1 B)^T,                                                        (1)
// with one unknown mu for each output: cut() keeps each effort between its limits, tau_mid is the middle of
// these. Of all efforts within the limits that lead the outputs alike, those are the nearest to tau_mid: (1) are
// the conditions of that least square, mu its multipliers. N, and which efforts are at a limit, are those of the
// state at which a step starts; so the equations of the step are as smooth as without limits.

#include <algorithm>
#include <span>
#include <vector>

#include "torsor/base/state_tape.h"
#include "torsor/model/model.h"

namespace torsor {

class ServoShares {
 public:
  /// Beyond a limit an effort grows by this share still: where no efforts within the limits would do, the least
  /// excess is found, and the ledger tells.
  static constexpr double kGive = 1e-6;

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
  /// The derivative of an effort by an unknown.
  double slope(int effort, int output) const {
    return (cut_[effort] == 0 ? 1 : kGive) * shares_[effort * output_count() + output];
  }
  /// Finds which efforts are at a limit by the unknowns of a state. False where they are the same as before.
  bool find_cuts(std::span<const double> unknowns);
  /// The largest of N^T tau over the outputs, of efforts that change by these unknowns: how far they would move
  /// what they lead. Solvers see of efforts by this alone whether they are settled.
  double size(std::span<const double> unknowns) const;
  void pass(StateTape& tape) { tape(cut_, shares_); }
  void forget_cuts() { std::fill(cut_.begin(), cut_.end(), 0); }

 private:
  bool redundant_ = false;
  std::vector<int> servo_of_effort_, servo_of_output_;
  std::vector<bool> shared_;        ///< by servo
  std::vector<double> low_, high_;  ///< by effort
  std::vector<int> cut_;            ///< by effort: -1, 1 at its lower or upper limit, 0 between
  std::vector<double> shares_;      ///< N, row-major
  mutable std::vector<double> effort_;

  double middle(std::size_t effort) const;
  double uncut(std::size_t effort, double gain, std::span<const double> unknowns) const;
};

}  // namespace torsor
