#pragma once
// z / sin z of series.h in every lane.

#include "torsor/base/pack_math.h"
#include "torsor/lie/series.h"

namespace torsor {

template <int N>
Pack<N> over_sine(const Pack<N>& z) {
  return select(z == 0.0, Pack<N>(1.0), z / sin(z));
}
template <int N>
Pack<N> over_sine_slope(const Pack<N>& z) {
  return choose(
      abs(z) < 0.05,
      [&] {
        const Pack<N> u = z * z;
        return z * (1.0 / 3 + u * (7.0 / 90 + u * (31.0 / 2520 + u * (127.0 / 75600))));
      },
      [&] {
        Pack<N> s, c;
        sincos(z, s, c);
        return (s - z * c) / (s * s);
      });
}

}  // namespace torsor
