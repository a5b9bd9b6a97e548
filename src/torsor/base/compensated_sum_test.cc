#include "torsor/base/compensated_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

/// Terms of very different sizes that leave little: plain sums keep no digit of it.
std::vector<double> cancelling_terms(std::mt19937_64& random) {
  std::uniform_real_distribution<double> exponent(-3, 15), sign(-1, 1);
  std::vector<double> terms;
  for (int i = 0; i < 20; ++i) terms.push_back(std::copysign(std::pow(10.0, exponent(random)), sign(random)));
  const std::size_t count = terms.size();
  for (std::size_t i = 0; i < count; ++i) terms.push_back(-terms[i]);
  terms.push_back(std::ldexp(1, -20));
  std::shuffle(terms.begin(), terms.end(), random);
  return terms;
}

TEST(CompensatedSum, ExactSumLosesNothing) {
  double lost = 0;
  EXPECT_EQ(exact_sum(1e16, 1.0, lost), 1e16);
  EXPECT_EQ(lost, 1);
}

TEST(CompensatedSum, SmallTermsDoNotGetLostInALargeSum) {
  double plain = 1e8, sum = 1e8, lost = 0;
  for (int i = 0; i < 1000000; ++i) {
    plain += 1e-9;
    add_exactly(1e-9, sum, lost);
  }
  EXPECT_NEAR((sum - 1e8) + lost, 1e-3, 1e-15);
  EXPECT_EQ(plain, 1e8);
}

TEST(CompensatedSum, InARowKeepsWhatCancellationLeaves) {
  std::mt19937_64 random(2);
  double plain_error = 0;
  for (int sample = 0; sample < 100; ++sample) {
    double plain = 0, sum = 0, lost = 0;
    for (const double term : cancelling_terms(random)) {
      plain += term;
      add_in_a_row(term, sum, lost);
    }
    plain_error = larger(plain_error, std::abs(plain - std::ldexp(1, -20)));
    EXPECT_NEAR(sum + lost, std::ldexp(1, -20), 1e-14) << sample;
  }
  EXPECT_GT(plain_error, 1e-2);
}

}  // namespace
}  // namespace torsor
