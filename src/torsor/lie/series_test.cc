#include "torsor/lie/series.h"

#include <gtest/gtest.h>

#include <numbers>
#include <vector>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

using Long = long double;
constexpr double kPi = std::numbers::pi;

/// Angles on which every function is swept: dense, and crowded where libraries go wrong.
std::vector<double> angles(double last) {
  std::vector<double> result = {0, 1e-160, 1e-12, 1e-9, 1e-8, 1e-6, 1e-4, 1e-3, 1e-2, kPi - 1e-9, kPi};
  for (int i = 1; i <= 40000; ++i) result.push_back(last * i / 40000);
  for (double seam : {std::sqrt(7.0), 2 * std::sqrt(7.0)})
    for (int i = -50; i <= 50; ++i) result.push_back(seam * (1 + i * 1e-15));
  std::erase_if(result, [&](double t) { return t > last; });
  return result;
}

/// Extended precision from the exact root of the double u: sine and cosine of sqrt(u) / divisor.
struct Circle {
  Long t, sine, cosine;
  Circle(Long u, Long divisor) {
    const Long root = std::sqrt(u);
    const Long lost = root > 0 ? std::fma(-root, root, u) / (2 * root * divisor) : 0;
    t = root / divisor;
    sine = std::sin(t) + lost * std::cos(t);
    cosine = std::cos(t) - lost * std::sin(t);
  }
};

Long reference_stumpff(int k, double u) {
  if (u < 16) {
    Long term = 1, sum = 0;
    for (int i = 2; i <= k; ++i) term /= i;
    for (int j = 0; j < 30; ++j) {
      sum += term;
      term *= -Long(u) / ((2 * j + k + 1) * Long(2 * j + k + 2));
    }
    if (k >= 3) return sum;
    if (u < 1) return sum;
  }
  const Circle half(u, 2);
  const Long U = u;
  switch (k) {
    case 1:
      return half.sine * half.cosine / half.t;
    case 2:
      return 2 * half.sine * half.sine / U;
    case 3:
      return (1 - reference_stumpff(1, u)) / U;
    case 4:
      return (0.5L - reference_stumpff(2, u)) / U;
    default:
      return (1 / 6.0L - reference_stumpff(3, u)) / U;
  }
}

/// e and its slope: by Bernoulli numbers below 1, by the cotangent above.
DexpInverse<Long> reference_dexp_inverse(double u) {
  if (u >= 1) {
    const Circle half(u, 2);
    const Long h = half.t, cot = half.cosine / half.sine, U = u;
    const Long value = (1 - h * cot) / U;
    return {value, ((h / (half.sine * half.sine) - cot) / (8 * h) - value) / U};
  }
  constexpr Long kBernoulli[] = {1 / 6.0L,       1 / 30.0L,       1 / 42.0L,       1 / 30.0L,
                                 5 / 66.0L,      691 / 2730.0L,   7 / 6.0L,        3617 / 510.0L,
                                 43867 / 798.0L, 174611 / 330.0L, 854513 / 138.0L, 236364091 / 2730.0L};
  DexpInverse<Long> sum{0, 0};
  Long power = 1, factorial = 2;
  for (int j = 0; j < 12; ++j) {
    sum.value += kBernoulli[j] / factorial * power;
    factorial *= (2 * j + 3) * Long(2 * j + 4);
    if (j < 11) sum.slope += (j + 1) * kBernoulli[j + 1] / factorial * power;
    power *= u;
  }
  return sum;
}

/// The worst relative error of a function of u over the angles up to `last`.
template <class F, class G>
double worst(double last, F f, G reference) {
  double result = 0;
  for (double t : angles(last)) {
    const double u = t * t;
    const Long exact = reference(u);
    result = larger(result, double(std::abs((f(u) - exact) / exact)));
  }
  return result;
}

Long reference_slope(int k, double u) {  // identity (3) of series.h in extended precision
  return (k * reference_stumpff(k + 2, u) - reference_stumpff(k + 1, u)) / 2;
}

TEST(Series, StumpffFunctionsMatchExtendedPrecision) {
  for (int k = 1; k <= 5; ++k) {
    SCOPED_TRACE(k);
    const auto exact = [k](double u) { return reference_stumpff(k, u); };
    EXPECT_LT(worst(
                  2 * kPi, [k](double u) { return stumpff(u)[k]; }, exact),
              2e-15);  // measured 1.1e-15
  }
}

TEST(Series, CosineIsExactToTheRoundingOfOne) {
  double error = 0;
  for (double t : angles(2 * kPi)) {
    const double u = t * t;
    error = larger(error, double(std::abs(stumpff(u)[0] - Circle(u, 1).cosine)));
  }
  EXPECT_LT(error, 2e-15);  // measured 7e-16
}

TEST(Series, SlopesMatchExtendedPrecision) {
  const auto two = [](double u) { return reference_slope(2, u); };
  const auto three = [](double u) { return reference_slope(3, u); };
  EXPECT_LT(worst(
                kPi, [](double u) { return stumpff(u).slope_2; }, two),
            2e-15);  // measured 6.7e-16
  EXPECT_LT(worst(
                2 * kPi, [](double u) { return stumpff(u).slope_3; }, three),
            2e-15);  // measured 1.6e-15
  // c_2 has a double zero at 2 pi, where its slope keeps only absolute accuracy.
  double error = 0;
  for (double t : angles(2 * kPi))
    error = larger(error, double(std::abs(stumpff(t * t).slope_2 - two(t * t))));
  EXPECT_LT(error, 1e-16);  // measured 1.7e-17
}

TEST(Series, DexpInverseCoefficientMatchesExtendedPrecision) {
  const double last = 2 * kPi - 1e-3;
  const auto value = [](double u) { return dexp_inverse_coefficient(u).value; };
  const auto slope = [](double u) { return dexp_inverse_coefficient(u).slope; };
  const auto exact_slope = [](double u) { return reference_dexp_inverse(u).slope; };
  EXPECT_LT(worst(last, value, [](double u) { return reference_dexp_inverse(u).value; }),
            2e-15);                                  // measured 1.1e-15
  EXPECT_LT(worst(kPi, slope, exact_slope), 2e-15);  // measured 7e-16
  EXPECT_LT(worst(last, slope, exact_slope),
            4e-15);  // measured 2.3e-15: the sum of c_4' cancels a digit near 2 pi
}

TEST(Series, AngleOverSineMatchesExtendedPrecision) {
  double error = 0;
  for (double t : angles(kPi)) {
    const double n = std::sin(t / 2), w = std::cos(t / 2);
    const double n2 = n * n;
    const Long root = std::sqrt(Long(n2));
    const Long exact = root > 0 ? 2 * std::atan2(root, Long(w)) / root : 2 / Long(w);
    error = larger(error, double(std::abs((angle_over_sine(n2, w) - exact) / exact)));
  }
  EXPECT_LT(error, 2e-15);  // measured 2.1e-16
}

TEST(Series, DualNumbersDifferentiateThroughBothBranches) {
  using D = Dual<double, 1>;
  double error = 0;
  for (double t : angles(kPi)) {
    const double u = t * t;
    const Stumpff<D> c = stumpff(D::variable(u, 0));
    for (int k = 1; k <= 3; ++k)
      error = larger(error, double(std::abs(c[k].tangent[0] / reference_slope(k, u) - 1)));
    const DexpInverse<D> e = dexp_inverse_coefficient(D::variable(u, 0));
    error = larger(error, double(std::abs(e.value.tangent[0] / reference_dexp_inverse(u).slope - 1)));
  }
  EXPECT_LT(error, 1e-14);  // measured 1.6e-15
}

TEST(Series, PackLanesAgreeWithDouble) {
  double error = 0;
  for (int i = 0; i < 1000; ++i) {
    Pack<4> u;
    for (int lane = 0; lane < 4; ++lane)
      u[lane] = std::pow(1.6 * lane * i / 1000.0, 2);  // lanes on both sides of the seam
    const Stumpff<Pack<4>> c = stumpff(u);
    const DexpInverse<Pack<4>> e = dexp_inverse_coefficient(u);
    for (int lane = 0; lane < 4; ++lane) {
      for (int k = 0; k < 6; ++k) error = larger(error, std::abs(c[k][lane] - stumpff(u[lane])[k]));
      error = larger(error, std::abs(e.value[lane] / dexp_inverse_coefficient(u[lane]).value - 1));
    }
  }
  EXPECT_LT(error, 1e-15);  // measured 3.3e-16
}

}  // namespace
}  // namespace torsor
