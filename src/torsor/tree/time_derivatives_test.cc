// Efforts differentiated along a motion: by power series, against differences in extended precision.

#include "torsor/tree/time_derivatives.h"
#include "torsor/base/norm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "testing/random_models.h"
#include "torsor/model/model.h"
#include "torsor/tree/configuration.hpp"
#include "torsor/tree/inverse_dynamics.hpp"

namespace torsor {
namespace {

/// A number of 64 bits or more of mantissa.
struct Extended {
  long double value = 0;

  Extended() = default;
  Extended(long double x) : value(x) {}
  friend Extended operator+(const Extended& a, const Extended& b) { return a.value + b.value; }
  friend Extended operator-(const Extended& a, const Extended& b) { return a.value - b.value; }
  friend Extended operator*(const Extended& a, const Extended& b) { return a.value * b.value; }
  Extended& operator+=(const Extended& b) { return value += b.value, *this; }
  Extended& operator-=(const Extended& b) { return value -= b.value, *this; }
  friend void sincos(const Extended& x, Extended& sine, Extended& cosine) {
    sine = std::sin(x.value);
    cosine = std::cos(x.value);
  }
};

using Numbers = std::vector<double>;
using ExtendedNumbers = std::vector<Extended>;

/// The motion from a random state whose rates are polynomials of third degree in time.
struct PolynomialMotion : ::testing::TestWithParam<unsigned> {
  Tree tree = make_tree(Model(random_geared_tree(60, GetParam())));
  std::mt19937 generator{GetParam() + 2000};
  Numbers q = random_configuration(tree, generator);
  Numbers qd = random_vector(tree.rate_count, generator), qdd = random_vector(tree.rate_count, generator),
          qddd = random_vector(tree.rate_count, generator), qdddd = random_vector(tree.rate_count, generator);

  ExtendedNumbers rates(long double t) const {
    ExtendedNumbers r(tree.rate_count);
    for (int k = 0; k < tree.rate_count; ++k)
      r[k] = qd[k] + t * (qdd[k] + t * (qddd[k] / 2.0L + t * qdddd[k] / 6.0L));
    return r;
  }
  ExtendedNumbers accelerations(long double t) const {
    ExtendedNumbers r(tree.rate_count);
    for (int k = 0; k < tree.rate_count; ++k) r[k] = qdd[k] + t * (qddd[k] + t * qdddd[k] / 2.0L);
    return r;
  }
  /// The rate of the coordinates, quaternions and all.
  ExtendedNumbers coordinate_rates(const ExtendedNumbers& x, const ExtendedNumbers& v) const {
    ExtendedNumbers out(x.size());
    for (const TreeNode& node : tree.nodes) {
      const Extended* const a = x.data() + node.q;
      const Extended* const r = v.data() + node.v;
      Extended* const o = out.data() + node.q;
      if (node.joint == Primitive::planar) {
        Extended s, c;
        sincos(a[0], s, c);
        o[0] = r[0], o[1] = c * r[1] - s * r[2], o[2] = s * r[1] + c * r[2];
      } else if (node.joint == Primitive::spherical || node.joint == Primitive::free) {
        store_at(quaternion_at(a) * SO3<Extended>{0.0L, 0.5L * r[0], 0.5L * r[1], 0.5L * r[2]}, o);
        if (node.joint == Primitive::free) store_at(matrix(quaternion_at(a)) * vector_at(r + 3), o + 4);
      } else if (node.joint != Primitive::fixed) {
        o[0] = r[0];
      }
    }
    return out;
  }
  /// Runge and Kutta's classical method, with steps so short that its error is that of rounding.
  void advance(ExtendedNumbers& x, long double& t, long double duration) const {
    constexpr int kSteps = 32;
    const long double h = duration / kSteps;
    const auto moved = [&](const ExtendedNumbers& rate, long double step) {
      ExtendedNumbers y = x;
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += step * rate[i];
      return y;
    };
    const long double start = t;
    for (int step = 0; step < kSteps; ++step) {
      t = start + step * h;
      const auto before = rates(t), middle = rates(t + h / 2), after = rates(t + h);
      const auto k1 = coordinate_rates(x, before), k2 = coordinate_rates(moved(k1, h / 2), middle),
                 k3 = coordinate_rates(moved(k2, h / 2), middle), k4 = coordinate_rates(moved(k3, h), after);
      for (std::size_t i = 0; i < x.size(); ++i)
        x[i] += h / 6 * (k1[i] + 2.0L * k2[i] + 2.0L * k3[i] + k4[i]);
    }
    t = start + duration;
  }
  ExtendedNumbers efforts(const ExtendedNumbers& x, long double t) const {
    InverseDynamicsWorkspace<Extended> workspace(tree);
    ExtendedNumbers effort(tree.rate_count);
    inverse_dynamics<Extended>(tree, workspace, x, rates(t), accelerations(t), {}, effort);
    return effort;
  }
};

double relative_error(const Numbers& a, const ExtendedNumbers& b) {
  long double worst = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = larger(worst, std::abs(a[i] - b[i].value));
    scale = larger(scale, std::abs(b[i].value));
  }
  return static_cast<double>(worst / scale);
}

TEST_P(PolynomialMotion, EffortRatesAreTheDerivativesOfEfforts) {
  // Central differences of eighth order; the error measured in the second derivative is theirs.
  constexpr long double kStep = 2e-3L;
  constexpr long double kFirst[] = {0, 4 / 5.0L, -1 / 5.0L, 4 / 105.0L, -1 / 280.0L};
  constexpr long double kSecond[] = {-205 / 72.0L, 8 / 5.0L, -1 / 5.0L, 8 / 315.0L, -1 / 560.0L};
  const ExtendedNumbers start(q.begin(), q.end());
  const ExtendedNumbers now = efforts(start, 0);
  ExtendedNumbers first(tree.rate_count), second(tree.rate_count);
  for (int k = 0; k < tree.rate_count; ++k) second[k] = kSecond[0] * now[k];
  for (const int side : {1, -1}) {
    ExtendedNumbers x = start;
    long double t = 0;
    for (int point = 1; point <= 4; ++point) {
      advance(x, t, side * kStep);
      const ExtendedNumbers effort = efforts(x, t);
      for (int k = 0; k < tree.rate_count; ++k) {
        first[k] += side * kFirst[point] * effort[k];
        second[k] += kSecond[point] * effort[k];
      }
    }
  }
  for (int k = 0; k < tree.rate_count; ++k) {
    first[k] = first[k].value / kStep;
    second[k] = second[k].value / (kStep * kStep);
  }

  InverseDynamicsRatesWorkspace workspace(tree);
  Numbers Q(tree.rate_count), Q_rate(tree.rate_count), Q_acceleration(tree.rate_count);
  inverse_dynamics_rates(tree, workspace, q, qd, qdd, qddd, qdddd, Q, Q_rate, Q_acceleration);
  EXPECT_LT(relative_error(Q, now), 1e-13);                  // measured 9e-16
  EXPECT_LT(relative_error(Q_rate, first), 1e-12);           // measured 2e-15
  EXPECT_LT(relative_error(Q_acceleration, second), 1e-11);  // measured 2e-13, from the differences
}

INSTANTIATE_TEST_SUITE_P(Seeds, PolynomialMotion, ::testing::Range(0u, 8u));

}  // namespace
}  // namespace torsor
