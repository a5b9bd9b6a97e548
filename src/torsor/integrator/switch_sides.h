#pragma once
// On which side of its switches (formulation/tree_system.h) a system is, and which of them a step crosses: what
// adaptive integrators need to end their steps where a stop is touched.

#include <span>
#include <vector>

#include "torsor/base/state_tape.h"
#include "torsor/formulation/tree_system.h"

namespace torsor {

class SwitchSides {
 public:
  static constexpr double kNear = 1e-9;  ///< of a step: at its begin, or its end

  explicit SwitchSides(TreeSystem& system)
      : manifold_(system),
        dynamics_(system),
        distances_(system.switch_count()),
        begin_(system.switch_count()),
        touches_(system.switch_count()),
        crossed_(system.switch_count()) {}

  bool empty() const { return touches_.empty(); }
  /// As the signs at q say.
  void settle(std::span<const double> q) {
    manifold_.switches(q, distances_);
    for (std::size_t i = 0; i < touches_.size(); ++i) touches_[i] = distances_[i] >= 0;
  }
  /// Which are on another side at q; whether any is.
  bool mark_crossed(std::span<const double> q) {
    manifold_.switches(q, distances_);
    bool any = false;
    for (std::size_t i = 0; i < touches_.size(); ++i) {
      crossed_[i] = (distances_[i] >= 0) != (touches_[i] != 0);
      any = any || crossed_[i];
    }
    return any;
  }
  /// The share of a straight way from q to where they were marked at which the first of these changes sides;
  /// those that do there stay marked.
  double first_share(std::span<const double> q) {
    manifold_.switches(q, begin_);
    const auto share = [&](std::size_t i) {
      const double from = touches_[i] != 0 ? begin_[i] : -begin_[i],
                   to = touches_[i] != 0 ? distances_[i] : -distances_[i];
      return from > 0 ? from / (from - to) : 0.0;
    };
    double first = 1;
    for (std::size_t i = 0; i < touches_.size(); ++i) {
      if (crossed_[i]) first = share(i) < first ? share(i) : first;
    }
    for (std::size_t i = 0; i < touches_.size(); ++i) {
      if (crossed_[i]) crossed_[i] = share(i) <= first + kNear;
    }
    return first;
  }
  /// From now on forces are on the other side of those that are marked.
  void change() {
    for (std::size_t i = 0; i < touches_.size(); ++i) touches_[i] ^= crossed_[i];
    dynamics_.hold_switches(touches_);
  }
  void pass(StateTape& tape) { tape(touches_); }

  /// Forces are held on their sides while it lives.
  class Hold {
   public:
    explicit Hold(SwitchSides& sides) : dynamics_(sides.dynamics_) {
      dynamics_.hold_switches(sides.touches_);
    }
    ~Hold() { dynamics_.release_switches(); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    TreeDynamics& dynamics_;
  };

 private:
  const TreeManifold& manifold_;
  TreeDynamics& dynamics_;
  std::vector<double> distances_, begin_;
  std::vector<char> touches_, crossed_;  ///< by switch: its side, and whether a step ends on the other
};

}  // namespace torsor
