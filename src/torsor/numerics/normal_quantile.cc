#include "torsor/numerics/normal_quantile.h"

#include <cmath>
#include <numbers>

namespace torsor {

double normal_quantile(double p) {
  const bool lower = p < 0.5;
  const double tail = lower ? p : 1 - p;
  // Abramowitz and Stegun 26.2.23, within 4.5e-4.
  const double t = std::sqrt(-2 * std::log(tail));
  double x =
      t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (int i = 0; i < 3; ++i) {
    const double error = 0.5 * std::erfc(x * std::numbers::sqrt2 / 2) - tail;
    const double slope = -std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    const double newton = error / slope;
    x -= newton / (1 + 0.5 * newton * x);
  }
  return lower ? -x : x;
}

}  // namespace torsor
