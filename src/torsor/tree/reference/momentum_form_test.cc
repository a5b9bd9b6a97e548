// The rates of (q, Pi) against the twist form: momenta of a motion, differentiated along it by dual numbers.

#include "torsor/tree/reference/momentum_form.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"

#include <gtest/gtest.h>

#include "testing/numbers.h"
#include "testing/random_models.h"
#include "torsor/model/model.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/forward_dynamics.h"
#include "torsor/tree/kinematics.h"
#include "torsor/tree/scalars.h"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

void append(Numbers& list, const Wrench<double>& W) {
  for (int k = 0; k < 3; ++k) list.push_back(W.moment[k]);
  for (int k = 0; k < 3; ++k) list.push_back(W.force[k]);
}
Vec3<double> value(const Vec3<Dual1>& a) { return {a.x.value, a.y.value, a.z.value}; }
Vec3<double> rate(const Vec3<Dual1>& a) { return {a.x.tangent[0], a.y.tangent[0], a.z.tangent[0]}; }

struct MomentumForm : ::testing::TestWithParam<unsigned> {
  Tree tree = make_tree(Model(random_tree(60, GetParam())));
  std::mt19937 generator{GetParam() + 4000};
  Numbers q = random_configuration(tree, generator);
  Numbers qd = random_vector(tree.rate_count, generator);
  Numbers effort = random_vector(tree.rate_count, generator);
  MomentumFormWorkspace<double> workspace{tree};
  std::vector<Wrench<double>> applied, body_fixed;

  MomentumForm() {
    std::vector<Pose<double>> X_WN(tree.size());
    node_poses<double>(tree, q, X_WN);
    for (int i = 0; i < tree.size(); ++i) {
      const Numbers n = random_vector(6, generator);
      body_fixed.push_back({{n[0], n[1], n[2]}, {n[3], n[4], n[5]}});
      applied.push_back(to_parent(X_WN[i], body_fixed[i]));
    }
  }
  /// Momenta of the nodes along the motion with acceleration qdd.
  std::vector<Wrench<Dual1>> moving_momenta(const Numbers& qdd) {
    std::vector<Dual1> q0(q.begin(), q.end()), rates(tree.rate_count), increment(tree.rate_count);
    for (int k = 0; k < tree.rate_count; ++k) {
      rates[k] = Dual1(qd[k], {qdd[k]});
      increment[k] = Dual1(0.0, {qd[k]});
    }
    std::vector<Dual1> q1(tree.coordinate_count);
    retract<Dual1>(tree, q0, increment, q1);
    std::vector<Pose<Dual1>> X_WN(tree.size());
    std::vector<Twist<Dual1>> V_N(tree.size());
    forward_kinematics<Dual1>(tree, q1, rates, X_WN, V_N);
    std::vector<Wrench<Dual1>> Pi(tree.size());
    for (int i = 1; i < tree.size(); ++i) Pi[i] = to_parent(X_WN[i], tree.nodes[i].inertia * V_N[i]);
    return Pi;
  }
};

TEST_P(MomentumForm, AgreesWithTheTwistForm) {
  ForwardDynamicsWorkspace<double> twist_form(tree);
  Numbers qdd(tree.rate_count);
  forward_dynamics<double>(tree, twist_form, q, qd, effort, body_fixed, qdd);
  const std::vector<Wrench<Dual1>> expected = moving_momenta(qdd);

  std::vector<Wrench<double>> Pi(tree.size()), Pi_rate(tree.size());
  node_momenta<double>(tree, workspace, q, qd, Pi);
  Numbers rates(tree.rate_count);
  momentum_form<double>(tree, workspace, q, Pi, effort, applied, rates, Pi_rate);

  Numbers momenta, expected_momenta, momentum_rates, expected_rates;
  for (int i = 1; i < tree.size(); ++i) {
    append(momenta, Pi[i]);
    append(expected_momenta, {value(expected[i].moment), value(expected[i].force)});
    append(momentum_rates, Pi_rate[i]);
    append(expected_rates, {rate(expected[i].moment), rate(expected[i].force)});
  }
  const double error[] = {relative_error(momenta, expected_momenta), relative_error(rates, qd),
                          relative_error(workspace.qdd, qdd), relative_error(momentum_rates, expected_rates)};
  EXPECT_LT(error[0], 1e-13) << error[0];  // measured 6e-15
  EXPECT_LT(error[1], 1e-12) << error[1];  // measured 4.5e-14
  EXPECT_LT(error[2], 1e-12) << error[2];  // measured 1.4e-14
  EXPECT_LT(error[3], 1e-12) << error[3];  // measured 1.6e-14
}

TEST_P(MomentumForm, SatisfiesTheProjectedBalance) {
  std::vector<Wrench<double>> Pi(tree.size()), Pi_rate(tree.size());
  node_momenta<double>(tree, workspace, q, qd, Pi);
  Numbers rates(tree.rate_count), projected(tree.rate_count);
  momentum_form<double>(tree, workspace, q, Pi, effort, applied, rates, Pi_rate);
  const auto& articulation = workspace.articulation;
  double scale = 0;
  for (int i = 1; i < tree.size(); ++i) {  // J^T (Pi' - applied - weight), first row of (79)
    const Inertia<double>& M = articulation.M[i];
    const Wrench<double> weight{cross(M.first_moment, tree.gravity), M.mass * tree.gravity};
    const Wrench<double> missing = Pi_rate[i] - applied[i] - weight;
    scale = larger({scale, norm(missing.moment), norm(missing.force)});
    for (int j = i; j > 0; j = tree.nodes[j].parent) {
      const TreeNode& node = tree.nodes[j];
      for (int k = node.v; k < node.v + rate_count(node.joint); ++k) {
        projected[k] += dot(articulation.J[k], missing);
      }
    }
  }
  double worst = 0;
  for (int k = 0; k < tree.rate_count; ++k) worst = larger(worst, std::abs(projected[k] - effort[k]));
  EXPECT_LT(worst / scale, 1e-12) << worst / scale;  // measured 8e-15
}

/// Momenta of no motion: the residual Pi - M V that remains does no work on any motion of the tree.
TEST_P(MomentumForm, FindsTheNearestMotionOfInconsistentMomenta) {
  std::vector<Wrench<double>> Pi(tree.size()), Pi_rate(tree.size()), of_motion(tree.size());
  for (int i = 1; i < tree.size(); ++i) Pi[i] = applied[i];
  Numbers rates(tree.rate_count), projected(tree.rate_count);
  momentum_form<double>(tree, workspace, q, Pi, effort, {}, rates, Pi_rate);
  const std::vector<Twist<double>> J = workspace.articulation.J;
  node_momenta<double>(tree, workspace, q, rates, of_motion);
  double scale = 0;
  for (int i = 1; i < tree.size(); ++i) {
    const Wrench<double> residual = Pi[i] - of_motion[i];
    scale = larger({scale, norm(residual.moment), norm(residual.force)});
    for (int j = i; j > 0; j = tree.nodes[j].parent) {
      const TreeNode& node = tree.nodes[j];
      for (int k = node.v; k < node.v + rate_count(node.joint); ++k) projected[k] += dot(J[k], residual);
    }
  }
  double worst = 0;
  for (const double p : projected) worst = larger(worst, std::abs(p));
  EXPECT_LT(worst / scale, 1e-12) << worst / scale;  // measured 2.4e-14
}

TEST(MomentumFormOfRotors, IsRefused) {
  const Tree geared = make_tree(Model(with_armature(random_tree(3, 1), 1)));
  MomentumFormWorkspace<double> workspace(geared);
  Numbers q(geared.coordinate_count), qd(geared.rate_count);
  std::vector<Wrench<double>> Pi(geared.size());
  EXPECT_THROW(momentum_form<double>(geared, workspace, q, Pi, qd, {}, qd, Pi), ModelError);
}

INSTANTIATE_TEST_SUITE_P(Seeds, MomentumForm, ::testing::Range(0u, 8u));

}  // namespace
}  // namespace torsor
