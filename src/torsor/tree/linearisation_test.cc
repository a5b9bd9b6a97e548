// Linearisation against known frequencies, and on random trees against the derivatives of inverse dynamics.

#include "torsor/tree/linearisation.h"
#include "torsor/base/norm.h"

#include <gtest/gtest.h>

#include <numbers>

#include "testing/random_models.h"
#include "torsor/model/model.h"
#include "torsor/numerics/dense.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/inverse_dynamics_derivatives.h"
#include "torsor/tree/mass_matrix.h"

namespace torsor {
namespace {

using Eigen::MatrixXd;
using Numbers = std::vector<double>;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kGravity = 9.81, kLength = 0.7, kMass = 1.3;

/// Point masses on massless rods, hinge on mass, hanging along -y.
Tree pendulum(int links) {
  Tree tree;
  tree.gravity = {0, -kGravity, 0};
  tree.nodes.emplace_back();
  for (int i = 0; i < links; ++i) {
    TreeNode node;
    node.parent = i;
    node.joint = Primitive::revolute;
    node.q = node.v = i;
    if (i > 0) node.X_PJ.p = {0, -kLength, 0};
    node.inertia = inertia_about_com(kMass, Vec3<double>{0, -kLength, 0}, Sym3<double>{});
    tree.nodes.push_back(node);
    tree.angle_nodes.push_back(i + 1);
  }
  tree.coordinate_count = tree.rate_count = links;
  return tree;
}

Linearisation linearised(const Tree& tree, const Numbers& q, const Numbers& qd, const Numbers& effort) {
  LinearisationWorkspace workspace(tree);
  Linearisation result(tree);
  linearise(tree, workspace, q, qd, effort, result);
  return result;
}

double relative_error(const MatrixXd& a, const MatrixXd& b) {
  return max_abs(a - b) / larger(max_abs(a), max_abs(b));
}

TEST(Linearisation, AHangingPendulumSwingsAtTheRootOfGravityOverLength) {
  const Linearisation l = linearised(pendulum(1), {0}, {0}, {0});
  EXPECT_LT(std::abs(l.qdd[0]), 1e-15);  // measured 0
  const auto m = modes(l.A);
  ASSERT_EQ(m.size(), 1u);
  const double omega = std::sqrt(kGravity / kLength);
  EXPECT_LT(std::abs(m[0].eigenvalue.imag() - omega) / omega, 1e-14);                   // measured 2e-16
  EXPECT_LT(std::abs(m[0].frequency * 2.0 * std::numbers::pi - omega) / omega, 1e-14);  // measured 1e-16
  EXPECT_LT(std::abs(m[0].damping_ratio), 1e-14);                                       // measured 0
  EXPECT_LT(std::abs(l.B(1, 0) * kMass * kLength * kLength - 1.0), 1e-14);              // measured 2e-16
}

TEST(Linearisation, AnInvertedPendulumFallsAtTheSameRate) {
  const auto m = modes(linearised(pendulum(1), {std::numbers::pi}, {0}, {0}).A);
  ASSERT_EQ(m.size(), 2u);
  const double omega = std::sqrt(kGravity / kLength);
  for (const Mode& mode : m) {
    EXPECT_LT(std::abs(std::abs(mode.eigenvalue.real()) - omega) / omega, 1e-14);  // measured 4e-16
    EXPECT_LT(std::abs(std::abs(mode.damping_ratio) - 1.0), 1e-14);                // measured 0
  }
}

TEST(Linearisation, FeedbackOfTheRateDamps) {
  const Linearisation l = linearised(pendulum(1), {0}, {0}, {0});
  const double omega = std::sqrt(kGravity / kLength), ratio = 0.2;
  MatrixXd K(1, 2);
  K << 0.0, 2.0 * ratio * omega * kMass * kLength * kLength;
  const auto m = modes(matrix(eigen(l.A) - eigen(l.B) * K));
  ASSERT_EQ(m.size(), 1u);
  EXPECT_LT(std::abs(std::abs(m[0].eigenvalue) - omega) / omega, 1e-14);  // measured 3e-16
  EXPECT_LT(std::abs(m[0].damping_ratio - ratio), 1e-14);                 // measured 6e-17
}

TEST(Linearisation, ADoublePendulumHasTheKnownModes) {
  const auto m = modes(linearised(pendulum(2), {0, 0}, {0, 0}, {0, 0}).A);
  ASSERT_EQ(m.size(), 2u);
  const double root = std::numbers::sqrt2;
  for (const auto& [mode, sign] : {std::pair(m[0], -1.0), std::pair(m[1], 1.0)}) {
    const double omega = std::sqrt(kGravity / kLength * (2.0 + sign * root));
    EXPECT_LT(std::abs(mode.eigenvalue - std::complex<double>(0, omega)) / omega, 1e-13);  // measured 6e-16
    // Angles against the vertical stand as 1 to -sign sqrt(2); the second joint turns by their difference.
    const std::complex<double> share = mode.shape[1] / mode.shape[0];
    EXPECT_LT(std::abs(share - (-sign * root - 1.0)), 1e-13);  // measured 4e-15
  }
}

struct LinearisedTree : ::testing::TestWithParam<unsigned> {
  Tree tree = make_tree(Model(random_geared_tree(60, GetParam())));
  int n = tree.rate_count;
  std::mt19937 generator{GetParam() + 1000};
  Numbers q = random_configuration(tree, generator), qd = random_vector(n, generator),
          qdd = random_vector(n, generator);
};

TEST_P(LinearisedTree, AgreesWithTheDerivativesOfInverseDynamics) {
  InverseDynamicsDerivativesWorkspace<double> workspace(tree);
  Numbers effort(n);
  RowMajor by_q(n, n), by_qd(n, n), M(n, n);
  inverse_dynamics_derivatives<double>(tree, workspace, q, qd, qdd, effort,
                                       {by_q.data(), by_q.data() + n * n},
                                       {by_qd.data(), by_qd.data() + n * n});
  MassMatrixWorkspace<double> mass(tree);
  mass_matrix<double>(tree, mass, q, {M.data(), M.data() + n * n});

  const Linearisation l = linearised(tree, q, qd, effort);
  EXPECT_LT(relative_error(M * eigen(l.A).bottomLeftCorner(n, n), -by_q), 1e-11);            // measured 3e-13
  EXPECT_LT(relative_error(M * eigen(l.A).bottomRightCorner(n, n), -by_qd), 1e-11);          // measured 3e-15
  EXPECT_LT(relative_error(M * eigen(l.B).bottomRows(n), MatrixXd::Identity(n, n)), 1e-11);  // measured 3e-13
  EXPECT_LT(relative_error(Eigen::Map<const Eigen::VectorXd>(l.qdd.data(), n),
                           Eigen::Map<const Eigen::VectorXd>(qdd.data(), n)),
            1e-11);  // measured 2e-12
}

TEST_P(LinearisedTree, IncrementsTurnAgainstAMovingReference) {
  // Rate of the increment from q exp(qd t) to q exp(x) exp(qd t), for small x of both signs.
  const Linearisation l = linearised(tree, q, qd, Numbers(n));
  const Numbers x = random_vector(n, generator);
  const auto rate = [&](double size) {
    std::vector<Dual1> start(q.begin(), q.end()), step(n), small(n), reference(q.size()), moved(q.size()),
        difference(n);
    for (int k = 0; k < n; ++k) {
      step[k] = Dual1(0.0, {qd[k]});
      small[k] = Dual1(size * x[k]);
    }
    retract<Dual1>(tree, start, step, reference);
    retract<Dual1>(tree, start, small, moved);
    retract<Dual1>(tree, moved, step, moved);
    configuration_difference<Dual1>(tree, reference, moved, difference);
    Eigen::VectorXd result(n);
    for (int k = 0; k < n; ++k) result[k] = difference[k].tangent[0];
    return result;
  };
  constexpr double kSmall = 1e-4;
  const Eigen::VectorXd expected = (rate(kSmall) - rate(-kSmall)) / (2.0 * kSmall);
  const Eigen::VectorXd turned =
      eigen(l.A).topLeftCorner(n, n) * Eigen::Map<const Eigen::VectorXd>(x.data(), n);
  EXPECT_GT(turned.norm(), 1.0);
  EXPECT_LT(relative_error(turned, expected), 1e-10);  // measured 2e-12
  EXPECT_EQ(MatrixXd(eigen(l.A).topRightCorner(n, n)), MatrixXd(MatrixXd::Identity(n, n)));
}

INSTANTIATE_TEST_SUITE_P(Seeds, LinearisedTree, ::testing::Range(0u, 4u));

}  // namespace
}  // namespace torsor
