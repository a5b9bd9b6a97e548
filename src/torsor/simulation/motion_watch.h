#pragma once
// Whether the steps of a run resolve its motion, from the speeds of bodies at each step.

#include <span>
#include <vector>

#include "torsor/simulation/accuracy.h"
#include "torsor/simulation/observation.h"

namespace torsor {

/// Speeds are weighed as kinetic energy weighs them: |v|^2 = sum of m |v_b|^2 + J |omega_b|^2. Of a swing with
/// the angular frequency w, in steps h,
///   |v_(n+1) - 2 v_n + v_(n-1)| <= 4 sin^2(w h / 2) |v|max                                         (1)
/// and w h is its phase in a step. A method of order p errs by about 2 (w h)^p / (p + 2)! of a radian for each
/// radian of the motion.                                                                            (2)
/// Likewise with the turn of a body in a step for w h, but in joint coordinates of hinges and slides, in which steady
/// turns are exact. Rates that violate constraints by as much as bodies are fast tell the same. Of long runs a
/// quarter of the steps is looked at, eight in a row. Allocates nothing when fed.
class MotionWatch {
 public:
  explicit MotionWatch(const Manifest& manifest);
  /// Whether it reads the speeds of the next state; else they may be empty.
  bool looks() const { return fed_ < kAllOf || (fed_ + 1) % kRound < kLooked; }
  void feed(double time, std::span<const BodySpeed> speeds, double constraint_rate);
  /// Of a mechanism that rests there is nothing to resolve.
  MotionIndicator report(bool rests = false) const;
  void pass(StateTape& tape);

 private:
  static constexpr long kAllOf = 256;              ///< steps that are all looked at; then
  static constexpr long kRound = 32, kLooked = 8;  ///< of so many the first few

  struct Peak {
    double value = 0, time = 0;
    void raise(double other, double at) {
      if (!(other <= value)) value = other, time = at;
    }
    void pass(StateTape& tape) { tape(value, time); }
  };

  std::vector<std::string> names_;
  std::vector<BodyWeight> weights_;
  std::vector<BodySpeed> last_, before_;
  int order_ = 0;
  bool turns_count_ = true;
  double controlled_to_ = 0;
  double time_ = 0, step_ = 0, longest_ = 0;
  long fed_ = 0, in_a_row_ = 0;  ///< states; those that were looked at without a gap
  long equal_ = 0;               ///< equal steps in a row
  double size_ = 0;              ///< largest |v|^2
  Peak change_, bend_, turn_;    ///< squared
  std::size_t turning_ = 0;
  double speed_ = 0, constraint_rate_ = 0;
};

}  // namespace torsor
