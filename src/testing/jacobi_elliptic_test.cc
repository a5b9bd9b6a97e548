#include "testing/jacobi_elliptic.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "testing/gragg_bulirsch_stoer.h"

namespace torsor::testing {
namespace {

using Real = long double;
using State = std::array<Real, 3>;

/// sn' = cn dn, cn' = -sn dn, dn' = -m sn cn, from 0, 1, 1.
TEST(JacobiElliptic, SolvesItsDifferentialEquations) {
  for (const Real complement : {1.0L, 0.7L, 0.1L, 1e-3L, 1e-9L}) {
    const auto slope = [&](Real, const State& y) {
      return State{y[1] * y[2], -y[0] * y[2], -(1 - complement) * y[0] * y[1]};
    };
    for (const Real u : {0.3L, 2.0L, 7.0L}) {
      const State exact = gragg_bulirsch_stoer<Real>(slope, State{0, 1, 1}, 0.0L, u, 200);
      const JacobiElliptic j = jacobi_elliptic(u, {complement});
      // The equations are solved to 4e-15 where dn is close to 0 on the way.
      EXPECT_NEAR(j.sn, exact[0], 1e-14);  // measured 3e-16
      EXPECT_NEAR(j.cn, exact[1], 1e-14);  // measured 5e-15
      EXPECT_NEAR(j.dn, exact[2], 1e-14);  // measured 5e-15
    }
  }
}

TEST(JacobiElliptic, IsPeriodic) {
  EXPECT_NEAR(quarter_period({1}), std::numbers::pi / 2, 1e-16);
  EXPECT_NEAR(quarter_period({0.5}), 1.85407467730137191843, 1e-16);  // DLMF 19.6, lemniscatic
  for (const Real complement : {0.9L, 0.2L, 1e-6L}) {
    const Real K = quarter_period({complement});
    const JacobiElliptic quarter = jacobi_elliptic(K, {complement});
    EXPECT_NEAR(quarter.sn, 1, 1e-16);
    EXPECT_NEAR(quarter.cn, 0, 1e-16);
    EXPECT_NEAR(quarter.dn, std::sqrt(complement), 1e-16);
    EXPECT_NEAR(jacobi_elliptic(4 * K + 0.4L, {complement}).sn, jacobi_elliptic(0.4L, {complement}).sn,
                1e-16);
  }
}

TEST(JacobiElliptic, ArgumentInvertsIt) {
  for (const Real complement : {1.0L, 0.3L, 1e-6L}) {
    const Real K = quarter_period({complement});
    for (const Real part : {-1.7L, -0.6L, 0.0L, 0.2L, 0.99L, 1.4L}) {
      const JacobiElliptic j = jacobi_elliptic(part * K, {complement});
      EXPECT_NEAR(elliptic_argument(j.sn, j.cn, {complement}), part * K, 1e-15) << part;
    }
  }
}

}  // namespace
}  // namespace torsor::testing
