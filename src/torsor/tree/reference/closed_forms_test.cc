// Closed forms against the recursions, on random trees with every joint type.

#include "torsor/tree/reference/closed_forms.h"
#include "torsor/base/norm.h"

#include <gtest/gtest.h>

#include "testing/random_models.h"
#include "torsor/model/model.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/kinematics.h"
#include "torsor/tree/mass_matrix.h"
#include "torsor/tree/scalars.h"

namespace torsor {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double relative_error(const MatrixXd& a, const MatrixXd& b) {
  return max_abs(a - b) / larger(max_abs(a), max_abs(b));
}

struct ClosedForms : ::testing::TestWithParam<unsigned> {
  Tree tree = make_tree(Model(random_tree(60, GetParam())));
  int n = tree.rate_count;
  std::mt19937 generator{GetParam() + 1000};
  std::vector<double> q = random_configuration(tree, generator);
  std::vector<double> qd = random_vector(n, generator), qdd = random_vector(n, generator);
  SystemMatrices system = system_matrices(tree, q, qd);

  VectorXd vector(const std::vector<double>& x) { return Eigen::Map<const VectorXd>(x.data(), x.size()); }
  VectorXd inverse(const std::vector<double>& rate, const std::vector<double>& acceleration,
                   std::span<const Wrench<double>> applied = {}) {
    InverseDynamicsWorkspace<double> workspace(tree);
    VectorXd effort(n);
    inverse_dynamics<double>(tree, workspace, q, rate, acceleration, applied,
                             {effort.data(), effort.data() + n});
    return effort;
  }
  MatrixXd mass() {
    MassMatrixWorkspace<double> workspace(tree);
    RowMajor M(n, n);
    mass_matrix<double>(tree, workspace, q, {M.data(), M.data() + M.size()});
    return M;
  }
  /// Configuration at time eps along qd.
  std::vector<Dual1> moving() {
    std::vector<Dual1> q0(q.begin(), q.end()), increment(n), q1(q.size());
    for (int k = 0; k < n; ++k) increment[k] = Dual1(0.0, {qd[k]});
    retract<Dual1>(tree, q0, increment, q1);
    return q1;
  }
};

TEST_P(ClosedForms, TheMassMatrixIsProjectedInertia) {
  EXPECT_LT(relative_error(closed_form_mass_matrix(system), mass()), 1e-12);  // measured 2e-14
}

TEST_P(ClosedForms, TheEulerJourdainProjectionIsInverseDynamics) {
  VectorXd stacked(system.V.size());
  std::vector<Wrench<double>> applied(tree.size());
  for (int i = 1; i < tree.size(); ++i) {
    const auto x = random_vector(6, generator);
    applied[i] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    for (int k = 0; k < 6; ++k) stacked[6 * (i - 1) + k] = x[k];
  }
  EXPECT_LT(relative_error(euler_jourdain_efforts(system, vector(qdd), stacked), inverse(qd, qdd, applied)),
            1e-12);  // measured 3e-14
}

TEST_P(ClosedForms, MassCoriolisAndGravityAddUpToInverseDynamics) {
  const std::vector<double> rest(n);
  const VectorXd gravity = inverse(rest, rest);
  EXPECT_LT(relative_error(closed_form_gravity_forces(system), gravity), 1e-12);  // measured 8e-15
  const VectorXd velocity_terms = inverse(qd, rest) - gravity;
  EXPECT_LT(relative_error(jourdain_coriolis_matrix(system) * vector(qd), velocity_terms),
            1e-12);  // measured 3e-14
}

TEST_P(ClosedForms, TheJacobianRateIsTheDerivativeOfTheJacobian) {
  const std::vector<Dual1> q1 = moving();
  std::vector<Pose<Dual1>> X_WN(tree.size());
  std::vector<Twist<Dual1>> J(n);
  node_poses<Dual1>(tree, q1, X_WN);
  spatial_joint_screws<Dual1>(tree, X_WN, J);
  MatrixXd expected = MatrixXd::Zero(system.J.rows(), n);
  for (int i = 1; i < tree.size(); ++i) {
    for (int j = i; j > 0; j = tree.nodes[j].parent) {
      for (int r = tree.nodes[j].v; r < tree.nodes[j].v + rate_count(tree.nodes[j].joint); ++r) {
        const Twist<Dual1> column = to_child(X_WN[i], J[r]);
        for (int k = 0; k < 3; ++k) {
          expected(6 * (i - 1) + k, r) = column.angular[k].tangent[0];
          expected(6 * (i - 1) + k + 3, r) = column.linear[k].tangent[0];
        }
      }
    }
  }
  EXPECT_LT(relative_error(jacobian_rate(system), expected), 1e-12);  // measured 9e-15
}

TEST_P(ClosedForms, TheMatrixOfJourdainLosesOrGainsNoPowerYetIsNotSkew) {
  const std::vector<Dual1> q1 = moving();
  MassMatrixWorkspace<Dual1> workspace(tree);
  std::vector<Dual1> M(n * n);
  mass_matrix<Dual1>(tree, workspace, q1, M);
  MatrixXd gap = -2.0 * jourdain_coriolis_matrix(system);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) gap(i, j) += M[i * n + j].tangent[0];
  }
  const VectorXd rate = vector(qd);
  const double scale = rate.cwiseAbs().dot(gap.cwiseAbs() * rate.cwiseAbs());
  EXPECT_LT(std::abs(rate.dot(gap * rate)) / scale, 1e-12);  // measured 7e-16
  EXPECT_GT(relative_error(gap, -gap.transpose()), 0.1);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ClosedForms, ::testing::Range(0u, 4u));

}  // namespace
}  // namespace torsor
