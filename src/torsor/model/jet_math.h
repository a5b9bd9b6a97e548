#pragma once
// Arithmetic on jets: Leibniz and Faa di Bruno to second order. Where a derivative jumps, the limit from the
// right, which the jet itself decides.

#include <cmath>

#include "torsor/model/program.h"

namespace torsor {

inline Jet operator+(const Jet& a, const Jet& b) {
  return {a.value + b.value, a.rate + b.rate, a.acceleration + b.acceleration};
}
inline Jet operator-(const Jet& a) { return {-a.value, -a.rate, -a.acceleration}; }
inline Jet operator-(const Jet& a, const Jet& b) { return a + (-b); }
inline Jet operator*(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.acceleration * b.value + 2 * a.rate * b.rate + a.value * b.acceleration};
}
inline Jet operator/(const Jet& a, const Jet& b) {
  const double value = a.value / b.value;
  const double rate = (a.rate - value * b.rate) / b.value;
  return {value, rate, (a.acceleration - 2 * rate * b.rate - value * b.acceleration) / b.value};
}

inline bool stands_still(const Jet& u) { return u.rate == 0 && u.acceleration == 0; }

/// f(u(t)) from f, f', f'' at u. A constant argument has a constant value, also where f' is infinite.
inline Jet chain(const Jet& u, double f, double df, double ddf) {
  if (stands_still(u)) return {f, 0, 0};
  return {f, df * u.rate, ddf * (u.rate * u.rate) + df * u.acceleration};
}

inline Jet sin(const Jet& u) {
  const double s = std::sin(u.value);
  return chain(u, s, std::cos(u.value), -s);
}
inline Jet cos(const Jet& u) {
  const double c = std::cos(u.value);
  return chain(u, c, -std::sin(u.value), -c);
}
inline Jet tan(const Jet& u) {
  const double f = std::tan(u.value), df = 1 + f * f;
  return chain(u, f, df, 2 * f * df);
}
inline Jet asin(const Jet& u) {
  const double w = (1 - u.value) * (1 + u.value), df = 1 / std::sqrt(w);
  return chain(u, std::asin(u.value), df, u.value * df / w);
}
inline Jet acos(const Jet& u) {
  const double w = (1 - u.value) * (1 + u.value), df = -1 / std::sqrt(w);
  return chain(u, std::acos(u.value), df, u.value * df / w);
}
inline Jet atan(const Jet& u) {
  const double df = 1 / (1 + u.value * u.value);
  return chain(u, std::atan(u.value), df, -2 * u.value * df * df);
}
inline Jet sinh(const Jet& u) {
  const double f = std::sinh(u.value);
  return chain(u, f, std::cosh(u.value), f);
}
inline Jet cosh(const Jet& u) {
  const double f = std::cosh(u.value);
  return chain(u, f, std::sinh(u.value), f);
}
inline Jet tanh(const Jet& u) {
  const double f = std::tanh(u.value), c = std::cosh(u.value), df = 1 / c / c;
  return chain(u, f, df, -2 * f * df);
}
inline Jet exp(const Jet& u) {
  const double f = std::exp(u.value);
  return chain(u, f, f, f);
}
inline Jet log(const Jet& u) {
  const double df = 1 / u.value;
  return chain(u, std::log(u.value), df, -df * df);
}
inline Jet sqrt(const Jet& u) {
  const double f = std::sqrt(u.value), df = 0.5 / f;
  return chain(u, f, df, -0.5 * df / u.value);
}

inline Jet pow(const Jet& u, const Jet& v) {
  if (!stands_still(v)) return exp(v * log(u));
  const double p = v.value;
  // A vanishing factor wins over an infinite power: t^1 and t^2 are smooth at 0.
  const double df = p == 0 ? 0 : p * std::pow(u.value, p - 1);
  const double ddf = p == 0 || p == 1 ? 0 : p * (p - 1) * std::pow(u.value, p - 2);
  return chain(u, std::pow(u.value, p), df, ddf);
}

/// theta' = (x y' - y x') / r^2, and its derivative.
inline Jet atan2(const Jet& y, const Jet& x) {
  const double angle = std::atan2(y.value, x.value);
  if (stands_still(x) && stands_still(y)) return {angle, 0, 0};
  const double rr = x.value * x.value + y.value * y.value;
  const double rate = (x.value * y.rate - y.value * x.rate) / rr;
  const double half_drr = x.value * x.rate + y.value * y.rate;
  return {angle, rate, (x.value * y.acceleration - y.value * x.acceleration - 2 * half_drr * rate) / rr};
}

/// Whether a(t) < b(t) just after t.
inline bool less_soon(const Jet& a, const Jet& b) {
  if (a.value != b.value) return a.value < b.value;
  if (a.rate != b.rate) return a.rate < b.rate;
  return a.acceleration < b.acceleration;
}
inline bool has_nan(const Jet& u) { return std::isnan(u.value + u.rate + u.acceleration); }
inline Jet min(const Jet& a, const Jet& b) { return has_nan(a) || (!has_nan(b) && less_soon(a, b)) ? a : b; }
inline Jet max(const Jet& a, const Jet& b) { return has_nan(a) || (!has_nan(b) && less_soon(b, a)) ? a : b; }
inline Jet abs(const Jet& u) { return less_soon(u, Jet{}) ? -u : u; }

}  // namespace torsor
