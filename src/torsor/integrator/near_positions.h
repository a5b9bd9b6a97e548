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
/// by. Within half a cell of the origin it is x itself. Packs have no free axes.
template <class S>
class NearPositionsOf {
 public:
  NearPositionsOf(std::vector<FreeAxis> axes, int coordinates)
      : axes_(std::move(axes)), near_(axes_.empty() ? 0 : coordinates), near_lost_(near_.size()) {}

  /// The numbers behind both spans must stay where they are until the next call.
  void set(std::span<const S> x, std::span<const S> lost) {
    x_ = x;
    lost_ = lost;
    if constexpr (std::same_as<S, double>) {
      if (!axes_.empty()) move_near();
    }
  }
  std::span<const S> x() const { return x_; }
  std::span<const S> lost() const { return lost_; }

 private:
  void move_near() {
    std::copy(x_.begin(), x_.end(), near_.begin());
    std::copy(lost_.begin(), lost_.end(), near_lost_.begin());
    for (const auto& [coordinates, cell] : axes_) {
      const double place = cell * std::nearbyint(x_[coordinates.front()] / cell);
      if (place == 0) continue;
      for (const int i : coordinates) {
        double rest;
        const double moved = exact_sum(x_[i], -place, rest);
        near_[i] = exact_sum(moved, rest + lost_[i], near_lost_[i]);
      }
    }
    x_ = near_;
    lost_ = near_lost_;
  }

  std::vector<FreeAxis> axes_;
  std::vector<S> near_, near_lost_;
  std::span<const S> x_, lost_;
};

}  // namespace torsor
