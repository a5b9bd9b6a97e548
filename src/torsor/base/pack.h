#pragma once
// N states in one SIMD register: a scalar type whose every operation acts on N doubles at once. Conditions
// become masks, so code that serves double and Pack alike branches by select() or choose().
//
// Width and layout are the same whatever instructions a program is compiled for: alignment is said, for where
// there are no registers of a size compilers take a smaller one. So are calls: copies are not trivial, since
// compilers pass trivial ones in registers where there are any of their size and in memory elsewhere, and a
// library and a program with other flags would not understand each other.

#include <cmath>
#include <concepts>
#include <cstdint>
#if defined(__AVX512F__)
#include <immintrin.h>  // GCC folds a mask of eight lanes by seven instructions where the machine has one
#endif

namespace torsor {

/// The compiler's vector types; by width, because GCC 12 does not index one whose width is a template
/// parameter.
template <int N>
struct SimdRegister;
template <>
struct SimdRegister<2> {
  using Lanes [[gnu::vector_size(16)]] = double;
  using Bits [[gnu::vector_size(16)]] = std::int64_t;
};
template <>
struct SimdRegister<4> {
  using Lanes [[gnu::vector_size(32)]] = double;
  using Bits [[gnu::vector_size(32)]] = std::int64_t;
};
template <>
struct SimdRegister<8> {
  using Lanes [[gnu::vector_size(64)]] = double;
  using Bits [[gnu::vector_size(64)]] = std::int64_t;
};

template <int N>
struct Pack {
  static constexpr int size = N;
  using Lanes = typename SimdRegister<N>::Lanes;
  using Bits = typename SimdRegister<N>::Bits;

  /// The outcome of a comparison: all ones or all zeros in every lane.
  struct Mask {
    alignas(sizeof(Bits)) Bits bits;

    Mask(const Bits& b) : bits(b) {}
    Mask(const Mask& other) : bits(other.bits) {}
    Mask& operator=(const Mask&) = default;
    friend Mask operator&(const Mask& a, const Mask& b) { return {a.bits & b.bits}; }
    friend Mask operator|(const Mask& a, const Mask& b) { return {a.bits | b.bits}; }
    friend Mask operator!(const Mask& a) { return {~a.bits}; }
    bool operator[](int i) const { return bits[i] != 0; }
    friend bool any(const Mask& m) {
#if defined(__AVX512DQ__)
      if constexpr (N == 8) return _mm512_movepi64_mask(reinterpret_cast<__m512i>(m.bits)) != 0;
#endif
      std::int64_t folded = 0;
      for (int i = 0; i < N; ++i) folded |= m.bits[i];
      return folded != 0;
    }
    friend bool all(const Mask& m) { return !any(!m); }
    friend Pack select(const Mask& m, const Pack& a, const Pack& b) { return {m.bits ? a.lanes : b.lanes}; }
  };

  alignas(sizeof(Lanes)) Lanes lanes;

  Pack() : lanes{} {}
  Pack(const Pack& other) : lanes(other.lanes) {}
  Pack& operator=(const Pack&) = default;
  Pack(const Lanes& l) : lanes(l) {}
  Pack(double x) : lanes(x - Lanes{}) {}  // x - 0 keeps the sign of a zero

  double operator[](int i) const { return lanes[i]; }
  double& operator[](int i) { return reinterpret_cast<double*>(&lanes)[i]; }

  friend Pack operator+(const Pack& a, const Pack& b) { return {a.lanes + b.lanes}; }
  friend Pack operator-(const Pack& a, const Pack& b) { return {a.lanes - b.lanes}; }
  friend Pack operator*(const Pack& a, const Pack& b) { return {a.lanes * b.lanes}; }
  friend Pack operator/(const Pack& a, const Pack& b) { return {a.lanes / b.lanes}; }
  friend Pack operator-(const Pack& a) { return {-a.lanes}; }
  friend Pack operator+(const Pack& a) { return a; }
  Pack& operator+=(const Pack& b) { return lanes += b.lanes, *this; }
  Pack& operator-=(const Pack& b) { return lanes -= b.lanes, *this; }
  Pack& operator*=(const Pack& b) { return lanes *= b.lanes, *this; }
  Pack& operator/=(const Pack& b) { return lanes /= b.lanes, *this; }

  friend Mask operator<(const Pack& a, const Pack& b) { return {a.lanes < b.lanes}; }
  friend Mask operator<=(const Pack& a, const Pack& b) { return {a.lanes <= b.lanes}; }
  friend Mask operator>(const Pack& a, const Pack& b) { return {a.lanes > b.lanes}; }
  friend Mask operator>=(const Pack& a, const Pack& b) { return {a.lanes >= b.lanes}; }
  friend Mask operator==(const Pack& a, const Pack& b) { return {a.lanes == b.lanes}; }
  friend Mask operator!=(const Pack& a, const Pack& b) { return {a.lanes != b.lanes}; }

  friend const Pack& value_of(const Pack& a) { return a; }
  friend Pack min(const Pack& a, const Pack& b) { return select(b < a, b, a); }
  friend Pack max(const Pack& a, const Pack& b) { return select(a < b, b, a); }
  friend Pack abs(const Pack& a) {
    constexpr std::int64_t kNoSign = INT64_MAX;
    return {Lanes(Bits(a.lanes) & kNoSign)};
  }
};

/// f applied lane by lane: for functions that are rare on the hot path.
template <int N, class F, class... Args>
Pack<N> lanewise(F f, const Pack<N>& a, const Args&... more) {
  Pack<N> result;
  for (int i = 0; i < N; ++i) result.lanes[i] = f(a[i], more[i]...);
  return result;
}
template <int N>
Pack<N> sqrt(const Pack<N>& a) {
  return lanewise([](double x) { return std::sqrt(x); }, a);
}
template <int N>
Pack<N> tan(const Pack<N>& a) {
  return lanewise([](double x) { return std::tan(x); }, a);
}
template <int N>
Pack<N> asin(const Pack<N>& a) {
  return lanewise([](double x) { return std::asin(x); }, a);
}
template <int N>
Pack<N> acos(const Pack<N>& a) {
  return lanewise([](double x) { return std::acos(x); }, a);
}
template <int N>
Pack<N> exp(const Pack<N>& a) {
  return lanewise([](double x) { return std::exp(x); }, a);
}
template <int N>
Pack<N> log(const Pack<N>& a) {
  return lanewise([](double x) { return std::log(x); }, a);
}
template <int N>
Pack<N> pow(const Pack<N>& a, double exponent) {
  return lanewise([exponent](double x) { return std::pow(x, exponent); }, a);
}
template <int N>
Pack<N> atan2(const Pack<N>& y, const Pack<N>& x) {
  return lanewise([](double b, double a) { return std::atan2(b, a); }, y, x);
}
/// a b + c with one rounding.
template <int N>
Pack<N> fma(const Pack<N>& a, const Pack<N>& b, const Pack<N>& c) {
#if defined(__AVX512F__)  // GCC makes eight scalar ones of the lanes
  if constexpr (N == 8) return {typename Pack<N>::Lanes(_mm512_fmadd_pd(a.lanes, b.lanes, c.lanes))};
#endif
  return lanewise([](double x, double y, double z) { return std::fma(x, y, z); }, a, b, c);
}

/// The angle up to which the reduction by pi/2 below is exact enough.
constexpr double kReducible = 1e5;
/// Sine and cosine of the lanes beyond, out of line to keep the usual way short.
template <int N>
[[gnu::noinline, gnu::cold]] void sincos_by_library(const Pack<N>& x, Pack<N>& sine, Pack<N>& cosine) {
  for (int i = 0; i < N; ++i) {
    if (std::abs(x[i]) <= kReducible) continue;
    sine[i] = std::sin(x[i]);
    cosine[i] = std::cos(x[i]);
  }
}

/// Sine and cosine of every lane within about one unit in the last place: x = k pi/2 + r with pi/2 in four
/// pieces (Cody and Waite), then the kernel polynomials of fdlibm (k_sin.c, k_cos.c; Sun Microsystems 1993)
/// on |r| <= pi/4. A zero comes back positive. The outputs must not alias the
/// input.
template <int N>
void sincos(const Pack<N>& x, Pack<N>& sine, Pack<N>& cosine) {
  using Lanes = typename Pack<N>::Lanes;
  using Bits = typename Pack<N>::Bits;
  constexpr double kRound = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
  const Lanes shifted = x.lanes * 6.36619772367581382433e-01 + kRound;
  const Bits quadrant = Bits(shifted);
  const Lanes k = shifted - kRound;

  const Lanes t = x.lanes - k * 1.57079632673412561417e+00;  // first 33 bits of pi/2: the product is exact
  const Lanes y = t - k * 6.07710050630396597660e-11;        // next 33 bits
  const Lanes tail = (t - y) - k * 6.07710050630396597660e-11 - k * 2.02226624879595063154e-21;  // r - y

  const Lanes z = y * y;
  const Lanes sine_poly = -1.66666666666666324348e-01 +
                          z * (8.33333333332248946124e-03 +
                               z * (-1.98412698298579493134e-04 +
                                    z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 +
                                                                           z * 1.58969099521155010221e-10))));
  const Lanes cosine_poly =
      4.16666666666666019037e-02 +
      z * (-1.38888888888741095749e-03 +
           z * (2.48015872894767294178e-05 +
                z * (-2.75573143513906633035e-07 +
                     z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
  const Lanes one_less = 1.0 - 0.5 * z;
  const Lanes s = y + (tail * one_less + z * y * sine_poly);
  const Lanes c = one_less + (((1.0 - one_less) - 0.5 * z - y * tail) + z * z * cosine_poly);

  const Bits odd = (quadrant & 1) != 0;
  const Bits sine_sign = (quadrant & 2) << 62;
  const Bits cosine_sign = ((quadrant + 1) & 2) << 62;
  sine.lanes = Lanes(Bits(odd ? c : s) ^ sine_sign);
  cosine.lanes = Lanes(Bits(odd ? s : c) ^ cosine_sign);

  if (any(!(abs(x) <= Pack<N>(kReducible)))) [[unlikely]]
    sincos_by_library(x, sine, cosine);
}
template <int N>
Pack<N> sin(const Pack<N>& x) {
  Pack<N> s, c;
  sincos(x, s, c);
  return s;
}
template <int N>
Pack<N> cos(const Pack<N>& x) {
  Pack<N> s, c;
  sincos(x, s, c);
  return c;
}

// The same verbs for plain numbers, so that templates need not know their scalar.
inline void sincos(double x, double& sine, double& cosine) {
  sine = std::sin(x);
  cosine = std::cos(x);
}
inline double value_of(double x) { return x; }
template <class T>
T select(bool condition, const T& a, const T& b) {
  return condition ? a : b;
}
inline bool any(bool condition) { return condition; }
inline bool all(bool condition) { return condition; }

/// select() that evaluates only what some lane needs: both are callables of no argument.
template <class Condition, class A, class B>
auto choose(const Condition& condition, const A& a, const B& b) {
  if constexpr (std::same_as<Condition, bool>) {
    return condition ? a() : b();
  } else {
    if (all(condition)) return a();
    if (!any(condition)) return b();
    return select(condition, a(), b());
  }
}

}  // namespace torsor
