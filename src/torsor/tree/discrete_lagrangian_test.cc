// Both against the Lagrangian itself, differentiated by dual numbers.

#include "torsor/tree/discrete_lagrangian.h"

#include <gtest/gtest.h>

#include "testing/numbers.h"
#include "testing/random_models.h"
#include "torsor/model/model.h"
#include "torsor/tree/armature.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/energy.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/kinematics.h"
#include "torsor/tree/scalars.h"

namespace torsor {
namespace {

using Numbers = std::vector<double>;
using Duals = std::vector<Dual1>;

struct DiscreteLagrangian : ::testing::TestWithParam<unsigned> {
  Tree tree = make_tree(Model(random_geared_tree(40, GetParam())));
  std::mt19937 generator{GetParam() + 500};
  int n = tree.rate_count;
  Numbers q = random_configuration(tree, generator), v = random_vector(n, generator);
  LagrangianWorkspace<double> workspace{tree};
  Numbers p = Numbers(n), f = Numbers(n);

  Dual1 lagrangian(const Duals& at, const Duals& rates) const {
    std::vector<Pose<Dual1>> X(tree.size());
    std::vector<Twist<Dual1>> V(tree.size());
    forward_kinematics<Dual1>(tree, at, rates, X, V);
    return kinetic_energy<Dual1>(tree, V) + rotor_energy<Dual1>(tree, rates) -
           gravity_potential<Dual1>(tree, X);
  }
  /// `from`, moved along body-fixed axis k with unit rate; k = -1: not at all.
  Duals moving(const Numbers& from, int k) const {
    Duals start(from.begin(), from.end()), increment(n, Dual1(0.0));
    if (k >= 0) increment[k] = Dual1(0.0, {1.0});
    retract<Dual1>(tree, start, increment, start);
    return start;
  }
};

TEST_P(DiscreteLagrangian, DerivativesAreThoseOfTheEnergies) {
  Numbers by_rate(n), by_coordinate(n);
  for (int k = 0; k < n; ++k) {
    Duals rates(v.begin(), v.end());
    by_coordinate[k] = lagrangian(moving(q, k), rates).tangent[0];
    rates[k].tangent[0] = 1;
    by_rate[k] = lagrangian(moving(q, -1), rates).tangent[0];
  }
  lagrangian_derivatives<double>(tree, workspace, q, v, {}, p, f);
  EXPECT_LE(relative_error(p, by_rate), 1e-13);        // measured 5e-16
  EXPECT_LE(relative_error(f, by_coordinate), 1e-13);  // measured 5e-15
}

/// Wrenches on the nodes act as in inverse dynamics.
TEST_P(DiscreteLagrangian, AppliedWrenchesAreGeneralisedForces) {
  std::vector<Wrench<double>> applied;
  for (int i = 0; i < tree.size(); ++i) {
    const Numbers w = random_vector(6, generator);
    applied.push_back({{w[0], w[1], w[2]}, {w[3], w[4], w[5]}});
  }
  InverseDynamicsWorkspace<double> inverse(tree);
  const Numbers rest(n);
  Numbers expected(n);
  inverse_dynamics<double>(tree, inverse, q, rest, rest, applied, expected);
  lagrangian_derivatives<double>(tree, workspace, q, rest, applied, p, f);
  for (double& entry : f) entry = -entry;
  EXPECT_LE(relative_error(f, expected), 1e-13);  // measured 3e-16
}

/// dexp of every joint type is in it.
TEST_P(DiscreteLagrangian, EndMomentaAreItsDerivativesByTheEnds) {
  const double h = 0.4;
  Numbers xi(n), half(n), middle(q.size()), q1(q.size());
  for (int k = 0; k < n; ++k) {
    xi[k] = h * v[k];
    half[k] = 0.5 * xi[k];
  }
  retract<double>(tree, q, xi, q1);
  retract<double>(tree, q, half, middle);
  const auto discrete_lagrangian = [&](const Duals& a, const Duals& b) {
    Duals step(n), rates(n), at(q.size());
    configuration_difference<Dual1>(tree, a, b, step);
    for (int k = 0; k < n; ++k) {
      rates[k] = step[k] / h;
      step[k] = 0.5 * step[k];
    }
    retract<Dual1>(tree, a, step, at);
    return h * lagrangian(at, rates);
  };
  Numbers by_begin(n), by_end(n), p0(n), p1(n);
  for (int k = 0; k < n; ++k) {
    by_begin[k] = -discrete_lagrangian(moving(q, k), moving(q1, -1)).tangent[0];
    by_end[k] = discrete_lagrangian(moving(q, -1), moving(q1, k)).tangent[0];
  }
  lagrangian_derivatives<double>(tree, workspace, middle, v, {}, p, f);
  end_momenta<double>(tree, h, xi, p, f, p0, p1);
  EXPECT_LE(relative_error(p0, by_begin), 1e-12);  // measured 2.3e-15
  EXPECT_LE(relative_error(p1, by_end), 1e-12);    // measured 5e-15
}

INSTANTIATE_TEST_SUITE_P(RandomTrees, DiscreteLagrangian, ::testing::Range(1u, 6u));

}  // namespace
}  // namespace torsor
