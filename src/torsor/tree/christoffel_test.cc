// Christoffel symbols against derivatives of the mass matrix by dual numbers, against inverse dynamics and
// against the closed form, on random trees with every joint type.

#include "torsor/tree/christoffel.h"
#include "torsor/base/norm.h"

#include <gtest/gtest.h>

#include "testing/numbers.h"
#include "testing/random_models.h"
#include "torsor/model/model.h"
#include "torsor/tree/armature.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/mass_matrix.h"
#include "torsor/tree/reference/closed_forms.h"
#include "torsor/tree/scalars.h"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

struct Christoffel : ::testing::TestWithParam<unsigned> {
  Tree tree = make_tree(Model(random_geared_tree(60, GetParam())));
  int n = tree.rate_count;
  std::mt19937 generator{GetParam() + 1000};
  Numbers q = random_configuration(tree, generator), qd = random_vector(n, generator);
  Numbers Gamma = symbols();

  Numbers symbols() {
    ChristoffelWorkspace workspace(tree);
    Numbers result(n * n * n);
    christoffel_symbols(tree, workspace, q, result);
    return result;
  }
  double at(int i, int j, int k) const { return Gamma[(i * n + j) * n + k]; }
  /// d_k M_ij along body-fixed increments, at (i n + j) n + k.
  Numbers mass_derivatives() {
    const std::vector<Dual8> q0(q.begin(), q.end());
    std::vector<Dual8> increment(n), q1(q.size()), M(n * n);
    MassMatrixWorkspace<Dual8> workspace(tree);
    Numbers result(n * n * n);
    for (int first = 0; first < n; first += 8) {
      const int lanes = std::min(8, n - first);
      std::fill(increment.begin(), increment.end(), Dual8(0.0));
      for (int k = 0; k < lanes; ++k) increment[first + k] = Dual8::variable(0.0, k);
      retract<Dual8>(tree, q0, increment, q1);
      mass_matrix<Dual8>(tree, workspace, q1, M);
      for (int ij = 0; ij < n * n; ++ij) {
        for (int k = 0; k < lanes; ++k) result[ij * n + first + k] = M[ij].tangent[k];
      }
    }
    return result;
  }
};

TEST_P(Christoffel, BinetsFormGivesTheSameSymbols) {
  ChristoffelWorkspace workspace(tree);
  Numbers binet(n * n * n);
  binet_christoffel_symbols(tree, workspace, q, binet);
  EXPECT_LT(relative_error(Gamma, binet), 1e-12);  // measured 8e-16
}

TEST_P(Christoffel, TheSymbolsAreTheConnectionOfTheMassMatrix) {
  const Numbers dM = mass_derivatives();
  std::vector<Primitive> joint_of(n);
  for (const TreeNode& node : tree.nodes) {
    for (int r = node.v; r < node.v + rate_count(node.joint); ++r) joint_of[r] = node.joint;
  }
  Numbers metric(n * n * n), sum(n * n * n), classical = Gamma;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        const int ijk = (i * n + j) * n + k;
        metric[ijk] = dM[ijk];
        sum[ijk] = at(i, j, k) + at(j, i, k);
        bool coordinates = true;
        for (const int r : {i, j, k}) coordinates = coordinates && rate_count(joint_of[r]) == 1;
        if (coordinates) {
          classical[ijk] = 0.5 * (dM[ijk] + dM[(i * n + k) * n + j] - dM[(j * n + k) * n + i]);
          EXPECT_EQ(at(i, j, k), at(i, k, j));
        }
      }
    }
  }
  EXPECT_LT(relative_error(sum, metric), 1e-12);       // measured 3e-15
  EXPECT_LT(relative_error(Gamma, classical), 1e-12);  // measured 4e-15
}

TEST_P(Christoffel, OnOneNodeTheSymbolsDifferByTheBracketsOfItsMotions) {
  MassMatrixWorkspace<double> workspace(tree);
  Numbers M(n * n);
  mass_matrix<double>(tree, workspace, q, M);
  double largest = 0;
  for (const double x : Gamma) largest = larger(largest, std::abs(x));
  for (const TreeNode& node : tree.nodes) {
    if (node.joint != Primitive::spherical) continue;
    for (int i = 0; i < n; ++i) {  // [e_0, e_1] = e_2
      EXPECT_LT(
          std::abs(at(i, node.v, node.v + 1) - at(i, node.v + 1, node.v) + M[i * n + node.v + 2]) / largest,
          1e-12);  // measured 2e-15
    }
  }
}

TEST_P(Christoffel, TheirContractionGivesTheVelocityTermsAndSkewSymmetry) {
  Numbers C(n * n), product(n);
  contract_christoffel(Gamma, qd, C);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) product[i] += C[i * n + j] * qd[j];
  }
  const Numbers rest(n);
  InverseDynamicsWorkspace<double> workspace(tree);
  Numbers with(n), without(n);
  inverse_dynamics<double>(tree, workspace, q, qd, rest, {}, with);
  inverse_dynamics<double>(tree, workspace, q, rest, rest, {}, without);
  for (int i = 0; i < n; ++i) with[i] -= without[i];
  EXPECT_LT(relative_error(product, with), 1e-12);  // measured 2e-14

  const Eigen::VectorXd rate = Eigen::Map<const Eigen::VectorXd>(qd.data(), n);
  Eigen::VectorXd closed = jourdain_coriolis_matrix(system_matrices(tree, q, qd)) * rate;  // of the bodies
  add_rotor_bias<double>(tree, qd, 1, {closed.data(), closed.data() + n});
  EXPECT_LT(relative_error(product, Numbers(closed.begin(), closed.end())), 1e-12);  // measured 2e-14

  const Numbers dM = mass_derivatives();
  Numbers gap(n * n), minus_transpose(n * n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double M_dot = 0;
      for (int k = 0; k < n; ++k) M_dot += dM[(i * n + j) * n + k] * qd[k];
      gap[i * n + j] = M_dot - 2.0 * C[i * n + j];
      minus_transpose[j * n + i] = -gap[i * n + j];
    }
  }
  EXPECT_LT(relative_error(gap, minus_transpose), 1e-12);  // measured 8e-15
}

INSTANTIATE_TEST_SUITE_P(Seeds, Christoffel, ::testing::Range(0u, 4u));

}  // namespace
}  // namespace torsor
