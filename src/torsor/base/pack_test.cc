#include "torsor/base/pack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

template <class P>
class PackTest : public testing::Test {};
using Widths = testing::Types<Pack<2>, Pack<4>, Pack<8>>;
TYPED_TEST_SUITE(PackTest, Widths);

template <class P>
P random_pack(std::mt19937_64& random, double low, double high) {
  std::uniform_real_distribution<double> uniform(low, high);
  P result;
  for (int i = 0; i < P::size; ++i) result[i] = uniform(random);
  return result;
}

TYPED_TEST(PackTest, GoesThroughCallsInMemoryWhateverTheFlags) {
  EXPECT_FALSE(std::is_trivially_copyable_v<TypeParam>);
  EXPECT_FALSE(std::is_trivially_copyable_v<typename TypeParam::Mask>);
  EXPECT_EQ(sizeof(TypeParam), TypeParam::size * sizeof(double));
  EXPECT_EQ(alignof(TypeParam), sizeof(TypeParam));
}

TYPED_TEST(PackTest, ArithmeticIsThatOfEveryLane) {
  using P = TypeParam;
  std::mt19937_64 random(1);
  const P a = random_pack<P>(random, -2, 2), b = random_pack<P>(random, 0.5, 2);
  P accumulated = a;
  accumulated += b;
  accumulated *= 2.0;
  accumulated -= a;
  accumulated /= b;
  for (int i = 0; i < P::size; ++i) {
    EXPECT_EQ((a + b)[i], a[i] + b[i]);
    EXPECT_EQ((2.0 - b)[i], 2.0 - b[i]);
    EXPECT_EQ((a * 3.0)[i], a[i] * 3.0);
    EXPECT_EQ((1.0 / b)[i], 1.0 / b[i]);
    EXPECT_EQ((-a)[i], -a[i]);
    EXPECT_EQ(abs(a)[i], std::abs(a[i]));
    EXPECT_EQ(sqrt(b)[i], std::sqrt(b[i]));
    EXPECT_EQ(min(a, b)[i], std::min(a[i], b[i]));
    EXPECT_EQ(max(a, b)[i], std::max(a[i], b[i]));
    EXPECT_EQ(atan2(a, b)[i], std::atan2(a[i], b[i]));
    EXPECT_NEAR(accumulated[i], ((a[i] + b[i]) * 2 - a[i]) / b[i], 1e-14);
  }
  EXPECT_TRUE(std::signbit(P(-0.0)[0]));
}

TYPED_TEST(PackTest, MasksSelectLaneByLane) {
  using P = TypeParam;
  P x;
  for (int i = 0; i < P::size; ++i) x[i] = i;
  const auto low = x < P(1.0);
  EXPECT_TRUE(any(low));
  EXPECT_FALSE(all(low));
  EXPECT_TRUE(all(low | (x >= 1.0)));
  EXPECT_FALSE(any(low & !low));
  EXPECT_TRUE(all(x == x));
  EXPECT_FALSE(any(x != x));
  const P chosen = choose(
      low, [] { return P(5.0); }, [&] { return x; });
  EXPECT_EQ(chosen[0], 5.0);
  for (int i = 1; i < P::size; ++i) EXPECT_EQ(chosen[i], i);
}

TYPED_TEST(PackTest, ChooseSkipsTheSideThatNoLaneNeeds) {
  using P = TypeParam;
  const P x(1.0);
  int evaluated = 0;
  const auto side = [&] { return ++evaluated, x; };
  const auto fail = [&]() -> P { throw std::logic_error("evaluated a side that no lane needs"); };
  choose(x < P(2.0), side, fail);
  choose(x > P(2.0), fail, side);
  EXPECT_EQ(evaluated, 2);
}

/// Distance in units in the last place of the exact value.
double ulps(double x, long double exact) {
  const double rounded = std::abs(double(exact));
  const double unit = std::nextafter(rounded, std::numeric_limits<double>::infinity()) - rounded;
  return double(std::abs(x - exact)) / unit;
}

template <class P>
double worst_sincos(const std::vector<double>& angles) {
  double worst = 0;
  for (std::size_t first = 0; first + P::size <= angles.size(); first += P::size) {
    P x, s, c;
    for (int i = 0; i < P::size; ++i) x[i] = angles[first + i];
    sincos(x, s, c);
    for (int i = 0; i < P::size; ++i) {
      worst =
          larger({worst, ulps(s[i], std::sin((long double)x[i])), ulps(c[i], std::cos((long double)x[i]))});
    }
  }
  return worst;
}

TYPED_TEST(PackTest, SineAndCosineAreExactToOneUnit) {
  using P = TypeParam;
  std::mt19937_64 random(2);
  std::vector<double> angles = {0.0, -0.0, 1e-300, 1e-20, -1e-9, 1e5, -1e5, 1.1e5};
  for (double range : {0.1, 1.0, 4.0, 100.0, 1e5, 1e9}) {
    std::uniform_real_distribution<double> uniform(-range, range);
    for (int i = 0; i < 80000; ++i) angles.push_back(uniform(random));
  }
  for (int k = -60000; k <= 60000; ++k) angles.push_back(k * (std::numbers::pi / 2));  // deepest cancellation
  EXPECT_LT(worst_sincos<P>(angles), 1.0);                                             // measured 0.81
}

TYPED_TEST(PackTest, SineOfNothingFiniteIsNotANumber) {
  using P = TypeParam;
  P x(0.5);
  x[1] = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(sin(x)[1]));
  EXPECT_EQ(sin(x)[0], sin(P(0.5))[0]);
  x[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(cos(x)[1]));
}

}  // namespace
}  // namespace torsor
