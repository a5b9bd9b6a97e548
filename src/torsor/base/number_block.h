#pragma once
// Arrays of numbers that one code goes through: plain numbers eight at a time, packs one after the other.

#include <concepts>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "torsor/base/pack.h"

namespace torsor {

template <class S>
struct NumberBlock {
  static constexpr bool kPlain = std::same_as<S, double>;
  static constexpr std::size_t kSize = kPlain ? 8 : 1;
  using Numbers = std::conditional_t<kPlain, Pack<8>, S>;

  /// The size of an array in whole blocks.
  static constexpr std::size_t padded(std::size_t size) { return (size + kSize - 1) / kSize * kSize; }
  static Numbers load(const S* from) {
    if constexpr (kPlain) {
      Numbers numbers;
      std::memcpy(&numbers.lanes, from, sizeof numbers.lanes);
      return numbers;
    } else {
      return *from;
    }
  }
  static void store(const Numbers& numbers, S* to) {
    if constexpr (kPlain) {
      std::memcpy(to, &numbers.lanes, sizeof numbers.lanes);
    } else {
      *to = numbers;
    }
  }
};

}  // namespace torsor
