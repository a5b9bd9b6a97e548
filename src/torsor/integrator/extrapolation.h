#pragma once
// A first guess for the unknowns of a step from those of the last steps of the same size.

#include <algorithm>
#include <array>
#include <concepts>
#include <span>
#include <utility>
#include <vector>

#include "torsor/base/pack_math.h"
#include "torsor/base/state_tape.h"

namespace torsor {

/// With backward differences, D^0 x_n = x_n and D^(k+1) x_n = D^k x_n - D^k x_(n-1), the polynomial of degree d
/// through the last steps leads to
///   x_(n+1) = sum over k <= d of D^k x_n,                                                       (1)
/// and it would have missed x_n by D^(d+1) x_n. The degree is the one that missed it least: high where steps
/// resolve the motion, low where they do not, or where unknowns swing from step to step.
/// In packs every lane has steps and a degree of its own.
template <class S>
class ExtrapolationOf {
 public:
  /// A guess is off by the largest of |w_i x_i|, the weights w_i 1 where none are given.
  explicit ExtrapolationOf(std::size_t size, int most_degree = 4, std::vector<S> weights = {})
      : size_(size),
        stride_((size + kBlock - 1) / kBlock * kBlock),
        most_(most_degree + 1),
        differences_((most_ + 1) * stride_),
        weights_(std::move(weights)),
        misses_(most_ + 1) {
    if (weights_.empty()) weights_.assign(size, S(1.0));
    weights_.resize(stride_, S(0.0));
  }

  const S& steps() const { return steps_; }  ///< that are remembered
  void forget() { steps_ = 0.0; }
  void forget(int i) { lane(steps_, i) = 0; }  ///< of one lane
  void predict(std::span<S> x) const {
    for (std::size_t first = 0; first < size_; first += kBlock) {
      S sum[kBlock] = {};
      for (int k = most_ - 1; k >= 0; --k) {
        if (may_skip(degree_ < k)) continue;
        const MaskOf<S> within = degree_ >= k;
        const S* difference = &differences_[k * stride_ + first];
        for (int i = 0; i < kBlock; ++i) sum[i] = select(within, S(sum[i] + difference[i]), sum[i]);
      }
      std::copy_n(sum, std::min<std::size_t>(kBlock, size_ - first), &x[first]);
    }
  }
  void remember(std::span<const S> x) {
    std::fill(misses_.begin(), misses_.end(), Misses{});
    for (std::size_t first = 0; first < size_; first += kBlock) {
      S carried[kBlock] = {};  // the new D^k
      std::copy_n(&x[first], std::min<std::size_t>(kBlock, size_ - first), carried);
      for (int k = 0; k <= most_; ++k) {
        if (may_skip(steps_ < k)) break;
        const MaskOf<S> known = steps_ >= k;
        S* difference = &differences_[k * stride_ + first];
        for (int i = 0; i < kBlock; ++i) {
          const S now = carried[i];
          carried[i] = now - difference[i];
          difference[i] = select(known, now, difference[i]);
        }
        Misses& misses = misses_[k];
        for (int i = 0; i < kBlock; ++i) misses[i % kApart].keep(weights_[first + i] * difference[i]);
      }
    }
    degree_ = 0.0;
    S least(0.0);
    MaskOf<S> going = all_lanes<S>();
    for (int k = 1; k <= most_; ++k) {
      going = going & (steps_ >= k);
      if (may_skip(!going)) break;
      LargestAbsOf<S> largest;
      for (const LargestAbsOf<S>& each : misses_[k]) largest.keep(each.value());
      const S miss = largest.value();
      if (k > 1) going = going & (miss < 4 * least);  // beyond that, higher degrees miss by more and more
      // A higher degree hands on more of the rounding.
      const MaskOf<S> better = k > 1 ? MaskOf<S>(going & (miss < 0.5 * least)) : going;
      least = select(better, miss, least);
      degree_ = select(better, S(k - 1.0), degree_);
    }
    steps_ = steps_ + 1.0;
  }
  void pass(StateTape& tape) requires std::same_as<S, double> { tape(differences_, steps_, degree_); }

 private:
  static constexpr int kBlock = 8;  ///< numbers that go through all degrees at once
  /// Plain numbers of a block are compared lane by lane, as many as they are.
  static constexpr int kApart = std::same_as<S, double> ? kBlock : 1;
  using Misses = std::array<LargestAbsOf<S>, kApart>;

  std::size_t size_, stride_;
  int most_;                    ///< of the differences
  std::vector<S> differences_;  ///< D^0 x_n, D^1 x_n, .., each padded to whole blocks
  std::vector<S> weights_;
  std::vector<Misses> misses_;  ///< of D^k x_n
  S steps_{0.0}, degree_{0.0};
};
using Extrapolation = ExtrapolationOf<double>;

}  // namespace torsor
