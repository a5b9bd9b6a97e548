#pragma once
// Every singular limit of the Lie groups, as smooth functions of u = t^2, with t the rotation angle.
//
// The coefficients of exp and dexp are the Stumpff functions
//   c_k(u) = sum_j (-u)^j / (2j + k)!                                                     (1)
//   c_0 = cos t, c_1 = sin t / t, c_2 = (1 - cos t)/t^2, c_3 = (t - sin t)/t^3, ...
//   c_k = 1/k! - u c_{k+2}                                                                (2)
//   d c_k / du = (k c_{k+2} - c_{k+1}) / 2                                                (3)
// Solving (2) for c_{k+2} cancels at small t, long before t is tiny: (t - sin t)/t^3 is wrong by 3e-8 at t =
// 1e-4. So below u = 7 the two last functions are summed by (1) and the others follow from (2), which is
// stable downwards; above, where upwards is stable, they follow from the sine and cosine.

#include <array>
#include <cmath>

#include "torsor/base/dual.h"
#include "torsor/base/pack.h"

namespace torsor {

/// c[k] is the Stumpff function c_k; slope_2 and slope_3 are d c_2 / du and d c_3 / du.
template <class S>
struct Stumpff {
  std::array<S, 6> c;
  S slope_2, slope_3;
  const S& operator[](int k) const { return c[k]; }
};
template <class Mask, class S>
requires(!std::same_as<Mask, bool>) Stumpff<S> select(const Mask& m, const Stumpff<S>& a,
                                                      const Stumpff<S>& b) {
  Stumpff<S> r;
  for (int k = 0; k < 6; ++k) r.c[k] = select(m, a.c[k], b.c[k]);
  r.slope_2 = select(m, a.slope_2, b.slope_2);
  r.slope_3 = select(m, a.slope_3, b.slope_3);
  return r;
}

/// sum_j coefficients[j] u^j.
template <class S, std::size_t N>
S horner(const std::array<double, N>& coefficients, const S& u) {
  S sum = S(coefficients[N - 1]);
  for (std::size_t j = N - 1; j-- > 0;) sum = coefficients[j] + u * sum;
  return sum;
}

/// The coefficients of (1).
template <int k, int terms>
constexpr std::array<double, terms> stumpff_coefficients() {
  std::array<double, terms> result{};
  double factorial = 1;
  for (int i = 2; i <= k; ++i) factorial *= i;
  for (int j = 0; j < terms; ++j) {
    result[j] = (j % 2 ? -1 : 1) / factorial;
    factorial *= (2.0 * j + k + 1) * (2.0 * j + k + 2);
  }
  return result;
}
/// The coefficients of d c_k / du.
template <int k, int terms>
constexpr std::array<double, terms> stumpff_slope_coefficients() {
  std::array<double, terms> result = stumpff_coefficients<k + 2, terms>();
  for (int j = 0; j < terms; ++j) result[j] *= -(j + 1);
  return result;
}

/// u - t^2 for t = sqrt(u) rounded: what the square root lost. Without it sin(sqrt(u)) has no correct digit
/// near pi.
inline double square_root_residual(double u, double t) { return std::fma(-t, t, u); }
template <int N>
Pack<N> square_root_residual(const Pack<N>& u, const Pack<N>& t) {
  return fma(-t, t, u);
}
template <class T, int N>
Dual<T, N> square_root_residual(const Dual<T, N>& u, const Dual<T, N>& t) {
  return square_root_residual(u.value, t.value);
}

template <class S>
Stumpff<S> stumpff_by_series(const S& u) {
  static constexpr auto kFour = stumpff_coefficients<4, 12>();
  static constexpr auto kFive = stumpff_coefficients<5, 12>();
  static constexpr auto kSlopeTwo = stumpff_slope_coefficients<2, 13>();
  static constexpr auto kSlopeThree = stumpff_slope_coefficients<3, 13>();
  Stumpff<S> r;
  r.c[5] = horner(kFive, u);
  r.c[4] = horner(kFour, u);
  r.c[3] = 1.0 / 6.0 - u * r.c[5];  // (2)
  r.c[2] = 0.5 - u * r.c[4];
  r.c[1] = 1.0 - u * r.c[3];
  r.c[0] = 1.0 - u * r.c[2];
  r.slope_2 = horner(kSlopeTwo, u);
  r.slope_3 = horner(kSlopeThree, u);
  return r;
}

template <class S>
Stumpff<S> stumpff_by_angle(const S& u) {
  using std::sqrt;
  const S t = sqrt(u);
  const S lost = square_root_residual(u, t) / (4.0 * t);
  S rough_sine, rough_cosine;
  sincos(S(0.5 * t), rough_sine, rough_cosine);
  const S s = rough_sine + lost * rough_cosine;  // sin(t/2), cos(t/2) of the exact root
  const S c = rough_cosine - lost * rough_sine;
  const S inverse = 1.0 / u;
  Stumpff<S> r;
  r.c[0] = (c - s) * (c + s);
  r.c[1] = 2.0 * s * c / t;
  r.c[2] = 2.0 * s * s * inverse;
  r.c[3] = (1.0 - r.c[1]) * inverse;
  r.c[4] = (0.5 - r.c[2]) * inverse;
  r.c[5] = (1.0 / 6.0 - r.c[3]) * inverse;
  r.slope_2 = (0.5 * r.c[1] - r.c[2]) * inverse;  // (3), with the tails eliminated by (2)
  r.slope_3 = 0.5 * (r.c[2] - 3.0 * r.c[3]) * inverse;
  return r;
}

/// c_0 .. c_5 at u >= 0. What the caller does not use costs nothing once inlined.
template <class S>
Stumpff<S> stumpff(const S& u) {
  return choose(
      value_of(u) < 7.0, [&] { return stumpff_by_series(u); }, [&] { return stumpff_by_angle(u); });
}

/// The coefficient of dexp^-1, e(u) = (1 - (t/2) cot(t/2)) / t^2, on [0, (2 pi)^2), and its slope de/du.
/// By (2) at a quarter of u, e = (c_2 - c_3) / (4 c_1): nothing cancels on the whole range. Differentiating
/// the cotangent gives de/du = -c_4'(u) / c_1(u/4)^2, whose numerator is a short sum up to 2 pi.
template <class S>
struct DexpInverse {
  S value, slope;
};
template <class S>
DexpInverse<S> dexp_inverse_coefficient(const S& u) {
  static constexpr auto kSlopeFour = stumpff_slope_coefficients<4, 20>();
  const Stumpff<S> quarter = stumpff(S(0.25 * u));
  const S inverse = 1.0 / quarter[1];
  return {0.25 * (quarter[2] - quarter[3]) * inverse, -horner(kSlopeFour, u) * inverse * inverse};
}

/// 2 atan2(n, w) / n with n = sqrt(n2), w >= 0: twice the half angle over its sine, smooth at n = 0.
template <class S>
S angle_over_sine(const S& n2, const S& w) {
  using std::atan2, std::sqrt;
  static constexpr std::array<double, 14> kArctangent = [] {
    std::array<double, 14> a{};
    for (int j = 0; j < 14; ++j) a[j] = (j % 2 ? -2.0 : 2.0) / (2 * j + 1);
    return a;
  }();
  return choose(
      value_of(n2) < value_of(w) * value_of(w) * 0.0625,
      [&] { return horner(kArctangent, S(n2 / (w * w))) / w; },
      [&] {
        const S n = sqrt(n2);
        return 2.0 * atan2(n, w) / n;
      });
}

/// z / sin z on (-pi, pi), and its slope, which cancels in closed form near 0.
inline double over_sine(double z) { return z == 0 ? 1 : z / std::sin(z); }
inline double over_sine_slope(double z) {
  if (std::abs(z) < 0.05) {
    const double u = z * z;
    return z * (1.0 / 3 + u * (7.0 / 90 + u * (31.0 / 2520 + u * (127.0 / 75600))));
  }
  const double s = std::sin(z);
  return (s - z * std::cos(z)) / (s * s);
}

}  // namespace torsor
