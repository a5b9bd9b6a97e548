#include "torsor/numerics/sobol.h"

#include <array>

namespace torsor {
namespace {

constexpr int kBits = 52;
using Directions = std::array<std::uint64_t, kBits>;

struct Polynomial {
  int degree;
  unsigned inner;  ///< coefficients between the first and the last, which are 1
  std::array<unsigned, 7> first;
};

constexpr Polynomial kPolynomials[kSobolDimensions - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

/// v_k = a_1 v_(k-1) ^ .. ^ a_(s-1) v_(k-s+1) ^ v_(k-s) ^ v_(k-s) / 2^s, in fractions of 2^64.
constexpr Directions directions(int dimension) {
  Directions v{};
  if (dimension == 0) {  // van der Corput's
    for (int k = 0; k < kBits; ++k) v[k] = std::uint64_t{1} << (63 - k);
    return v;
  }
  const Polynomial& p = kPolynomials[dimension - 1];
  for (int k = 0; k < p.degree; ++k) v[k] = std::uint64_t{p.first[k]} << (63 - k);
  for (int k = p.degree; k < kBits; ++k) {
    v[k] = v[k - p.degree] ^ (v[k - p.degree] >> p.degree);
    for (int i = 1; i < p.degree; ++i) {
      if ((p.inner >> (p.degree - 1 - i)) & 1) v[k] ^= v[k - i];
    }
  }
  return v;
}

constexpr auto kDirections = [] {
  std::array<Directions, kSobolDimensions> all{};
  for (int d = 0; d < kSobolDimensions; ++d) all[d] = directions(d);
  return all;
}();

}  // namespace

std::uint64_t sobol_point(std::uint64_t index, int dimension) {
  std::uint64_t x = 0;
  for (int k = 0; index != 0; ++k, index >>= 1) {
    if (index & 1) x ^= kDirections[dimension][k];
  }
  return x;
}

}  // namespace torsor
