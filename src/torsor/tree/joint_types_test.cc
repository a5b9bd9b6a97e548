// What each joint type of the model means (model/joint.h), seen from outside: the pose of the child body,
// computed by the model layer without any tree, and the rates; and that where body frames lie does not
// matter.

#include <gtest/gtest.h>

#include "testing/random_models.h"
#include "torsor/model/initial.h"
#include "torsor/model/model.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/kinematics.h"
#include "torsor/tree/mass_matrix.h"

namespace torsor {
namespace {

class JointTypes : public ::testing::TestWithParam<unsigned> {};

TEST_P(JointTypes, BodyPosesAreThoseOfTheModelsJoints) {
  const Model model(random_tree(30, GetParam()));
  const Tree tree = make_tree(model);
  std::mt19937 generator(GetParam());
  const std::vector<double> q = random_configuration(tree, generator);
  std::vector<Pose<double>> X_WN(tree.size());
  node_poses<double>(tree, q, X_WN);
  const auto expected = body_poses(model, q);
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const Pose<double> X = X_WN[tree.body_node[b]] * tree.X_NB[b];
    const Pose<double> Y = pose(expected[b]);
    EXPECT_LT(norm(X.p - Y.p), 1e-12);  // measured 3e-14
    const Mat3<double> turn = X.R - Y.R;
    EXPECT_LT(norm(turn * Vec3<double>{1, 1, 1}), 1e-13);
  }
}

TEST_P(JointTypes, BodyFramesMayLieAnywhere) {
  // The same mechanism with every body frame moved: mass, joints and efforts must not notice.
  ModelDescription d = random_tree(30, GetParam());
  ModelDescription moved = d;
  std::mt19937 generator(GetParam() + 7);
  std::vector<SE3<double>> shift;  // old body frame in the new one
  for (Body& body : moved.bodies) {
    const std::vector<double> r = random_vector(6, generator);
    shift.push_back({exp_so3(Vec3<double>{r[0], r[1], r[2]}), {r[3], r[4], r[5]}});
    const Mat3<double> R = matrix(shift.back().rotation);
    body.inertia = rotate(R, body.inertia);
    body.com = act(shift.back(), body.com);
  }
  for (Joint& joint : moved.joints) {
    if (joint.parent != kWorld) joint.in_parent = shift[joint.parent] * joint.in_parent;
    joint.in_child = shift[joint.child] * joint.in_child;
  }
  const Tree a = make_tree(Model(d)), b = make_tree(Model(moved));
  const std::vector<double> q = random_configuration(a, generator);
  const std::vector<double> qd = random_vector(a.rate_count, generator),
                            qdd = random_vector(a.rate_count, generator);
  InverseDynamicsWorkspace<double> wa(a), wb(b);
  std::vector<double> ea(a.rate_count), eb(a.rate_count);
  inverse_dynamics<double>(a, wa, q, qd, qdd, {}, ea);
  inverse_dynamics<double>(b, wb, q, qd, qdd, {}, eb);
  for (int i = 0; i < a.rate_count; ++i) EXPECT_NEAR(ea[i], eb[i], 1e-11 * (1 + std::abs(ea[i])));
}

TEST_P(JointTypes, RetractionAndDifferenceInvertEachOther) {
  const Tree tree = make_tree(Model(random_tree(30, GetParam())));
  std::mt19937 generator(GetParam() + 3);
  const std::vector<double> q = random_configuration(tree, generator);
  const std::vector<double> xi = random_vector(tree.rate_count, generator);
  std::vector<double> q1(tree.coordinate_count), back(tree.rate_count);
  retract<double>(tree, q, xi, q1);
  configuration_difference<double>(tree, q, q1, back);
  for (int i = 0; i < tree.rate_count; ++i) EXPECT_NEAR(back[i], xi[i], 1e-14);
  EXPECT_LT(unit_length_error(tree, q1), 1e-15);
}

INSTANTIATE_TEST_SUITE_P(Seeds, JointTypes, ::testing::Range(0u, 8u));

}  // namespace
}  // namespace torsor
