#include "torsor/numerics/sobol.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "torsor/numerics/normal_quantile.h"
#include "torsor/numerics/sobol_polynomials.h"

namespace torsor {
namespace {

double coordinate(std::uint64_t index, int dimension) {
  return std::ldexp(static_cast<double>(sobol_point(index, dimension) >> 11), -53);
}

/// Of every block of 2^k points each of the 2^k equal intervals has one: what makes it even, in every dimension.
TEST(Sobol, EveryBlockMeetsEveryInterval) {
  for (int d = 0; d < kSobolDimensions; ++d) {
    for (const std::uint64_t block : {0u, 1u, 5u}) {
      std::set<std::uint64_t> met;
      for (std::uint64_t i = 0; i < 1024; ++i) met.insert(sobol_point(1024 * block + i, d) >> 54);
      EXPECT_EQ(met.size(), 1024u) << d;
    }
  }
}

/// The first two dimensions are a (0, 2)-sequence: elementary rectangles of every shape are met once.
TEST(Sobol, FirstTwoDimensionsMeetEveryRectangle) {
  for (int wide = 0; wide <= 10; ++wide) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> met;
    for (std::uint64_t i = 0; i < 1024; ++i) {
      met.insert({wide == 0 ? 0 : sobol_point(i, 0) >> (64 - wide),
                  wide == 10 ? 0 : sobol_point(i, 1) >> (64 - (10 - wide))});
    }
    EXPECT_EQ(met.size(), 1024u) << wide;
  }
}

/// x^k modulo the polynomial, which is primitive where x first comes back to 1 after 2^degree - 1 steps.
TEST(Sobol, PolynomialsArePrimitiveAndDiffer) {
  std::set<unsigned> seen;
  for (const SobolPolynomial& p : kSobolPolynomials) {
    const unsigned top = 1u << p.degree, whole = top | (p.inner << 1) | 1u;
    EXPECT_TRUE(seen.insert(whole).second) << whole;
    unsigned power = 1, period = 0;
    do {
      power <<= 1;
      if (power & top) power ^= whole;
      ++period;
    } while (power != 1 && period < top);
    EXPECT_EQ(period, top - 1) << whole;
    for (int k = 0; k < p.degree; ++k) {
      EXPECT_EQ(p.first[k] & 1, 1u) << whole;
      EXPECT_LT(p.first[k], 2u << k) << whole;
    }
  }
}

/// Sobol's property A, which Joe and Kuo kept: of every 2^d successive points one lies in each of the 2^d orthants of the unit
/// cube of d dimensions. It is so where the first binary digits of the direction numbers make a regular matrix modulo two.
TEST(Sobol, PropertyAHolds) {
  constexpr int kLargest = 52;  // numbers have so many bits
  for (int d = 1; d <= kLargest; ++d) {
    std::vector<std::uint64_t> rows;  // of dimension j, bit k: the first digit of v_k, which is point 2^k
    for (int j = 0; j < d; ++j) {
      std::uint64_t row = 0;
      for (int k = 0; k < d; ++k) row |= (sobol_point(std::uint64_t{1} << k, j) >> 63) << k;
      rows.push_back(row);
    }
    int rank = 0;
    for (int k = 0; k < d; ++k) {
      const auto pivot =
          std::find_if(rows.begin() + rank, rows.end(), [&](auto row) { return (row >> k) & 1; });
      if (pivot == rows.end()) continue;
      std::swap(*pivot, rows[rank]);
      for (int i = rank + 1; i < d; ++i) {
        if ((rows[i] >> k) & 1) rows[i] ^= rows[rank];
      }
      ++rank;
    }
    EXPECT_EQ(rank, d);
  }
}

TEST(Sobol, IntegratesAProductFasterThanChance) {
  const int n = 4096;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    double product = 1;
    for (int d = 0; d < 6; ++d) product *= 1 + 0.5 * (coordinate(i, d) - 0.5);
    sum += product;
  }
  EXPECT_NEAR(sum / n, 1, 5e-4);  // measured 1.2e-4 .. 4e-4; chance would leave some 6e-3
}

TEST(NormalQuantile, UndoesTheDistribution) {
  for (double x = -8; x <= 8; x += 0.0625) {
    const double p = 0.5 * std::erfc(-x / std::sqrt(2.0));
    if (p >= 1) continue;
    // Above 0 the rounding of p itself moves x by eps / density.
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * M_PI);
    EXPECT_NEAR(normal_quantile(p), x, 1e-14 * (1 + std::abs(x)) + (x > 0 ? 2e-16 / density : 0)) << x;
  }
}

TEST(NormalQuantile, IsOdd) {
  for (const double p : {0.0625, 0.25, 0.375, 0.4375}) EXPECT_EQ(normal_quantile(p), -normal_quantile(1 - p));
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-16);
}

}  // namespace
}  // namespace torsor
