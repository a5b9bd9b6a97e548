#pragma once
// A first guess for the unknowns of a step from those of the last steps of the same size.

#include <algorithm>
#include <concepts>
#include <span>
#include <utility>
#include <vector>

#include "torsor/base/number_block.h"
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
        misses_(most_ + 1) {
    set_weights(std::move(weights));
  }
  /// As if it were made with these.
  void restart(std::vector<S> weights) {
    std::fill(differences_.begin(), differences_.end(), S{});
    steps_ = degree_ = 0.0;
    set_weights(std::move(weights));
  }

  const S& steps() const { return steps_; }  ///< that are remembered
  void forget() { steps_ = 0.0; }
  void forget(int i) { lane(steps_, i) = 0; }  ///< of one lane
  void predict(std::span<S> x) const {
    for (std::size_t first = 0; first < size_; first += kBlock) {
      Number sum[kNumbers] = {};
      for (int k = most_ - 1; k >= 0; --k) {
        const MaskOf<S> within = degree_ >= k;
        if (!any(within)) continue;  // the sum stays as it is in every lane
        const S* difference = &differences_[k * stride_ + first];
        for (int i = 0; i < kNumbers; ++i) {
          sum[i] = where(within, Number(sum[i] + load(difference, i)), sum[i]);
        }
      }
      if (first + kBlock <= size_) {
        for (int i = 0; i < kNumbers; ++i) store(sum[i], &x[first], i);
      } else {
        S rest[kBlock];
        for (int i = 0; i < kNumbers; ++i) store(sum[i], rest, i);
        for (std::size_t i = first; i < size_; ++i) x[i] = rest[i - first];
      }
    }
  }
  void remember(std::span<const S> x) {
    std::fill(misses_.begin(), misses_.end(), LargestAbsOf<Number>{});
    for (std::size_t first = 0; first < size_; first += kBlock) {
      S rest[kBlock] = {};
      const bool whole = first + kBlock <= size_;
      for (std::size_t i = first; !whole && i < size_; ++i) rest[i - first] = x[i];
      Number carried[kNumbers], weights[kNumbers];
      for (int i = 0; i < kNumbers; ++i) {
        carried[i] = load(whole ? &x[first] : rest, i);  // the new D^k
        weights[i] = load(&weights_[first], i);
      }
      for (int k = 0; k <= most_; ++k) {
        if (may_skip(steps_ < k)) break;
        const MaskOf<S> known = steps_ >= k;
        S* difference = &differences_[k * stride_ + first];
        LargestAbsOf<Number>& miss = misses_[k];
        for (int i = 0; i < kNumbers; ++i) {
          const Number last = load(difference, i), now = where(known, carried[i], last);
          carried[i] = carried[i] - last;
          store(now, difference, i);
          miss.keep(weights[i] * now);
        }
      }
    }
    degree_ = 0.0;
    S least(0.0);
    MaskOf<S> going = all_lanes<S>();
    for (int k = 1; k <= most_; ++k) {
      going = going & (steps_ >= k);
      if (may_skip(!going)) break;
      const S miss = largest(misses_[k].value());
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
  /// Plain numbers of a block are the lanes of a pack.
  using Numbers = NumberBlock<S>;
  static constexpr bool kPlain = Numbers::kPlain;
  static constexpr int kNumbers = kBlock / Numbers::kSize;
  using Number = typename Numbers::Numbers;

  void set_weights(std::vector<S> weights) {
    weights_ = std::move(weights);
    if (weights_.empty()) weights_.assign(size_, S(1.0));
    weights_.resize(stride_, S(0.0));
  }
  static Number load(const S* from, int i) { return Numbers::load(from + i * Numbers::kSize); }
  static void store(const Number& number, S* to, int i) { Numbers::store(number, to + i * Numbers::kSize); }
  static Number where(const MaskOf<S>& mask, const Number& a, const Number& b) {
    if constexpr (kPlain) {
      return mask ? a : b;
    } else {
      return select(mask, a, b);
    }
  }
  S largest(const Number& number) const {
    if constexpr (kPlain) {
      LargestAbsOf<S> largest;
      const int lanes = static_cast<int>(std::min<std::size_t>(size_, kBlock));  // the rest is zero
      for (int i = 0; i < lanes; ++i) largest.keep(number[i]);
      return largest.value();
    } else {
      return number;
    }
  }

  std::size_t size_, stride_;
  int most_;                    ///< of the differences
  std::vector<S> differences_;  ///< D^0 x_n, D^1 x_n, .., each padded to whole blocks
  std::vector<S> weights_;
  std::vector<LargestAbsOf<Number>> misses_;  ///< of D^k x_n
  S steps_{0.0}, degree_{0.0};
};
using Extrapolation = ExtrapolationOf<double>;

}  // namespace torsor
