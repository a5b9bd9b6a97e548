#pragma once
// What the accelerations of the next step will be, from those of the last two.

#include <span>
#include <vector>

#include "torsor/base/state_tape.h"

namespace torsor {

/// The polynomial through the accelerations of the stages of the last step, or through those of the last
/// two, extended: the second is better by s orders of the step, and worse where steps do not resolve the
/// motion. So whichever was the better guess last time.
class StagePredictor {
 public:
  StagePredictor(const std::vector<double>& nodes, int rates);

  /// Zeros where nothing is known.
  void predict(double h, std::span<double> A);
  /// The accelerations of a step of length h that was predicted.
  void remember(double h, std::span<const double> A);
  void forget() { history_ = 0; }
  void pass(StateTape& tape) {
    tape(last_, before_, last_h_, before_h_, history_, both_);
    tape.require(history_ >= 0 && history_ <= 2, "more steps before than are kept");
  }

 private:
  void set_weights(double h);
  double extended(const std::vector<double>& weights, bool both, int stage, int rate) const;

  std::vector<double> nodes_;
  int stages_, rates_;
  std::vector<double> last_, before_;
  double last_h_ = 0, before_h_ = 0;
  int history_ = 0;
  bool both_ = false;
  std::vector<double> one_weights_, both_weights_;
  std::vector<double> all_nodes_, at_;
  double weights_for_[3] = {};  ///< the three step sizes that they were computed for
};

}  // namespace torsor
