// The three-link arm: against an independent derivation integrated by an independent method, and over long
// times.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "testing/gragg_bulirsch_stoer.h"
#include "testing/models.h"
#include "testing/runs.h"
#include "torsor/base/norm.h"

namespace torsor {
namespace {

using testing::gragg_bulirsch_stoer, testing::run;
using Real = long double;
using State = std::array<Real, 6>;  // absolute angles and their rates
struct Plane {
  Real x = 0, y = 0;
};

/// Lagrange's equations of the arm with tendons (testing/models.h) in absolute angles, by hand:
///   sum_j c_ij (cos(t_i - t_j) t_j'' + sin(t_i - t_j) t_j'^2) + delta_ij J t_j'' = Q_i,
/// where c_ij = sum_k m s_ki s_kj and com_k = sum_i s_ki e(t_i), s_ki = 1 for i < k, 1/2 for i = k.
class ArmByHand {
 public:
  State rate(const State& y) const {
    std::array<std::array<Real, 4>, 3> rows{};  // mass matrix | right-hand side
    const std::array<Real, 3> Q = forces(y);
    for (int i = 0; i < 3; ++i) {
      rows[i][3] = Q[i];
      for (int j = 0; j < 3; ++j) {
        const Real difference = y[i] - y[j];
        rows[i][j] = c(i, j) * std::cos(difference) + (i == j ? 1 : 0);
        rows[i][3] -= c(i, j) * std::sin(difference) * y[3 + j] * y[3 + j];
      }
    }
    for (int k = 0; k < 3; ++k) {  // positive definite: no pivots needed
      for (int i = 0; i < 3; ++i) {
        if (i == k) continue;
        const Real factor = rows[i][k] / rows[k][k];
        for (int j = k; j < 4; ++j) rows[i][j] -= factor * rows[k][j];
      }
    }
    State dy;
    for (int i = 0; i < 3; ++i) {
      dy[i] = y[3 + i];
      dy[3 + i] = rows[i][3] / rows[i][i];
    }
    return dy;
  }

 private:
  static Real s(int k, int i) { return i < k ? 1 : i == k ? Real(0.5) : 0; }
  static Real c(int i, int j) {
    Real sum = 0;
    for (int k = 0; k < 3; ++k) sum += s(k, i) * s(k, j);
    return sum;
  }
  /// Point (u, w) of link k.
  static Plane point(const State& y, int k, Real u, Real w) {
    Plane p{u * std::cos(y[k]) - w * std::sin(y[k]), u * std::sin(y[k]) + w * std::cos(y[k])};
    for (int i = 0; i < k; ++i) {
      p.x += std::cos(y[i]);
      p.y += std::sin(y[i]);
    }
    return p;
  }
  /// Adds the generalised force of a force at that point.
  static void pull(const State& y, int k, Real u, Real w, const Plane& f, std::array<Real, 3>& Q) {
    for (int i = 0; i < k; ++i) Q[i] += -f.x * std::sin(y[i]) + f.y * std::cos(y[i]);
    Q[k] +=
        f.x * (-u * std::sin(y[k]) - w * std::cos(y[k])) + f.y * (u * std::cos(y[k]) - w * std::sin(y[k]));
  }
  static std::array<Real, 3> forces(const State& y) {
    std::array<Real, 3> Q{};
    for (int k = 0; k < 3; ++k) pull(y, k, Real(0.5), 0, {0, -1}, Q);
    const Real w = Real(4) / 10;
    const Plane post{0, Real(0.4)}, anchor{1, -1};
    const Plane horn1 = point(y, 0, 1, Real(0.4)), horn2 = point(y, 1, 1, Real(0.4)), tip = point(y, 2, 1, 0);
    const auto unit = [](const Plane& a, const Plane& b, Real& length) {
      const Real l = std::hypot(b.x - a.x, b.y - a.y);
      length += l;
      return Plane{(b.x - a.x) / l, (b.y - a.y) / l};
    };
    Real l = 0, stay = 0;
    const Plane u0 = unit(post, horn1, l), u1 = unit(horn1, horn2, l), u2 = unit(anchor, tip, stay);
    const Real T = 1 * (l - w), Ts = Real(0.5) * (stay - 1);
    pull(y, 0, 1, Real(0.4), {T * (u1.x - u0.x), T * (u1.y - u0.y)}, Q);
    pull(y, 1, 1, Real(0.4), {-T * u1.x, -T * u1.y}, Q);
    pull(y, 2, 1, 0, {-Ts * u2.x, -Ts * u2.y}, Q);
    return Q;
  }
};

double largest_difference(const State& reference, const Observation& o) {
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    largest = larger(largest, std::abs(static_cast<double>(reference[i] - o.bodies[i].angle)));
    largest =
        larger(largest, std::abs(static_cast<double>(reference[3 + i] - o.bodies[i].angular_velocity.z)));
  }
  return largest;
}

TEST(ThreeLinkArm, Dopri5AgreesWithAnIndependentSolution) {
  const ArmByHand arm;
  const auto rate = [&](Real, const State& y) { return arm.rate(y); };
  const State fine = gragg_bulirsch_stoer<Real>(rate, State{}, 0, 5, 200);
  const State coarse = gragg_bulirsch_stoer<Real>(rate, State{}, 0, 5, 100);
  for (int i = 0; i < 6; ++i)
    EXPECT_NEAR(static_cast<double>(fine[i] - coarse[i]), 0, 1e-14);  // measured 1.4e-16

  const Record record = run(reference::three_link_arm_with_tendons(), "dopri5", 0.01, 5, 1e-12);
  EXPECT_LE(largest_difference(fine, record.observations.back()), 1e-9);  // measured 1.7e-12
  const Record midpoint = run(reference::three_link_arm_with_tendons(), "implicit-midpoint", 0.001, 5);
  EXPECT_LE(largest_difference(fine, midpoint.observations.back()), 1e-5);  // measured 4e-7
}

/// Götz Fig. 5.3c: about 1e-4, without a trend.
TEST(ThreeLinkArm, MidpointKeepsTheEnergyWithoutATrend) {
  const Record record = run(reference::three_link_arm(), "implicit-midpoint", 0.01, 50, 0, 1);
  const double bound = record.ledger.energy_max_error;
  EXPECT_GE(bound, 3e-5);
  EXPECT_LE(bound, 3e-4);  // measured 1.1e-4
  // Straight line through the error by least squares: what it changes in 50 s against the error itself.
  double sum_t = 0, sum_tt = 0, sum_e = 0, sum_te = 0;
  const double start = record.observations.front().total();
  for (const Observation& o : record.observations) {
    sum_t += o.time;
    sum_tt += o.time * o.time;
    sum_e += o.total() - start;
    sum_te += o.time * (o.total() - start);
  }
  const double n = static_cast<double>(record.observations.size());
  const double slope = (n * sum_te - sum_t * sum_e) / (n * sum_tt - sum_t * sum_t);
  EXPECT_LE(std::abs(slope) * 50, 0.3 * bound);  // measured 0.055
  // The motion is chaotic, so there is no bound for ever; in twenty times the time it wanders to 3e-4.
  EXPECT_LE(run(reference::three_link_arm(), "implicit-midpoint", 0.01, 1000).ledger.energy_max_error, 2e-3);
}

}  // namespace
}  // namespace torsor
