#pragma once
// Steps that end where stops are touched or left: forces have a kink there, or jump, and across it a method of order p
// is one of order 1 or 2.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "torsor/base/norm.h"
#include "torsor/base/state_tape.h"

namespace torsor {

/// On which side of its stops a mechanism is, and how far it is beyond the nearest change of sides.
class StopSides {
 public:
  explicit StopSides(std::size_t stops) : distances(stops), begin_(stops), touches_(stops), crossed_(stops) {}

  bool empty() const { return distances.empty(); }
  std::span<const char> touches() const { return touches_; }
  void settle() {
    for (std::size_t i = 0; i < touches_.size(); ++i) touches_[i] = distances[i] >= 0;
  }
  /// As a step begins.
  void begin() { begin_ = distances; }
  /// The largest distance beyond a change of sides, >= 0 where one has changed.
  double beyond() const { return farthest(distances); }
  double beyond_at_begin() const { return farthest(begin_); }
  /// Those that have changed are on the other side from now on; with `at_begin` those of them that stood there
  /// when the step began, within `near`.
  void change(bool at_begin, double near) {
    for (std::size_t i = 0; i < touches_.size(); ++i) {
      crossed_[i] =
          signed_distance(i, distances[i]) >= 0 && (!at_begin || signed_distance(i, begin_[i]) >= -near);
    }
    for (std::size_t i = 0; i < touches_.size(); ++i) touches_[i] ^= crossed_[i];
  }
  void pass(StateTape& tape) { tape(touches_); }

  std::vector<double> distances;  ///< by stop: beyond its bound; for whoever moves the mechanism to fill

 private:
  double signed_distance(std::size_t i, double distance) const {
    return touches_[i] != 0 ? -distance : distance;
  }
  double farthest(const std::vector<double>& at) const {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < at.size(); ++i) keep_largest(largest, signed_distance(i, at[i]));
    return largest;
  }

  std::vector<double> begin_;
  std::vector<char> touches_, crossed_;
};

/// A step of length h of `mover`, in parts that end just beyond a change of sides. It offers
///   step(part), which fills sides.distances;  save(), restore();  expect_jump().
template <class Mover>
void step_onto_touches(Mover& mover, StopSides& sides, double h) {
  constexpr double kNear = 1e-10;  // of the step: how well a crossing is found
  constexpr double kShort = 1e-8;  // of the step, and of the way that it goes: no part is shorter
  constexpr int kMostParts = 16;   // chatter is passed over
  double left = h;
  for (int part = 0; part < kMostParts; ++part) {
    mover.save();
    sides.begin();
    mover.step(left);
    const double before = sides.beyond_at_begin(), after = sides.beyond();
    if (!(after >= 0)) return;
    if (before >= -kShort * after) {
      sides.change(true, kShort * after);
      mover.restore();
      mover.expect_jump();
      continue;
    }
    // Regula falsi (Illinois): the crossing stays between low and high, where the mover stands at last.
    double low = 0, high = left, f_low = before, f_high = after, at = left;
    int side = 0;
    while (high - low > kNear * h && f_high > 1e-14 * after) {
      const double share = std::clamp(f_low / (f_low - f_high), 1e-3, 1 - 1e-3);
      at = low + share * (high - low);
      mover.restore();
      mover.step(at);
      const double f = sides.beyond();
      if (f >= 0) {
        high = at, f_high = f;
        if (side == 1) f_low *= 0.5;
        side = 1;
      } else {
        low = at, f_low = f;
        if (side == -1) f_high *= 0.5;
        side = -1;
      }
    }
    const bool at_end = left - high <= kShort * h;
    if (at_end) high = left;
    if (at != high) {
      mover.restore();
      mover.step(high);
    }
    sides.change(false, 0);
    mover.expect_jump();
    if (at_end) return;
    left -= high;
  }
  mover.step(left);
  sides.settle();
}

}  // namespace torsor
