#pragma once
// Sobol's sequence of evenly spread points.

#include <cstdint>

namespace torsor {

inline constexpr int kSobolDimensions = 101;

/// The coordinate of point `index` in a dimension, as a fraction of 2^64; of indices below 2^52. Primitive polynomials and
/// first direction numbers as S. Joe and F. Y. Kuo give them (SIAM J. Sci. Comput. 30, 2008, new-joe-kuo-6). Points come in
/// the natural order; Gray code permutes them within blocks of powers of two.
std::uint64_t sobol_point(std::uint64_t index, int dimension);

}  // namespace torsor
