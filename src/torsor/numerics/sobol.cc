#include "torsor/numerics/sobol.h"

#include <array>
#include <iterator>

#include "torsor/numerics/sobol_polynomials.h"

namespace torsor {
namespace {

constexpr int kBits = 52;
using Directions = std::array<std::uint64_t, kBits>;

/// v_k = a_1 v_(k-1) ^ .. ^ a_(s-1) v_(k-s+1) ^ v_(k-s) ^ v_(k-s) / 2^s, in fractions of 2^64.
Directions directions(int dimension) {
  Directions v{};
  if (dimension == 0) {  // van der Corput's
    for (int k = 0; k < kBits; ++k) v[k] = std::uint64_t{1} << (63 - k);
    return v;
  }
  const SobolPolynomial& p = kSobolPolynomials[dimension - 1];
  for (int k = 0; k < p.degree; ++k) v[k] = std::uint64_t{p.first[k]} << (63 - k);
  for (int k = p.degree; k < kBits; ++k) {
    v[k] = v[k - p.degree] ^ (v[k - p.degree] >> p.degree);
    for (int i = 1; i < p.degree; ++i) {
      if ((p.inner >> (p.degree - 1 - i)) & 1) v[k] ^= v[k - i];
    }
  }
  return v;
}

static_assert(std::size(kSobolPolynomials) == kSobolDimensions - 1);

const std::array<Directions, kSobolDimensions> kDirections = [] {
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
