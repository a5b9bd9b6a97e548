// Forward dynamics about the world origin against the body-fixed routes, there and back.

#include "torsor/tree/reference/spatial_forward_dynamics.h"

#include <gtest/gtest.h>

#include "testing/numbers.h"
#include "testing/random_models.h"
#include "torsor/model/model.h"
#include "torsor/tree/forward_dynamics.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/kinematics.h"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

struct SpatialForwardDynamics : ::testing::TestWithParam<unsigned> {
  Tree tree = make_tree(Model(random_geared_tree(60, GetParam())));
  std::mt19937 generator{GetParam() + 3000};
};

TEST_P(SpatialForwardDynamics, InvertsInverseDynamicsAndAgreesWithTheBodyFixedForm) {
  SpatialForwardDynamicsWorkspace<double> workspace(tree);
  ForwardDynamicsWorkspace<double> body_workspace(tree);
  InverseDynamicsWorkspace<double> inverse_workspace(tree);
  for (int state = 0; state < 3; ++state) {
    const Numbers q = random_configuration(tree, generator);
    const Numbers qd = random_vector(tree.rate_count, generator);
    const Numbers qdd = random_vector(tree.rate_count, generator);
    std::vector<Pose<double>> X_WN(tree.size());
    node_poses<double>(tree, q, X_WN);
    std::vector<Wrench<double>> body_fixed(tree.size()), applied(tree.size());
    for (int i = 0; i < tree.size(); ++i) {
      const Numbers n = random_vector(6, generator);
      body_fixed[i] = {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
      applied[i] = to_parent(X_WN[i], body_fixed[i]);
    }
    Numbers effort(tree.rate_count), spatial(tree.rate_count), body(tree.rate_count), again(tree.rate_count);
    inverse_dynamics<double>(tree, inverse_workspace, q, qd, qdd, body_fixed, effort);
    spatial_forward_dynamics<double>(tree, workspace, q, qd, effort, applied, spatial);
    forward_dynamics<double>(tree, body_workspace, q, qd, effort, body_fixed, body);
    inverse_dynamics<double>(tree, inverse_workspace, q, qd, spatial, body_fixed, again);
    EXPECT_LT(relative_error(spatial, qdd), 1e-11) << relative_error(spatial, qdd);    // measured 4.3e-12
    EXPECT_LT(relative_error(spatial, body), 1e-11) << relative_error(spatial, body);  // measured 4.2e-12
    EXPECT_LT(relative_error(again, effort), 1e-12) << relative_error(again, effort);  // measured 1e-14
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SpatialForwardDynamics, ::testing::Range(0u, 8u));

}  // namespace
}  // namespace torsor
