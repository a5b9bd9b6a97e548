#pragma once
// Gauss-Legendre quadrature on the unit interval.

#include <vector>

namespace torsor {

struct GaussPoint {
  double s = 0, weight = 0;
};

/// Exact for polynomials of degree 2 points - 1. Points ascend; the weights sum to 1.
std::vector<GaussPoint> gauss_rule(int points);

}  // namespace torsor
