#pragma once
// Sums that tell whole data from damaged ones; not against malice.

#include <cstdint>
#include <cstring>
#include <span>

namespace torsor {

constexpr std::uint64_t kSumStart = 0x9ae16a3b2f90404fULL;

/// The sum with one more word.
constexpr std::uint64_t add_to_sum(std::uint64_t sum, std::uint64_t word) {
  sum = (sum ^ word) * 0x9e3779b97f4a7c15ULL;
  return sum ^ (sum >> 32);
}

inline std::uint64_t sum_of(std::span<const std::byte> bytes) {
  std::uint64_t sum = add_to_sum(kSumStart, bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, bytes.size() - at < 8 ? bytes.size() - at : 8);
    sum = add_to_sum(sum, word);
  }
  return sum;
}

}  // namespace torsor
