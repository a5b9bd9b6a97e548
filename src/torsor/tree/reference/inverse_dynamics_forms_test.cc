// The spatial, hybrid and mixed recursions against the body-fixed one.

#include "torsor/tree/reference/inverse_dynamics_forms.h"

#include <gtest/gtest.h>

#include "testing/numbers.h"
#include "testing/random_models.h"
#include "torsor/model/model.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/kinematics.h"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

void append(Numbers& list, const Vec3<double>& a, const Vec3<double>& b) {
  for (const double x : {a.x, a.y, a.z, b.x, b.y, b.z}) list.push_back(x);
}

struct InverseDynamicsForms : ::testing::TestWithParam<unsigned> {
  Tree tree = make_tree(Model(random_geared_tree(60, GetParam())));
  std::mt19937 generator{GetParam() + 2000};
  InverseDynamicsFormWorkspace<double> workspace{tree};

  /// Node by node, after conversion.
  template <Representation form>
  void expect_the_same_motion_and_wrenches(const Numbers& q, const Numbers& qd,
                                           const InverseDynamicsWorkspace<double>& reference) {
    std::vector<Pose<double>> X_WN(tree.size());
    std::vector<Twist<double>> V_N(tree.size());
    forward_kinematics<double>(tree, q, qd, X_WN, V_N);
    Numbers V, expected_V, A, expected_A, W, expected_W;
    for (int i = 1; i < tree.size(); ++i) {
      Twist<double> twist = represent(form, X_WN[i], V_N[i]);
      if (form == Representation::mixed) twist.linear = {};  // which that form leaves out
      const Pose<double>& X = X_WN[i];
      const Twist<double> hybrid{X.R * reference.alpha[i], X.R * reference.a[i]};
      append(V, workspace.V[i].angular, workspace.V[i].linear);
      append(expected_V, twist.angular, twist.linear);
      const Twist<double> V_hybrid = represent(Representation::hybrid, X, V_N[i]);
      const Twist<double> acceleration =
          convert_acceleration(Representation::hybrid, form, X, V_hybrid, hybrid);
      append(A, workspace.acceleration[i].angular, workspace.acceleration[i].linear);
      append(expected_A, acceleration.angular, acceleration.linear);
      const Wrench<double> wrench = represent(form, X, reference.F[i]);
      append(W, workspace.W[i].moment, workspace.W[i].force);
      append(expected_W, wrench.moment, wrench.force);
    }
    EXPECT_LT(relative_error(V, expected_V), 1e-13);  // measured 2e-14
    EXPECT_LT(relative_error(A, expected_A), 1e-13);  // measured 2.3e-14
    EXPECT_LT(relative_error(W, expected_W), 1e-13);  // measured 2.4e-14
  }

  template <Representation form>
  void expect_the_body_fixed_efforts() {
    for (int state = 0; state < 3; ++state) {  // one workspace for all: nothing stays of the state before
      const Numbers q = random_configuration(tree, generator);
      const Numbers qd = random_vector(tree.rate_count, generator);
      const Numbers qdd = random_vector(tree.rate_count, generator);
      std::vector<Pose<double>> X_WN(tree.size());
      node_poses<double>(tree, q, X_WN);
      std::vector<Wrench<double>> body_fixed(tree.size()), applied(tree.size());
      for (int i = 0; i < tree.size(); ++i) {
        const Numbers n = random_vector(6, generator);
        body_fixed[i] = {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
        applied[i] = represent(form, X_WN[i], body_fixed[i]);
      }
      InverseDynamicsWorkspace<double> reference(tree);
      Numbers expected(tree.rate_count), effort(tree.rate_count);
      inverse_dynamics<double>(tree, reference, q, qd, qdd, body_fixed, expected);
      inverse_dynamics_in<form, double>(tree, workspace, q, qd, qdd, applied, effort);
      EXPECT_LT(relative_error(effort, expected), 1e-12)
          << relative_error(effort, expected);  // measured 1.4e-14

      expect_the_same_motion_and_wrenches<form>(q, qd, reference);

      inverse_dynamics<double>(tree, reference, q, qd, qdd, {}, expected);
      inverse_dynamics_in<form, double>(tree, workspace, q, qd, qdd, {}, effort);
      EXPECT_LT(relative_error(effort, expected), 1e-12);
    }
  }
};

TEST_P(InverseDynamicsForms, SpatialAgreesWithBodyFixed) {
  expect_the_body_fixed_efforts<Representation::spatial>();
}
TEST_P(InverseDynamicsForms, HybridAgreesWithBodyFixed) {
  expect_the_body_fixed_efforts<Representation::hybrid>();
}
TEST_P(InverseDynamicsForms, MixedAgreesWithBodyFixed) {
  expect_the_body_fixed_efforts<Representation::mixed>();
}

INSTANTIATE_TEST_SUITE_P(Seeds, InverseDynamicsForms, ::testing::Range(0u, 8u));

}  // namespace
}  // namespace torsor
