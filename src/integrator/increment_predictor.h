#pragma once
// What the unknowns of the next step will be, from those of the last steps of the same length.

#include <array>
#include <span>
#include <vector>

namespace torsor {

/// The straight line through the last two, or the cubic through the last four, extended: whichever was the
/// better guess last time. The cubic spares an iteration where steps resolve the motion, and misleads where
/// they do not.
class IncrementPredictor {
 public:
  explicit IncrementPredictor(int unknowns) { past_.fill(std::vector<double>(unknowns)); }

  /// False, with nothing done, where too little is known.
  bool predict(std::span<double> unknowns) const;
  void remember(std::span<const double> unknowns);
  void forget() {
    known_ = 0;
    cubic_ = false;
  }

 private:
  double line(std::size_t i) const { return 2 * past_[0][i] - past_[1][i]; }
  double cubic(std::size_t i) const {
    return 4 * (past_[0][i] + past_[2][i]) - 6 * past_[1][i] - past_[3][i];
  }

  std::array<std::vector<double>, 4> past_;  ///< the last step's first
  int known_ = 0;
  bool cubic_ = false;
};

}  // namespace torsor
