#include "testing/jacobi_elliptic.h"

#include <array>
#include <cmath>
#include <numbers>

namespace torsor::testing {
namespace {

using Real = long double;
constexpr Real kPi = std::numbers::pi_v<Real>;

/// Carlson's R_F(x, y, z) by duplication (DLMF 19.26.18, 19.36.1).
Real carlson_rf(Real x, Real y, Real z) {
  for (int i = 0; i < 100; ++i) {
    const Real mean = (x + y + z) / 3;
    const Real X = 1 - x / mean, Y = 1 - y / mean, Z = -X - Y;
    if (std::abs(X) < 1e-4L && std::abs(Y) < 1e-4L && std::abs(Z) < 1e-4L) {
      const Real E2 = X * Y - Z * Z, E3 = X * Y * Z;
      return (1 - E2 / 10 + E3 / 14 + E2 * E2 / 24 - 3 * E2 * E3 / 44) / std::sqrt(mean);
    }
    const Real lambda = std::sqrt(x * y) + std::sqrt(y * z) + std::sqrt(z * x);
    x = (x + lambda) / 4;
    y = (y + lambda) / 4;
    z = (z + lambda) / 4;
  }
  return std::nan("");
}

}  // namespace

/// Descending Landen transformation: arithmetic and geometric means, then the amplitude back up (DLMF
/// 22.20.3-6).
JacobiElliptic jacobi_elliptic(long double u, EllipticParameter m) {
  constexpr int kMost = 20;
  std::array<Real, kMost> a{}, c{};
  Real b = std::sqrt(m.complement);
  a[0] = 1;
  int n = 0;
  while (n + 1 < kMost && a[n] - b > 1e-19L) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = std::sqrt(a[n] * b);
    ++n;
  }
  Real phi = std::ldexp(a[n] * u, n);
  for (; n > 0; --n) phi = (phi + std::asin(c[n] / a[n] * std::sin(phi))) / 2;
  const Real sn = std::sin(phi), cn = std::cos(phi);
  return {sn, cn, std::sqrt(cn * cn + m.complement * sn * sn)};
}

long double quarter_period(EllipticParameter m) { return carlson_rf(0, m.complement, 1); }

long double elliptic_argument(long double sn, long double cn, EllipticParameter m) {
  const Real phi = std::atan2(sn, cn), size = std::abs(phi);
  const Real s = std::sin(size), c = std::cos(size);
  const Real first = s * carlson_rf(c * c, c * c + m.complement * s * s, 1);  // DLMF 19.25.5
  return std::copysign(size <= kPi / 2 ? first : 2 * quarter_period(m) - first, phi);
}

}  // namespace torsor::testing
