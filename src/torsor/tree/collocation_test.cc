#include "torsor/tree/collocation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "testing/models.h"
#include "testing/numbers.h"
#include "testing/random_models.h"
#include "torsor/model/model.h"
#include "torsor/tree/configuration.hpp"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

/// E(q) v by the derivative of the exponential update, for quaternions of any length.
Numbers coordinate_rates(const Tree& tree, const Numbers& q, const Numbers& v) {
  Numbers unit = q, rate(tree.coordinate_count);
  normalize(tree, unit);
  constexpr double kStep = 1e-3;
  const auto moved = [&](double by) {
    Numbers increment = v, to(tree.coordinate_count);
    for (double& x : increment) x *= by;
    retract<double>(tree, unit, increment, to);
    return to;
  };
  const Numbers a = moved(kStep), b = moved(-kStep), c = moved(2 * kStep), d = moved(-2 * kStep);
  for (int i = 0; i < tree.coordinate_count; ++i) {
    rate[i] = (8 * (a[i] - b[i]) - (c[i] - d[i])) / (12 * kStep);
  }
  for (const TreeNode& node : tree.nodes) {
    if (node.joint != Primitive::spherical && node.joint != Primitive::free) continue;
    double square = 0;
    for (int k = 0; k < 4; ++k) square += q[node.q + k] * q[node.q + k];
    for (int k = 0; k < 4; ++k) rate[node.q + k] *= std::sqrt(square);
  }
  return rate;
}

/// Gauss's method with two stages.
const Numbers kB{0.5, 0.5}, kLean{0.5, 0.5 - std::sqrt(3.0) / 3, 0.5 + std::sqrt(3.0) / 3, 0.5};

struct Collocated {
  Tree tree;
  Numbers q0, V, Q, dq;
  double h;
  Collocated(const ModelDescription& description, double step, unsigned seed)
      : tree(make_tree(Model(description))), h(step) {
    std::mt19937 generator(seed);
    q0 = random_configuration(tree, generator);
    V = random_vector(2 * tree.rate_count, generator);
    for (double& v : V) v *= 3;
    Q.resize(2 * tree.coordinate_count);
    dq.resize(tree.coordinate_count);
    collocate(tree, h, kLean, kB, q0, V, Q, dq);
  }
};

TEST(Collocation, SolvesItsEquations) {
  ModelDescription plane = reference::three_link_arm();
  plane.joints[0].type = JointType::free;
  for (const ModelDescription& description : {reference::all_joints(), random_tree(20, 3), plane}) {
    SCOPED_TRACE(description.name);
    const Collocated c(description, 0.2, 5);
    const int n = c.tree.coordinate_count, m = c.tree.rate_count;
    std::vector<Numbers> stage(2, c.q0), rate(2);
    for (int iteration = 0; iteration < 100; ++iteration) {
      for (int i = 0; i < 2; ++i) {
        rate[i] = coordinate_rates(c.tree, stage[i], Numbers(c.V.begin() + i * m, c.V.begin() + (i + 1) * m));
      }
      for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < n; ++k) {
          stage[i][k] =
              c.q0[k] + 0.5 * c.h * (kLean[2 * i] * rate[0][k] + kLean[2 * i + 1] * rate[1][k]);  // (1)
        }
      }
    }
    Numbers end(n);
    for (int k = 0; k < n; ++k) end[k] = 0.5 * c.h * (rate[0][k] + rate[1][k]);
    EXPECT_LE(relative_error(end, c.dq), 1e-11);  // measured 3.8e-12, of the differences
    for (int i = 0; i < 2; ++i) {
      normalize(c.tree, stage[i]);
      const Numbers Q(c.Q.begin() + i * n, c.Q.begin() + (i + 1) * n);
      EXPECT_LE(relative_error(stage[i], Q), 1e-11);  // measured 1.7e-12
    }
  }
}

TEST(Collocation, KeepsTheLengthOfQuaternionsWhateverTheRates) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Collocated c(random_tree(20, seed), 0.05 * (seed + 1), seed);
    for (int k = 0; k < c.tree.coordinate_count; ++k) c.q0[k] += c.dq[k];
    EXPECT_LE(unit_length_error(c.tree, c.q0), 2e-15);  // measured 1.1e-16
  }
}

TEST(Collocation, IsCayleysMapForOneStage) {
  const Tree tree = make_tree(Model(reference::spherical_chain(1)));
  const Numbers q0{1, 0, 0, 0}, V{0.3, -0.5, 2}, a{0.5}, b{1};
  Numbers Q(4), dq(4);
  const double h = 0.4;
  collocate(tree, h, a, b, q0, V, Q, dq);
  const Vec3<double> x = 0.25 * h * Vec3<double>{V[0], V[1], V[2]};
  const double square = dot(x, x);
  EXPECT_NEAR(1 + dq[0], (1 - square) / (1 + square), 1e-15);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(dq[1 + k], 2 * x[k] / (1 + square), 1e-15);
}

}  // namespace
}  // namespace torsor
