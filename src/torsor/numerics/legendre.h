#pragma once
// Legendre polynomials shifted to the unit interval: L_k(1) = 1, L_k(0) = (-1)^k, int L_j L_k = 0 for j != k
// and 1 / (2k + 1) for j = k.

namespace torsor {

template <class T>
struct LegendreValue {
  T value, slope;
};

template <class T>
LegendreValue<T> legendre(int degree, T s) {
  LegendreValue<T> before{1, 0}, now{2 * s - 1, 2};
  if (degree == 0) return before;
  for (int k = 1; k < degree; ++k) {
    // (k + 1) L_k+1 = (2k + 1)(2s - 1) L_k - k L_k-1, and its derivative.
    const T a = static_cast<T>(2 * k + 1) / (k + 1), b = static_cast<T>(k) / (k + 1), z = 2 * s - 1;
    const LegendreValue<T> next{a * z * now.value - b * before.value,
                                a * (2 * now.value + z * now.slope) - b * before.slope};
    before = now;
    now = next;
  }
  return now;
}

/// int_0^s L_k.
template <class T>
T legendre_integral(int degree, T s) {
  if (degree == 0) return s;
  return (legendre(degree + 1, s).value - legendre(degree - 1, s).value) / (2 * (2 * degree + 1));
}

}  // namespace torsor
