#pragma once
// Positions of what flies away, counted from a place near it. In the world they round with the distance: of 2 km to
// 2e-13 m, and constraints and forces of a step that is computed there with them.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <span>
#include <utility>
#include <vector>

#include "torsor/base/compensated_sum.h"
#include "torsor/formulation/constrained_system.h"

namespace torsor {

/// x in two doubles, with free axes moved by whole cells. The same place serves as long as the part is in its cell, so
/// that a step starts from just the numbers with which the last one ended: a balance sums over steps what those differ
/// by. Within half a cell of the origin it is x itself.
template <class S>
class NearPositionsOf {
 public:
  NearPositionsOf(std::vector<FreeAxisOf<S>> axes, int coordinates)
      : axes_(std::move(axes)), near_(axes_.empty() ? 0 : coordinates), near_lost_(near_.size()) {}

  /// The numbers behind both spans must stay where they are until the next call.
  void set(std::span<const S> x, std::span<const S> lost) {
    x_ = x;
    lost_ = lost;
    if (!axes_.empty()) move_near();
  }
  std::span<const S> x() const { return x_; }
  std::span<const S> lost() const { return lost_; }

 private:
  void move_near() {
    std::copy(x_.begin(), x_.end(), near_.begin());
    std::copy(lost_.begin(), lost_.end(), near_lost_.begin());
    for (const auto& [coordinates, cell] : axes_) {
      const S place = cell * whole(x_[coordinates.front()] / cell);
      const MaskOf<S> far = place != 0.0;
      if (!any(far)) continue;
      for (const int i : coordinates) {
        S rest, left;
        const S moved = exact_sum(x_[i], S(-place), rest);
        const S from_place = exact_sum(moved, S(rest + lost_[i]), left);
        near_[i] = select(far, from_place, near_[i]);
        near_lost_[i] = select(far, left, near_lost_[i]);
      }
    }
    x_ = near_;
    lost_ = near_lost_;
  }

  static S whole(const S& number) {
    if constexpr (std::same_as<S, double>) {
      return std::nearbyint(number);
    } else {
      return round(number);
    }
  }

  std::vector<FreeAxisOf<S>> axes_;
  std::vector<S> near_, near_lost_;
  std::span<const S> x_, lost_;
};

}  // namespace torsor
