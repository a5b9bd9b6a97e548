#pragma once
// When a mechanism passed a singular position, seen from what the steps saw of its loops.

#include <algorithm>
#include <cmath>
#include <vector>

#include "torsor/base/norm.h"
#include "torsor/base/state_tape.h"

namespace torsor {

/// Fed with the square of the least singular value of the loop constraints, relative to the largest, at each
/// step. Near a singular position the value itself goes like |t - t*|: it is one if two straight lines
/// through the steps on both sides meet at zero between them, and none if the mechanism only comes near and
/// turns.
class SingularWatch {
 public:
  SingularWatch() { times_.reserve(kMostTimes); }

  void feed(double time, double square) {
    if (count_ > 0 && time <= t_[2]) return;  // a step that is tried again, in parts
    const double value = std::sqrt(std::max(square, 0.0));
    if (count_ >= 3) judge(value, time);
    t_[0] = t_[1], t_[1] = t_[2], t_[2] = time;
    value_[0] = value_[1], value_[1] = value_[2], value_[2] = value;
    ++count_;
  }
  void forget() {
    count_ = 0;
    for (int i = 0; i < 3; ++i) t_[i] = value_[i] = 0;
    times_.clear();
  }
  void pass(StateTape& tape) {
    tape(count_, t_, value_);
    tape.growing(times_, kMostTimes);
  }
  const std::vector<double>& times() const { return times_; }  ///< the first thousand of them

 private:
  static constexpr std::size_t kMostTimes = 1000;

  /// Between the last step and the one before it, with one more on each side.
  void judge(double value, double time) {
    const double left = (value_[0] - value_[1]) / (t_[1] - t_[0]);
    const double right = (value - value_[2]) / (time - t_[2]);
    if (!(left > 0 && right > 0) || times_.size() == kMostTimes) return;
    const double from_left = t_[1] + value_[1] / left, from_right = t_[2] - value_[2] / right;
    const double span = larger({t_[1] - t_[0], t_[2] - t_[1], time - t_[2]});
    const double at = 0.5 * (from_left + from_right);
    const bool meet =
        std::abs(from_left - from_right) < 0.5 * span && std::abs(at - 0.5 * (t_[1] + t_[2])) < span;
    const bool booked = !times_.empty() && at - times_.back() < 2 * span;
    if (meet && !booked) times_.push_back(at);
  }

  long count_ = 0;
  double t_[3] = {}, value_[3] = {};
  std::vector<double> times_;
};

}  // namespace torsor
