#pragma once
// Arithmetic on jets: Leibniz and Faa di Bruno to second order, over any scalar below. Where a derivative jumps, the limit
// from the right, which the jet itself decides.

#include <cmath>

#include "torsor/base/dual.h"
#include "torsor/model/program.h"

namespace torsor {

template <class T>
JetOf<T> operator+(const JetOf<T>& a, const JetOf<T>& b) {
  return {a.value + b.value, a.rate + b.rate, a.acceleration + b.acceleration};
}
template <class T>
JetOf<T> operator-(const JetOf<T>& a) {
  return {-a.value, -a.rate, -a.acceleration};
}
template <class T>
JetOf<T> operator-(const JetOf<T>& a, const JetOf<T>& b) {
  return a + (-b);
}
template <class T>
JetOf<T> operator*(const JetOf<T>& a, const JetOf<T>& b) {
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.acceleration * b.value + 2.0 * a.rate * b.rate + a.value * b.acceleration};
}
template <class T>
JetOf<T> operator/(const JetOf<T>& a, const JetOf<T>& b) {
  const T value = a.value / b.value;
  const T rate = (a.rate - value * b.rate) / b.value;
  return {value, rate, (a.acceleration - 2.0 * rate * b.rate - value * b.acceleration) / b.value};
}

template <class T>
bool stands_still(const JetOf<T>& u) {
  return is_zero(u.rate) && is_zero(u.acceleration);
}

/// f(u(t)) from f, f', f'' at u. A constant argument has a constant value, also where f' is infinite.
template <class T>
JetOf<T> chain(const JetOf<T>& u, const T& f, const T& df, const T& ddf) {
  if (stands_still(u)) return {f, T(0.0), T(0.0)};
  return {f, df * u.rate, ddf * (u.rate * u.rate) + df * u.acceleration};
}

template <class T>
JetOf<T> sin(const JetOf<T>& u) {
  using std::cos, std::sin;
  const T s = sin(u.value);
  return chain(u, s, cos(u.value), -s);
}
template <class T>
JetOf<T> cos(const JetOf<T>& u) {
  using std::cos, std::sin;
  const T c = cos(u.value);
  return chain(u, c, -sin(u.value), -c);
}
template <class T>
JetOf<T> tan(const JetOf<T>& u) {
  using std::tan;
  const T f = tan(u.value), df = 1.0 + f * f;
  return chain(u, f, df, 2.0 * f * df);
}
template <class T>
JetOf<T> asin(const JetOf<T>& u) {
  using std::asin, std::sqrt;
  const T w = (1.0 - u.value) * (1.0 + u.value), df = 1.0 / sqrt(w);
  return chain(u, asin(u.value), df, u.value * df / w);
}
template <class T>
JetOf<T> acos(const JetOf<T>& u) {
  using std::acos, std::sqrt;
  const T w = (1.0 - u.value) * (1.0 + u.value), df = -1.0 / sqrt(w);
  return chain(u, acos(u.value), df, u.value * df / w);
}
template <class T>
JetOf<T> atan(const JetOf<T>& u) {
  using std::atan;
  const T df = 1.0 / (1.0 + u.value * u.value);
  return chain(u, atan(u.value), df, -2.0 * u.value * df * df);
}
template <class T>
JetOf<T> sinh(const JetOf<T>& u) {
  using std::cosh, std::sinh;
  const T f = sinh(u.value);
  return chain(u, f, cosh(u.value), f);
}
template <class T>
JetOf<T> cosh(const JetOf<T>& u) {
  using std::cosh, std::sinh;
  const T f = cosh(u.value);
  return chain(u, f, sinh(u.value), f);
}
template <class T>
JetOf<T> tanh(const JetOf<T>& u) {
  using std::cosh, std::tanh;
  const T f = tanh(u.value), c = cosh(u.value), df = 1.0 / c / c;
  return chain(u, f, df, -2.0 * f * df);
}
template <class T>
JetOf<T> exp(const JetOf<T>& u) {
  using std::exp;
  const T f = exp(u.value);
  return chain(u, f, f, f);
}
template <class T>
JetOf<T> log(const JetOf<T>& u) {
  using std::log;
  const T df = 1.0 / u.value;
  return chain(u, log(u.value), df, -df * df);
}
template <class T>
JetOf<T> sqrt(const JetOf<T>& u) {
  using std::sqrt;
  const T f = sqrt(u.value), df = 0.5 / f;
  return chain(u, f, df, -0.5 * df / u.value);
}

template <class T>
JetOf<T> pow(const JetOf<T>& u, const JetOf<T>& v) {
  using std::pow;
  if (!stands_still(v)) return exp(v * log(u));
  const double p = value_of(v.value);
  // A vanishing factor wins over an infinite power: t^1 and t^2 are smooth at 0.
  const T df = p == 0 ? T(0.0) : p * pow(u.value, p - 1);
  const T ddf = p == 0 || p == 1 ? T(0.0) : p * (p - 1) * pow(u.value, p - 2);
  return chain(u, pow(u.value, p), df, ddf);
}

/// theta' = (x y' - y x') / r^2, and its derivative.
template <class T>
JetOf<T> atan2(const JetOf<T>& y, const JetOf<T>& x) {
  using std::atan2;
  const T angle = atan2(y.value, x.value);
  if (stands_still(x) && stands_still(y)) return {angle, T(0.0), T(0.0)};
  const T rr = x.value * x.value + y.value * y.value;
  const T rate = (x.value * y.rate - y.value * x.rate) / rr;
  const T half_drr = x.value * x.rate + y.value * y.rate;
  return {angle, rate, (x.value * y.acceleration - y.value * x.acceleration - 2.0 * half_drr * rate) / rr};
}

/// Whether a(t) < b(t) just after t.
template <class T>
bool less_soon(const JetOf<T>& a, const JetOf<T>& b) {
  if (a.value != b.value) return a.value < b.value;
  if (a.rate != b.rate) return a.rate < b.rate;
  return a.acceleration < b.acceleration;
}
template <class T>
bool has_nan(const JetOf<T>& u) {
  return std::isnan(value_of(u.value + u.rate + u.acceleration));
}
template <class T>
JetOf<T> min(const JetOf<T>& a, const JetOf<T>& b) {
  return has_nan(a) || (!has_nan(b) && less_soon(a, b)) ? a : b;
}
template <class T>
JetOf<T> max(const JetOf<T>& a, const JetOf<T>& b) {
  return has_nan(a) || (!has_nan(b) && less_soon(b, a)) ? a : b;
}
template <class T>
JetOf<T> abs(const JetOf<T>& u) {
  return less_soon(u, JetOf<T>{}) ? -u : u;
}

}  // namespace torsor
