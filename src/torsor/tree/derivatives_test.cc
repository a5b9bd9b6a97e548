// Derivatives of the dynamics of random trees with every joint type, against dual numbers through the
// recursions.

#include <gtest/gtest.h>

#include "testing/numbers.h"
#include "testing/random_models.h"
#include "torsor/model/model.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/coriolis_matrix.h"
#include "torsor/tree/forward_dynamics.h"
#include "torsor/tree/forward_dynamics_derivatives.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/inverse_dynamics_derivatives.h"
#include "torsor/tree/mass_matrix.h"
#include "torsor/tree/scalars.h"

namespace torsor {
namespace {

using Numbers = std::vector<double>;
using Duals = std::vector<Dual1>;

/// Large trees and, for every third seed, small ones: derivatives of forward dynamics take another way there.
struct Derivatives : ::testing::TestWithParam<unsigned> {
  Tree tree = make_tree(Model(random_geared_tree(GetParam() % 3 == 0 ? 15 : 60, GetParam())));
  int n = tree.rate_count;
  std::mt19937 generator{GetParam() + 500};
  Numbers q = random_configuration(tree, generator);
  Numbers qd = random_vector(n, generator), qdd = random_vector(n, generator);

  /// q displaced along `increment` times the infinitesimal.
  Duals displaced(const Numbers& increment) const {
    Duals q0(q.begin(), q.end()), d(n), q1(tree.coordinate_count);
    for (int k = 0; k < n; ++k) d[k] = Dual1(0.0, {increment[k]});
    retract<Dual1>(tree, q0, d, q1);
    return q1;
  }
  static Numbers unit(int size, int k) {
    Numbers e(size);
    e[k] = 1;
    return e;
  }
  static Duals varied(const Numbers& value, const Numbers& direction) {
    Duals d(value.size());
    for (std::size_t k = 0; k < value.size(); ++k) d[k] = Dual1(value[k], {direction[k]});
    return d;
  }
  /// Column j of each derivative of f(q, qd) as dual numbers give it.
  template <class F>
  std::pair<Numbers, Numbers> by_duals(F f) const {
    Numbers by_q(n * n), by_qd(n * n);
    const Numbers zero(n);
    for (int j = 0; j < n; ++j) {
      const Duals a = f(displaced(unit(n, j)), varied(qd, zero));
      const Duals b = f(displaced(zero), varied(qd, unit(n, j)));
      for (int i = 0; i < n; ++i) {
        by_q[i * n + j] = a[i].tangent[0];
        by_qd[i * n + j] = b[i].tangent[0];
      }
    }
    return {by_q, by_qd};
  }
};

TEST_P(Derivatives, OfInverseDynamics) {
  InverseDynamicsDerivativesWorkspace<double> workspace(tree);
  Numbers effort(n), by_q(n * n, NAN), by_qd(n * n, NAN);
  inverse_dynamics_derivatives<double>(tree, workspace, q, qd, qdd, effort, by_q, by_qd);

  InverseDynamicsWorkspace<double> plain(tree);
  Numbers expected(n);
  inverse_dynamics<double>(tree, plain, q, qd, qdd, {}, expected);
  EXPECT_LT(relative_error(effort, expected), 1e-12);  // measured 4e-15

  InverseDynamicsWorkspace<Dual1> dual(tree);
  const auto [dual_q, dual_qd] = by_duals([&](const Duals& x, const Duals& v) {
    Duals out(n);
    inverse_dynamics<Dual1>(tree, dual, x, v, varied(qdd, Numbers(n)), {}, out);
    return out;
  });
  EXPECT_LT(relative_error(by_q, dual_q), 1e-11);    // measured 8e-15
  EXPECT_LT(relative_error(by_qd, dual_qd), 1e-11);  // measured 8e-15
}

TEST_P(Derivatives, OfForwardDynamics) {
  const Numbers effort = random_vector(n, generator);
  ForwardDynamicsDerivativesWorkspace workspace(tree);
  Numbers acceleration(n), by_q(n * n), by_qd(n * n), by_effort(n * n);
  forward_dynamics_derivatives(tree, workspace, q, qd, effort, acceleration, by_q, by_qd, by_effort);

  ForwardDynamicsWorkspace<Dual1> dual(tree);
  const auto [dual_q, dual_qd] = by_duals([&](const Duals& x, const Duals& v) {
    Duals out(n);
    forward_dynamics<Dual1>(tree, dual, x, v, varied(effort, Numbers(n)), {}, out);
    return out;
  });
  EXPECT_LT(relative_error(by_q, dual_q), 1e-11);    // measured 5e-13
  EXPECT_LT(relative_error(by_qd, dual_qd), 1e-11);  // measured 5e-13

  MassMatrixWorkspace<double> mass_workspace(tree);
  Numbers M(n * n), product(n * n), identity(n * n);
  mass_matrix<double>(tree, mass_workspace, q, M);
  for (int i = 0; i < n; ++i) {
    identity[i * n + i] = 1;
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) product[i * n + j] += M[i * n + k] * by_effort[k * n + j];
    }
  }
  EXPECT_LT(relative_error(product, identity), 1e-11);  // measured 5e-13
}

TEST_P(Derivatives, CoriolisMatrixGivesTheVelocityTermsAndHalfOfMdot) {
  CoriolisWorkspace<double> workspace(tree);
  Numbers C(n * n, NAN);
  coriolis_matrix<double>(tree, workspace, q, qd, C);

  InverseDynamicsWorkspace<double> plain(tree);
  Numbers with(n), without(n), terms(n), product(n);
  const Numbers rest(n);
  inverse_dynamics<double>(tree, plain, q, qd, rest, {}, with);
  inverse_dynamics<double>(tree, plain, q, rest, rest, {}, without);
  for (int i = 0; i < n; ++i) {
    terms[i] = with[i] - without[i];
    for (int j = 0; j < n; ++j) product[i] += C[i * n + j] * qd[j];
  }
  EXPECT_LT(relative_error(product, terms), 1e-12);  // measured 6e-15

  MassMatrixWorkspace<Dual1> dual(tree);
  Duals M(n * n);
  mass_matrix<Dual1>(tree, dual, displaced(qd), M);
  Numbers M_dot(n * n), sum(n * n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      M_dot[i * n + j] = M[i * n + j].tangent[0];
      sum[i * n + j] = C[i * n + j] + C[j * n + i];
    }
  }
  EXPECT_LT(relative_error(sum, M_dot), 1e-12);  // measured 6e-15
}

INSTANTIATE_TEST_SUITE_P(Seeds, Derivatives, ::testing::Range(0u, 6u));

}  // namespace
}  // namespace torsor
