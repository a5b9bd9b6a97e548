#include "torsor/numerics/gauss_rule.h"

#include <cmath>
#include <numbers>

#include "torsor/numerics/legendre.h"

namespace torsor {

std::vector<GaussPoint> gauss_rule(int points) {
  std::vector<GaussPoint> rule;
  for (int i = 0; i < points; ++i) {
    // Tricomi's guess for the zero of the Legendre polynomial, then Newton's method.
    long double s = 0.5L * (1 - std::cos(std::numbers::pi_v<long double> * (i + 0.75L) / (points + 0.5L)));
    LegendreValue<long double> p{};
    for (int iteration = 0; iteration < 10; ++iteration) {
      p = legendre(points, s);
      s -= p.value / p.slope;
    }
    p = legendre(points, s);
    rule.push_back({static_cast<double>(s), static_cast<double>(1 / (s * (1 - s) * p.slope * p.slope))});
  }
  return rule;
}

}  // namespace torsor
