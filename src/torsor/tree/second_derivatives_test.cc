// Second derivatives against duals of duals through the recursion of inverse dynamics, and against the
// Christoffel symbols.

#include "torsor/tree/second_derivatives.h"

#include <gtest/gtest.h>

#include "testing/numbers.h"
#include "testing/random_models.h"
#include "torsor/model/model.h"
#include "torsor/tree/christoffel.h"
#include "torsor/tree/configuration.hpp"
#include "torsor/tree/inverse_dynamics.hpp"

namespace torsor {
namespace {

using Numbers = std::vector<double>;
using Nested = Dual<Dual8, 1>;

struct SecondDerivatives : ::testing::TestWithParam<unsigned> {
  Tree tree = make_tree(Model(random_geared_tree(20, GetParam())));
  int n = tree.rate_count;
  std::mt19937 generator{GetParam() + 1000};
  Numbers q = random_configuration(tree, generator), qd = random_vector(n, generator),
          qdd = random_vector(n, generator);
  Numbers by_q_q = cube(), by_q_qd = cube(), by_qd_qd = cube(), by_q_qdd = cube();

  Numbers cube() const { return Numbers(n * n * n, 1e300); }
  void SetUp() override {
    SecondDerivativesWorkspace workspace(tree);
    inverse_dynamics_second_derivatives(tree, workspace, q, qd, qdd, {by_q_q, by_q_qd, by_qd_qd, by_q_qdd});
  }
  /// d2 Q_i / dx_j dy_k by nested duals; x and y of q (0), qd (1) or qdd (2).
  Numbers nested(int x, int y) {
    InverseDynamicsWorkspace<Nested> workspace(tree);
    Numbers result(n * n * n);
    std::vector<Nested> q0(q.begin(), q.end()), q1(q.size()), effort(n);
    for (int j = 0; j < n; ++j) {
      for (int first = 0; first < n; first += 8) {
        const int lanes = std::min(8, n - first);
        std::vector<Nested> state[3] = {
            std::vector<Nested>(n), {qd.begin(), qd.end()}, {qdd.begin(), qdd.end()}};
        state[x][j].tangent[0] += 1.0;
        for (int k = 0; k < lanes; ++k) state[y][first + k].value.tangent[k] += 1.0;
        retract<Nested>(tree, q0, state[0], q1);
        inverse_dynamics<Nested>(tree, workspace, q1, state[1], state[2], {}, effort);
        for (int i = 0; i < n; ++i) {
          for (int k = 0; k < lanes; ++k) {
            result[(i * n + j) * n + first + k] = effort[i].tangent[0].tangent[k];
          }
        }
      }
    }
    return result;
  }
};

TEST_P(SecondDerivatives, AreThoseOfNestedDualNumbers) {
  EXPECT_LT(relative_error(by_q_q, nested(0, 0)), 1e-11);    // measured 6e-15
  EXPECT_LT(relative_error(by_q_qd, nested(0, 1)), 1e-11);   // measured 6e-15
  EXPECT_LT(relative_error(by_qd_qd, nested(1, 1)), 1e-11);  // measured 5e-15
  EXPECT_LT(relative_error(by_q_qdd, nested(0, 2)), 1e-11);  // measured 4e-15
}

TEST_P(SecondDerivatives, ByRatesAreTheChristoffelSymbols) {
  ChristoffelWorkspace workspace(tree);
  Numbers Gamma(n * n * n), twice(n * n * n), mass(n * n * n);
  christoffel_symbols(tree, workspace, q, Gamma);
  const auto at = [&](int i, int j, int k) { return Gamma[(i * n + j) * n + k]; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        twice[(i * n + j) * n + k] = at(i, j, k) + at(i, k, j);
        mass[(i * n + j) * n + k] = at(i, k, j) + at(k, i, j);
      }
    }
  }
  EXPECT_LT(relative_error(by_qd_qd, twice), 1e-11);  // measured 2e-15
  EXPECT_LT(relative_error(by_q_qdd, mass), 1e-11);   // measured 2e-15
}

INSTANTIATE_TEST_SUITE_P(Seeds, SecondDerivatives, ::testing::Range(0u, 4u));

}  // namespace
}  // namespace torsor
