#pragma once
// What code that serves plain numbers and packs alike needs beside the packs themselves: masks of either, angles, norms.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "torsor/base/norm.h"
#include "torsor/base/pack.h"

namespace torsor {

/// What a comparison of two numbers of this kind is.
template <class S>
using MaskOf = decltype(S{} < S{});
/// Whether it is several numbers at once, with masks for conditions.
template <class S>
inline constexpr bool kHasLanes = !std::same_as<MaskOf<S>, bool>;
/// Of one lane.
inline double& lane(double& x, int) { return x; }
inline double lane(const double& x, int) { return x; }
template <int N>
double& lane(Pack<N>& x, int i) {
  return x[i];
}
template <int N>
double lane(const Pack<N>& x, int i) {
  return x[i];
}
template <class S>
MaskOf<S> all_lanes() {
  return S{} == S{};
}
/// Whether work may be left out: a plain number's alone. What a pack leaves out must not depend on its lanes, or
/// the sign of a zero in one of them would depend on the others.
inline bool may_skip(bool condition) { return condition; }
template <class Mask>
requires(!std::same_as<Mask, bool>) bool may_skip(const Mask&) { return false; }
template <int N>
void set_lane(typename Pack<N>::Mask& mask, int i, bool value) {
  reinterpret_cast<std::int64_t*>(&mask.bits)[i] = value ? -1 : 0;
}

template <int N>
Pack<N> hypot(const Pack<N>& a, const Pack<N>& b) {
  return lanewise([](double x, double y) { return std::hypot(x, y); }, a, b);
}
/// To the nearest integer, halves to the even one; |a| below 2^51.
template <int N>
Pack<N> round(const Pack<N>& a) {
  constexpr double kRound = 0x1.8p52;
  return {(a.lanes + kRound) - kRound};
}

/// The lanes that the usual way below does not serve: what is not finite, or vanishes in both.
template <int N>
[[gnu::noinline, gnu::cold]] Pack<N> angle_by_library(const Pack<N>& y, const Pack<N>& x,
                                                      const typename Pack<N>::Mask& usual, Pack<N> angle) {
  for (int i = 0; i < N; ++i) {
    if (!usual[i]) angle[i] = std::atan2(y[i], x[i]);
  }
  return angle;
}
/// The angle of every lane within two units in the last place: t = smaller over larger of |x|, |y|, reduced
/// by atan t = atan c + atan((t - c) / (1 + c t)), c = 0, 1/2 or 1, then the polynomial of fdlibm (s_atan.c; Sun
/// Microsystems 1993) on |t| <= 7/16. The reduction is that of the quotient: (t - c)/(1 + c t) = (n - c d)/(d + c n).
template <int N>
Pack<N> angle_of(const Pack<N>& y, const Pack<N>& x) {
  using Lanes = typename Pack<N>::Lanes;
  using Bits = typename Pack<N>::Bits;
  const Pack<N> size_x = abs(x), size_y = abs(y);
  const Lanes ax = size_x.lanes, ay = size_y.lanes;
  const Bits steep = ay > ax;
  const Lanes d = steep ? ay : ax, n = steep ? ax : ay;
  const Lanes zero{}, one = 1.0 - zero, half = 0.5 - zero;
  const Bits small = n < 0.4375 * d, middle = n < 0.6875 * d;
  const Lanes c = small ? zero : middle ? half : one;
  const Lanes turned = small    ? zero
                       : middle ? 4.63647609000806093515e-01 - zero
                                : 7.85398163397448278999e-01 - zero;
  const Lanes rest = small    ? zero
                     : middle ? 2.26987774529616870924e-17 - zero
                              : 3.06161699786838301793e-17 - zero;
  const Lanes t = (n - c * d) / (d + c * n);
  const Lanes z = t * t, w = z * z;
  const Lanes odd = z * (3.33333333333329318027e-01 +
                         w * (1.42857142725034663711e-01 +
                              w * (9.09088713343650656196e-02 +
                                   w * (6.66107313738753120669e-02 +
                                        w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)))));
  const Lanes even = w * (-1.99999999998764832476e-01 +
                          w * (-1.11111104054623557880e-01 +
                               w * (-7.69187620504482999495e-02 +
                                    w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))));
  const Lanes flat = turned - ((t * (odd + even) - rest) - t);
  constexpr double kHalfPi = 1.57079632679489655800e+00, kHalfPiRest = 6.12323399573676603587e-17;
  const Lanes up = steep ? kHalfPi - (flat - kHalfPiRest) : flat;
  const Bits backwards = Bits(x.lanes) < 0;  // the sign, of a zero too
  const Lanes around = backwards ? 2 * kHalfPi - (up - 2 * kHalfPiRest) : up;
  const Pack<N> angle{Lanes(Bits(around) | (Bits(y.lanes) & INT64_MIN))};
  const typename Pack<N>::Mask usual{(d > 0.0) & (d < 1e300)};
  if (!all(usual)) [[unlikely]]
    return angle_by_library(y, x, usual, angle);
  return angle;
}
inline double angle_of(double y, double x) { return std::atan2(y, x); }

template <int N>
Pack<N> larger(const Pack<N>& a, const Pack<N>& b) {
  return select((a < b) | (b != b), b, a);
}
template <int N>
Pack<N> smaller(const Pack<N>& a, const Pack<N>& b) {
  return select((b < a) | (b != b), b, a);
}

/// Of numbers of any kind.
template <class S>
class LargestAbsOf : public LargestAbs {};
template <int N>
class LargestAbsOf<Pack<N>> {
 public:
  void keep(const Pack<N>& value) {
    const Bits bits = Bits(value.lanes) & INT64_MAX;  // as LargestAbs has it
    bits_ = bits_ < bits ? bits : bits_;
  }
  Pack<N> value() const { return {typename Pack<N>::Lanes(bits_)}; }

 private:
  using Bits = typename Pack<N>::Bits;
  Bits bits_{};
};

}  // namespace torsor
