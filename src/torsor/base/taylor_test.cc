#include "torsor/base/taylor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "torsor/base/dual.h"
#include "torsor/base/norm.h"

namespace torsor {
namespace {

static_assert(Scalar<Taylor<2>> && Scalar<Taylor<3>> && Scalar<Taylor<4>> && Scalar<Taylor<8>>);

template <int N>
Taylor<N> series(double first) {
  Taylor<N> x;
  for (int k = 0; k < N; ++k) x[k] = first / (k + 1) - 0.1 * k;
  return x;
}
template <int N>
double difference(const Taylor<N>& a, const Taylor<N>& b) {
  double worst = 0;
  for (int k = 0; k < N; ++k) worst = larger(worst, std::abs(a[k] - b[k]));
  return worst;
}

template <class T>
struct EveryLength : ::testing::Test {};
using Lengths = ::testing::Types<Taylor<2>, Taylor<3>, Taylor<4>, Taylor<5>, Taylor<7>, Taylor<8>>;
TYPED_TEST_SUITE(EveryLength, Lengths);

TYPED_TEST(EveryLength, ProductsAreCauchyProducts) {
  constexpr int N = TypeParam::size;
  const auto a = series<N>(0.7), b = series<N>(-1.2);
  const auto p = a * b;
  for (int k = 0; k < N; ++k) {
    double sum = 0;
    for (int j = 0; j <= k; ++j) sum += a[j] * b[k - j];
    EXPECT_NEAR(p[k], sum, 1e-15);  // measured 2e-16
  }
}

TYPED_TEST(EveryLength, InverseOperationsUndoEachOther) {
  constexpr int N = TypeParam::size;
  const auto a = series<N>(0.7), b = series<N>(1.9);
  EXPECT_LT(difference(a / b * b, a), 1e-15);                                       // measured 0
  EXPECT_LT(difference(sqrt(b) * sqrt(b), b), 1e-15);                               // measured 6e-17
  EXPECT_LT(difference(1.0 / b * b, Taylor<N>(1.0)), 1e-15);                        // measured 1e-16
  EXPECT_LT(difference((a + 2.0) - (2.0 - a), 2.0 * a), 1e-15);                     // measured 2e-16
  EXPECT_LT(difference(sin(a) * sin(a) + cos(a) * cos(a), Taylor<N>(1.0)), 1e-15);  // measured 2e-16
  EXPECT_LT(difference(a * 3.0 / 3.0 - (a - 1.0), Taylor<N>(1.0)), 1e-15);          // measured 1e-16
  auto x = a;
  x += b, x *= b, x -= b * b, x /= b;
  EXPECT_LT(difference(x, a), 1e-15);  // measured 4e-16
}

TYPED_TEST(EveryLength, SineOfTimeHasItsKnownDerivatives) {
  constexpr int N = TypeParam::size;
  Taylor<N> t(0.4);
  t[1] = 2;  // 0.4 + 2 t
  const auto s = sin(t), c = cos(t);
  for (int k = 0; k < N; ++k) {
    EXPECT_NEAR(s.derivative(k), std::pow(2, k) * std::sin(0.4 + k * std::acos(0.0)),
                1e-13);  // measured 1e-14
    EXPECT_NEAR(c.derivative(k), std::pow(2, k) * std::cos(0.4 + k * std::acos(0.0)),
                1e-13);  // measured 2e-14
  }
}

TYPED_TEST(EveryLength, IntegralsHaveTheirIntegrandAsRate) {
  constexpr int N = TypeParam::size;
  const auto f = series<N>(0.3);
  const auto F = integral(5.0, f);
  EXPECT_EQ(F[0], 5.0);
  for (int k = 0; k + 1 < N; ++k) EXPECT_NEAR(F.derivative(k + 1), f.derivative(k), 1e-13);  // measured 6e-14
}

}  // namespace
}  // namespace torsor
