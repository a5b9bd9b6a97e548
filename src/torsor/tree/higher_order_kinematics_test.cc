// Derivatives of twists on random trees, by sums over the chain and by recursion, against power series in
// time.

#include "torsor/tree/higher_order_kinematics.h"
#include "torsor/base/norm.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "testing/random_models.h"
#include "torsor/model/model.h"
#include "torsor/tree/kinematics.hpp"
#include "torsor/tree/time_derivatives.h"

namespace torsor {
namespace {

using Numbers = std::vector<double>;
using Series = Taylor<8>;
constexpr int kOrder = 7;

double size(const Twist<double>& V) { return norm(V.angular) + norm(V.linear); }
Vec3<double> derivative(const Vec3<Series>& v, int k) {
  return {v.x.derivative(k), v.y.derivative(k), v.z.derivative(k)};
}
Twist<double> derivative(const Twist<Series>& V, int k) {
  return {derivative(V.angular, k), derivative(V.linear, k)};
}

/// The worst of many errors, relative to the largest value.
struct RelativeError {
  double worst = 0, scale = 0;

  void compare(const Twist<double>& a, const Twist<double>& b) {
    worst = larger(worst, size(a - b));
    scale = larger(scale, size(b));
  }
  double value() const { return worst / scale; }
};

/// A random motion: seven derivatives of the rates.
struct RandomMotion : ::testing::TestWithParam<unsigned> {
  Tree tree = make_tree(Model(random_tree(60, GetParam())));
  int n = tree.rate_count;
  std::mt19937 generator{GetParam() + 4000};
  Numbers q = random_configuration(tree, generator);
  Numbers rates = random_vector(n * (kOrder + 1), generator);
  std::span<const double> qd = std::span(rates).first(n), qdd = std::span(rates).subspan(n, n),
                          qddd = std::span(rates).subspan(2 * n, n);
  std::vector<Pose<double>> X_WN{static_cast<std::size_t>(tree.size())};
  std::vector<Twist<double>> J{static_cast<std::size_t>(n)};
  std::vector<Pose<Series>> X_series{static_cast<std::size_t>(tree.size())};
  std::vector<Twist<Series>> V_series{static_cast<std::size_t>(tree.size())};

  RandomMotion() {
    node_poses<double>(tree, q, X_WN);
    spatial_joint_screws<double>(tree, X_WN, J);
    std::vector<Series> rate(n), x(tree.coordinate_count);
    double factorial = 1;
    for (int k = 0; k <= kOrder; ++k) {
      if (k > 0) factorial *= k;
      for (int j = 0; j < n; ++j) rate[j][k] = rates[k * n + j] / factorial;
    }
    configuration_series<8>(tree, q, rate, x);
    forward_kinematics<Series>(tree, x, rate, X_series, V_series);
  }
  int deepest_node() const {
    std::vector<int> depth(tree.size());
    for (int i = 1; i < tree.size(); ++i) depth[i] = depth[tree.nodes[i].parent] + 1;
    return static_cast<int>(std::ranges::max_element(depth) - depth.begin());
  }
  Twist<double> by_series(Representation representation, int node, int k) const {
    return derivative(represent(representation, X_series[node], V_series[node]), k);
  }
  TwistDerivatives<double> closed_form(int node, Representation representation) const {
    return twist_derivatives(tree, X_WN, J, qd, qdd, qddd, node, representation);
  }
  std::vector<Twist<double>> by_recursion(Representation representation) const {
    HigherOrderWorkspace workspace(tree, kOrder);
    std::vector<Twist<double>> V(tree.size() * (kOrder + 1));
    twist_derivatives(tree, workspace, q, rates, representation, V);
    return V;
  }
};

TEST_P(RandomMotion, ClosedFormsAreTheDerivativesOfTwists) {
  for (const Representation r : kRepresentations) {
    SCOPED_TRACE(name_of(r));
    RelativeError twist, acceleration, jerk;
    for (int i = 1; i < tree.size(); ++i) {
      const auto closed = closed_form(i, r);
      twist.compare(closed.twist, by_series(r, i, 0));
      acceleration.compare(closed.acceleration, by_series(r, i, 1));
      jerk.compare(closed.jerk, by_series(r, i, 2));
    }
    EXPECT_LT(twist.value(), 1e-12);         // measured 1e-14
    EXPECT_LT(acceleration.value(), 1e-12);  // measured 2e-14
    EXPECT_LT(jerk.value(), 1e-12);          // measured 3e-14
  }
}

TEST_P(RandomMotion, ClosedFormsAgreeAfterConversion) {
  for (const Representation from : kRepresentations) {
    for (const Representation to : kRepresentations) {
      RelativeError acceleration, jerk;
      for (int i = 1; i < tree.size(); ++i) {
        const auto converted = convert(from, to, X_WN[i], closed_form(i, from)), direct = closed_form(i, to);
        acceleration.compare(converted.acceleration, direct.acceleration);
        jerk.compare(converted.jerk, direct.jerk);
      }
      EXPECT_LT(acceleration.value(), 1e-12);  // measured 5e-14
      EXPECT_LT(jerk.value(), 1e-12);          // measured 5e-14
    }
  }
}

TEST_P(RandomMotion, RecursionGivesTheDerivativesOfEveryOrder) {
  for (const Representation r : kRepresentations) {
    SCOPED_TRACE(name_of(r));
    const auto V = by_recursion(r);
    for (int k = 0; k <= kOrder; ++k) {
      RelativeError error;
      for (int i = 1; i < tree.size(); ++i) error.compare(V[i * (kOrder + 1) + k], by_series(r, i, k));
      EXPECT_LT(error.value(), 1e-12);  // measured 1e-13
    }
  }
}

/// Without any twist on the way: the hybrid linear part is what the position of the origin does.
TEST_P(RandomMotion, HybridDerivativesAreThoseOfThePosition) {
  const auto V = by_recursion(Representation::hybrid);
  for (int k = 0; k < kOrder; ++k) {
    RelativeError error;
    for (int i = 1; i < tree.size(); ++i) {
      error.compare({{}, V[i * (kOrder + 1) + k].linear}, {{}, derivative(X_series[i].p, k + 1)});
    }
    EXPECT_LT(error.value(), 1e-12);  // measured 3e-14
  }
}

/// The nested sums of (6) and (13) as they stand in the paper, but for the coefficient where k = r.
TEST_P(RandomMotion, BodyFixedJerkIsMuellersSumOfNestedBrackets) {
  const int i = deepest_node();
  struct Column {
    int node, rate;
    Twist<double> J;
  };
  std::vector<Column> chain;
  for (int node = i; node > 0; node = tree.nodes[node].parent) {
    for (int k = 0; k < rate_count(tree.nodes[node].joint); ++k) {
      const int rate = tree.nodes[node].v + k;
      chain.push_back({node, rate, to_child(X_WN[i], J[rate])});
    }
  }
  Twist<double> acceleration{}, jerk{};
  for (const Column& j : chain) {
    acceleration += qdd[j.rate] * j.J;
    jerk += qddd[j.rate] * j.J;
    for (const Column& k : chain) {
      if (k.node <= j.node) continue;
      const Twist<double> jk = bracket(j.J, k.J);
      acceleration += qd[j.rate] * qd[k.rate] * jk;
      jerk += (2 * qdd[j.rate] * qd[k.rate] + qd[j.rate] * qdd[k.rate]) * jk;
      for (const Column& r : chain) {
        if (r.node < k.node) continue;
        const double coefficient = r.node == k.node ? 1 : 2;
        jerk += coefficient * qd[j.rate] * qd[k.rate] * qd[r.rate] * bracket(jk, r.J);
      }
    }
  }
  const auto closed = closed_form(i, Representation::body);
  EXPECT_LT(size(closed.acceleration - acceleration) / size(acceleration), 1e-13);  // measured 2e-15
  EXPECT_LT(size(closed.jerk - jerk) / size(jerk), 1e-13);                          // measured 8e-15
}

TEST_P(RandomMotion, JointMotionComesBackFromTheBodies) {
  const auto V = by_recursion(Representation::body);
  std::vector<Twist<double>> V_N(tree.size()), V_N_rate(tree.size());
  for (int i = 0; i < tree.size(); ++i) {
    V_N[i] = V[i * (kOrder + 1)];
    V_N_rate[i] = V[i * (kOrder + 1) + 1];
  }
  Numbers rate(n), acceleration(n);
  joint_rates(tree, q, V_N, rate);
  joint_accelerations(tree, q, V_N, V_N_rate, acceleration);
  double rate_error = 0, acceleration_error = 0;
  for (int k = 0; k < n; ++k) {
    rate_error = larger(rate_error, std::abs(rate[k] - qd[k]));
    acceleration_error = larger(acceleration_error, std::abs(acceleration[k] - qdd[k]));
  }
  EXPECT_LT(rate_error, 1e-12);          // measured 4e-14
  EXPECT_LT(acceleration_error, 1e-11);  // measured 1.4e-13
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomMotion, ::testing::Range(0u, 8u));

}  // namespace
}  // namespace torsor
