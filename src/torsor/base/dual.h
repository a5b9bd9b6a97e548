#pragma once
// Dual numbers: a value with N directional derivatives that every operation carries along exactly. T is the
// scalar below (double, Pack, or a Dual again for second derivatives).

#include <array>
#include <cmath>
#include <concepts>

#include "torsor/base/pack.h"

namespace torsor {

/// What the templates of lie/ and tree/ ask of a number.
template <class S>
concept Scalar = std::constructible_from<S, double> && requires(S a, S& b) {
  { a + a } -> std::convertible_to<S>;
  { a - 2.0 * a } -> std::convertible_to<S>;
  { a / a } -> std::convertible_to<S>;
  { -a } -> std::convertible_to<S>;
  b += a;
  select(a < a, a, a);
  sincos(a, b, b);
};

template <class T, int N>
struct Dual {
  using Tangent = std::array<T, N>;
  T value{};
  Tangent tangent{};

  Dual() = default;
  Dual(const T& v) : value(v) {}
  Dual(double v) requires(!std::same_as<T, double>) : value(v) {}
  Dual(const T& v, const Tangent& t) : value(v), tangent(t) {}
  /// The i-th independent variable: its derivative is 1 along direction i.
  static Dual variable(const T& v, int i) {
    Dual result(v);
    result.tangent[i] = T(1.0);
    return result;
  }

  friend Dual operator+(const Dual& a, const Dual& b) {
    Dual r(a.value + b.value);
    for (int i = 0; i < N; ++i) r.tangent[i] = a.tangent[i] + b.tangent[i];
    return r;
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    Dual r(a.value - b.value);
    for (int i = 0; i < N; ++i) r.tangent[i] = a.tangent[i] - b.tangent[i];
    return r;
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return a.combine(a.value * b.value, b.value, b, a.value);
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const T inverse = 1.0 / b.value;
    const T quotient = a.value / b.value;
    Dual r(quotient);
    for (int i = 0; i < N; ++i) r.tangent[i] = (a.tangent[i] - quotient * b.tangent[i]) * inverse;
    return r;
  }
  friend Dual operator+(const Dual& a, double b) { return {a.value + b, a.tangent}; }
  friend Dual operator+(double a, const Dual& b) { return {a + b.value, b.tangent}; }
  friend Dual operator-(const Dual& a, double b) { return {a.value - b, a.tangent}; }
  friend Dual operator-(double a, const Dual& b) { return b.chain(a - b.value, -1.0); }
  friend Dual operator*(const Dual& a, double b) { return a.chain(a.value * b, b); }
  friend Dual operator*(double a, const Dual& b) { return b.chain(a * b.value, a); }
  friend Dual operator/(const Dual& a, double b) { return a.chain(a.value / b, 1.0 / b); }
  friend Dual operator/(double a, const Dual& b) {
    const T quotient = a / b.value;
    return b.chain(quotient, -quotient / b.value);
  }
  friend Dual operator-(const Dual& a) { return a.chain(-a.value, -1.0); }
  friend const Dual& operator+(const Dual& a) { return a; }
  template <class B>
  Dual& operator+=(const B& b) {
    return *this = *this + b;
  }
  template <class B>
  Dual& operator-=(const B& b) {
    return *this = *this - b;
  }
  template <class B>
  Dual& operator*=(const B& b) {
    return *this = *this * b;
  }
  template <class B>
  Dual& operator/=(const B& b) {
    return *this = *this / b;
  }

  friend auto operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend auto operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend auto operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend auto operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend auto operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend auto operator!=(const Dual& a, const Dual& b) { return a.value != b.value; }

  /// f(a) by its value and its slope f'(a).
  template <class D>
  Dual chain(const T& f, const D& slope) const {
    Dual r(f);
    for (int i = 0; i < N; ++i) r.tangent[i] = slope * tangent[i];
    return r;
  }
  /// f(a, b) by its value and its two partial slopes.
  template <class D>
  Dual combine(const T& f, const D& slope, const Dual& b, const D& slope_b) const {
    Dual r(f);
    for (int i = 0; i < N; ++i) r.tangent[i] = slope * tangent[i] + slope_b * b.tangent[i];
    return r;
  }
};

template <class T, int N>
auto value_of(const Dual<T, N>& a) {
  return value_of(a.value);
}
/// With all derivatives.
inline bool is_zero(double a) { return a == 0; }
template <class T, int N>
bool is_zero(const Dual<T, N>& a) {
  bool all = is_zero(a.value);
  for (const T& d : a.tangent) all = all && is_zero(d);
  return all;
}
/// Lane-wise choice for duals over packs; a plain condition takes the general select().
template <class Mask, class T, int N>
requires(!std::same_as<Mask, bool>) Dual<T, N> select(const Mask& m, const Dual<T, N>& a,
                                                      const Dual<T, N>& b) {
  Dual<T, N> r(select(m, a.value, b.value));
  for (int i = 0; i < N; ++i) r.tangent[i] = select(m, a.tangent[i], b.tangent[i]);
  return r;
}

template <class T, int N>
Dual<T, N> sqrt(const Dual<T, N>& a) {
  using std::sqrt;
  const T root = sqrt(a.value);
  return a.chain(root, T(0.5 / root));
}
template <class T, int N>
void sincos(const Dual<T, N>& a, Dual<T, N>& sine, Dual<T, N>& cosine) {
  T s, c;
  sincos(a.value, s, c);
  const Dual<T, N> argument = a;  // the outputs may alias the input
  sine = argument.chain(s, c);
  cosine = argument.chain(c, T(-s));
}
template <class T, int N>
Dual<T, N> sin(const Dual<T, N>& a) {
  T s, c;
  sincos(a.value, s, c);
  return a.chain(s, c);
}
template <class T, int N>
Dual<T, N> cos(const Dual<T, N>& a) {
  T s, c;
  sincos(a.value, s, c);
  return a.chain(c, T(-s));
}
template <class T, int N>
Dual<T, N> tan(const Dual<T, N>& a) {
  using std::tan;
  const T t = tan(a.value);
  return a.chain(t, T(1.0 + t * t));
}
template <class T, int N>
Dual<T, N> asin(const Dual<T, N>& a) {
  using std::asin, std::sqrt;
  return a.chain(asin(a.value), T(1.0 / sqrt((1.0 - a.value) * (1.0 + a.value))));
}
template <class T, int N>
Dual<T, N> acos(const Dual<T, N>& a) {
  using std::acos, std::sqrt;
  return a.chain(acos(a.value), T(-1.0 / sqrt((1.0 - a.value) * (1.0 + a.value))));
}
template <class T, int N>
Dual<T, N> atan2(const Dual<T, N>& y, const Dual<T, N>& x) {
  using std::atan2;
  const T inverse = 1.0 / (x.value * x.value + y.value * y.value);
  return y.combine(atan2(y.value, x.value), T(x.value * inverse), x, T(-y.value * inverse));
}
template <class T, int N>
Dual<T, N> atan(const Dual<T, N>& a) {
  using std::atan;
  return a.chain(atan(a.value), T(1.0 / (1.0 + a.value * a.value)));
}
template <class T, int N>
Dual<T, N> tanh(const Dual<T, N>& a) {
  using std::tanh;
  const T t = tanh(a.value);
  return a.chain(t, T((1.0 - t) * (1.0 + t)));
}
template <class T, int N>
Dual<T, N> sinh(const Dual<T, N>& a) {
  using std::cosh, std::sinh;
  return a.chain(sinh(a.value), T(cosh(a.value)));
}
template <class T, int N>
Dual<T, N> cosh(const Dual<T, N>& a) {
  using std::cosh, std::sinh;
  return a.chain(cosh(a.value), T(sinh(a.value)));
}
template <class T, int N>
Dual<T, N> exp(const Dual<T, N>& a) {
  using std::exp;
  const T e = exp(a.value);
  return a.chain(e, e);
}
template <class T, int N>
Dual<T, N> log(const Dual<T, N>& a) {
  using std::log;
  return a.chain(log(a.value), T(1.0 / a.value));
}
template <class T, int N>
Dual<T, N> pow(const Dual<T, N>& a, double exponent) {
  using std::pow;
  const T slope = exponent == 0 ? T(0.0) : T(exponent * pow(a.value, exponent - 1.0));
  return a.chain(pow(a.value, exponent), slope);
}
/// The slope at 0 is taken from the right.
template <class T, int N>
Dual<T, N> abs(const Dual<T, N>& a) {
  return select(a.value < T(0.0), -a, a);
}

}  // namespace torsor
