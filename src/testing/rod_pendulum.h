#pragma once
// The classical model of a chain of equal rods that swings in one plane, in the angles of the rods: nothing
// here knows the engine.

#include <vector>

namespace torsor::testing {

/// n uniform rods of square section hung from one another. With the angles a_i of the rods from the vertical,
///   sum_j mu_ij (cos(a_i - a_j) a_j'' + sin(a_i - a_j) a_j'^2) = -g gamma_i sin a_i
///   mu_ij = m l^2 (n - max(i, j) + 1/2) for i != j,  mu_ii = m l^2 (n - i + 1/4) + J,
///   gamma_i = m l (n - i + 1/2),  J = m (l^2 + s^2)/12, i = 1..n
struct RodPendulum {
  int rods = 1;
  double mass = 50, length = 2, side = 0.2, gravity = 9.81;  ///< Sætran's, table 3.1
};

struct RodAngles {
  std::vector<double> angles, rates;  ///< of each rod from the vertical
};

/// After `time` from rest in the given angles, by an extrapolation method of order 16 in so many equal steps.
RodAngles swing(const RodPendulum& pendulum, const std::vector<double>& start, double time, int basic_steps);

}  // namespace torsor::testing
