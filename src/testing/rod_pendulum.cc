#include "testing/rod_pendulum.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "testing/gragg_bulirsch_stoer.h"

namespace torsor::testing {
namespace {

using Real = long double;
using State = std::vector<Real>;  ///< angles, then rates

State slope(const RodPendulum& p, const State& y) {
  const int n = p.rods;
  const Real m = p.mass, l = p.length, s = p.side;
  Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> inertia(n, n);
  Eigen::Matrix<Real, Eigen::Dynamic, 1> force(n);
  for (int i = 0; i < n; ++i) {
    force[i] = -p.gravity * m * l * (n - i - 0.5L) * std::sin(y[i]);
    for (int j = 0; j < n; ++j) {
      const Real mu = i == j ? m * l * l * (n - i - 0.75L) + m * (l * l + s * s) / 12
                             : m * l * l * (n - std::max(i, j) - 0.5L);
      inertia(i, j) = mu * std::cos(y[i] - y[j]);
      force[i] -= mu * std::sin(y[i] - y[j]) * y[n + j] * y[n + j];
    }
  }
  const Eigen::Matrix<Real, Eigen::Dynamic, 1> acceleration = inertia.llt().solve(force);
  State result(y.begin() + n, y.end());
  result.insert(result.end(), acceleration.begin(), acceleration.end());
  return result;
}

}  // namespace

RodAngles swing(const RodPendulum& pendulum, const std::vector<double>& start, double time, int basic_steps) {
  State y(start.begin(), start.end());
  y.resize(2 * pendulum.rods);
  y = gragg_bulirsch_stoer<Real>([&](Real, const State& at) { return slope(pendulum, at); }, y, Real(0),
                                 Real(time), basic_steps);
  return {{y.begin(), y.begin() + pendulum.rods}, {y.begin() + pendulum.rods, y.end()}};
}

}  // namespace torsor::testing
