#pragma once
// Truncated power series in time, f(t) = c_0 + c_1 t + ... + c_{N-1} t^{N-1}: a scalar like Dual, with orders
// in place of directions. Any algorithm of this library evaluated on it yields its exact time derivatives
// along a motion.

#include <bit>
#include <cmath>
#include <utility>

#include "torsor/base/pack.h"

namespace torsor {

/// The coefficients lie in one SIMD register, padded to a power of two. A product sends only lower
/// coefficients to higher ones, so what gathers in the padding never comes back.
template <int N>
struct Taylor {
  static_assert(N >= 2 && N <= 8);
  static constexpr int size = N;
  static constexpr int kWidth = std::bit_ceil(static_cast<unsigned>(N));
  using Lanes = typename SimdRegister<kWidth>::Lanes;

  Lanes c;

  Taylor() : c{} {}
  Taylor(double constant) : c{constant} {}  // NOLINT: a number is a series
  explicit Taylor(const Lanes& coefficients) : c(coefficients) {}

  double operator[](int k) const { return c[k]; }
  double& operator[](int k) { return reinterpret_cast<double*>(&c)[k]; }
  /// The k-th time derivative at t = 0.
  double derivative(int k) const {
    double factorial = 1;
    for (int i = 2; i <= k; ++i) factorial *= i;
    return factorial * c[k];
  }

  friend Taylor operator+(const Taylor& a, const Taylor& b) { return Taylor(a.c + b.c); }
  friend Taylor operator-(const Taylor& a, const Taylor& b) { return Taylor(a.c - b.c); }
  friend Taylor operator-(const Taylor& a) { return Taylor(-a.c); }
  friend const Taylor& operator+(const Taylor& a) { return a; }
  friend Taylor operator+(const Taylor& a, double b) { return Taylor(a.c + Lanes{b}); }
  friend Taylor operator+(double a, const Taylor& b) { return Taylor(Lanes{a} + b.c); }
  friend Taylor operator-(const Taylor& a, double b) { return Taylor(a.c - Lanes{b}); }
  friend Taylor operator-(double a, const Taylor& b) { return Taylor(Lanes{a} - b.c); }
  friend Taylor operator*(const Taylor& a, double s) { return Taylor(a.c * s); }
  friend Taylor operator*(double s, const Taylor& a) { return Taylor(s * a.c); }
  friend Taylor operator/(const Taylor& a, double s) { return Taylor(a.c / s); }
  friend Taylor operator/(double a, const Taylor& b) { return Taylor(a) / b; }
  friend Taylor operator*(const Taylor& a, const Taylor& b) {
    return product(a, b, std::make_integer_sequence<int, N>{}, std::make_integer_sequence<int, kWidth>{});
  }
  /// b q = a, coefficient by coefficient.
  friend Taylor operator/(const Taylor& a, const Taylor& b) {
    Taylor q;
    for (int k = 0; k < N; ++k) {
      double rest = a[k];
      for (int j = 0; j < k; ++j) rest -= q[j] * b[k - j];
      q[k] = rest / b[0];
    }
    return q;
  }
  template <class B>
  Taylor& operator+=(const B& b) {
    return *this = *this + b;
  }
  template <class B>
  Taylor& operator-=(const B& b) {
    return *this = *this - b;
  }
  template <class B>
  Taylor& operator*=(const B& b) {
    return *this = *this * b;
  }
  template <class B>
  Taylor& operator/=(const B& b) {
    return *this = *this / b;
  }

  // Branches follow the value at t = 0.
  friend bool operator<(const Taylor& a, const Taylor& b) { return a[0] < b[0]; }
  friend bool operator<=(const Taylor& a, const Taylor& b) { return a[0] <= b[0]; }
  friend bool operator>(const Taylor& a, const Taylor& b) { return a[0] > b[0]; }
  friend bool operator>=(const Taylor& a, const Taylor& b) { return a[0] >= b[0]; }
  friend bool operator==(const Taylor& a, const Taylor& b) { return a[0] == b[0]; }
  friend bool operator!=(const Taylor& a, const Taylor& b) { return a[0] != b[0]; }
  friend double value_of(const Taylor& a) { return a[0]; }

 private:
  template <int order, int... lane>
  static Lanes everywhere(const Lanes& a, std::integer_sequence<int, lane...>) {
    return __builtin_shufflevector(a, a, (lane * 0 + order)...);
  }
  /// t^order b; what moves in from below is zero.
  template <int order, int... lane>
  static Lanes shifted(const Lanes& b, std::integer_sequence<int, lane...>) {
    return __builtin_shufflevector(b, Lanes{}, (lane < order ? kWidth : lane - order)...);
  }
  /// sum_i a_i t^i b.
  template <int... order, class Every>
  static Taylor product(const Taylor& a, const Taylor& b, std::integer_sequence<int, order...>, Every every) {
    return Taylor(((everywhere<order>(a.c, every) * shifted<order>(b.c, every)) + ...));
  }
};

/// The series with value f0 at t = 0 whose rate is f; the last coefficient of f does not matter.
template <int N>
Taylor<N> integral(double f0, const Taylor<N>& f) {
  Taylor<N> result(f0);
  for (int k = 1; k < N; ++k) result[k] = f[k - 1] / k;
  return result;
}

/// Sine and cosine of a series of which those of x_0 are known: s' = x' c, c' = -x' s.
template <int N>
void extend_sincos(const Taylor<N>& x, double sine0, double cosine0, Taylor<N>& sine, Taylor<N>& cosine) {
  double rate[N], s[N] = {sine0}, c[N] = {cosine0};
  for (int k = 1; k < N; ++k) rate[k] = k * x[k];
  for (int k = 1; k < N; ++k) {
    double up = 0, down = 0;
    for (int j = 1; j <= k; ++j) {
      up += rate[j] * c[k - j];
      down -= rate[j] * s[k - j];
    }
    s[k] = up / k;
    c[k] = down / k;
  }
  sine = cosine = Taylor<N>();
  for (int k = 0; k < N; ++k) {
    sine[k] = s[k];
    cosine[k] = c[k];
  }
}
template <int N>
void sincos(const Taylor<N>& x, Taylor<N>& sine, Taylor<N>& cosine) {
  double s, c;
  sincos(x[0], s, c);
  extend_sincos(Taylor<N>(x), s, c, sine, cosine);  // a copy: the outputs may alias the input
}
template <int N>
Taylor<N> sin(const Taylor<N>& x) {
  Taylor<N> s, c;
  sincos(x, s, c);
  return s;
}
template <int N>
Taylor<N> cos(const Taylor<N>& x) {
  Taylor<N> s, c;
  sincos(x, s, c);
  return c;
}
/// r r = x, for x_0 > 0.
template <int N>
Taylor<N> sqrt(const Taylor<N>& x) {
  Taylor<N> r(std::sqrt(x[0]));
  for (int k = 1; k < N; ++k) {
    double rest = x[k];
    for (int j = 1; j < k; ++j) rest -= r[j] * r[k - j];
    r[k] = rest / (2 * r[0]);
  }
  return r;
}

}  // namespace torsor
