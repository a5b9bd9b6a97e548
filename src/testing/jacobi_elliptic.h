#pragma once
// Jacobi's elliptic functions of real argument, in extended precision.

namespace torsor::testing {

/// By the complementary parameter m1 = 1 - k^2, 0 < m1 <= 1: near the separatrix k^2 is 1 to rounding while
/// m1 still counts.
struct EllipticParameter {
  long double complement = 1;
};

struct JacobiElliptic {
  long double sn, cn, dn;
};
JacobiElliptic jacobi_elliptic(long double u, EllipticParameter m);

/// A quarter of the period of sn and cn, K(m).
long double quarter_period(EllipticParameter m);

/// The argument u in (-2K, 2K] at which (sn, cn) has the given direction: Legendre's F(atan2(sn, cn)).
long double elliptic_argument(long double sn, long double cn, EllipticParameter m);

}  // namespace torsor::testing
