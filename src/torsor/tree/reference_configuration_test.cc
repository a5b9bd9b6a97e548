// Modelling without joint frames (Müller 4.4): a point and an axis in the world of the reference
// configuration say all that two frames say, wherever the body frames lie; all of them at the world's origin
// too.

#include <gtest/gtest.h>

#include "testing/random_models.h"
#include "torsor/base/norm.h"
#include "torsor/model/initial.h"
#include "torsor/model/model.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/mass_matrix.h"

namespace torsor {
namespace {

/// A random tree of joints that a point and an axis describe.
ModelDescription framed_tree(unsigned seed) {
  constexpr JointType kTypes[] = {JointType::revolute, JointType::prismatic, JointType::helical,
                                  JointType::cylindrical, JointType::revolute};
  ModelDescription d = random_tree(30, seed);
  for (std::size_t j = 0; j < d.joints.size(); ++j) {
    Joint& joint = d.joints[j];
    joint.type = kTypes[j % std::size(kTypes)];
    joint.pitch = joint.type == JointType::helical ? 0.2 : 0;
  }
  return d;
}

/// The same mechanism by points and axes, its body frames where `place` puts them in the reference
/// configuration.
template <class Place>
ModelDescription by_reference(const ModelDescription& framed, Place place) {
  const Model model(framed);
  const auto poses = body_poses(model, initial_coordinates(model));
  ModelDescription d = framed;
  for (std::size_t b = 0; b < d.bodies.size(); ++b) {
    const SE3<double> X = place(poses[b]);
    const SE3<double> moved = inverse(X) * poses[b];  // old body frame in the new one
    d.bodies[b].pose = X;
    d.bodies[b].com = act(moved, d.bodies[b].com);
    d.bodies[b].inertia = rotate(matrix(moved.rotation), d.bodies[b].inertia);
  }
  for (Joint& joint : d.joints) {
    const SE3<double> X_WP = joint.parent == kWorld ? SE3<double>{} : poses[joint.parent];
    const SE3<double> X_WJ = X_WP * joint.in_parent;
    joint.reference = Joint::Reference{X_WJ.position, act(X_WJ.rotation, joint.axis)};
    joint.in_parent = joint.in_child = SE3<double>{};
    joint.axis = {0, 0, 1};
  }
  return d;
}

/// Largest difference of efforts and mass matrices over a random state, relative.
double difference(const ModelDescription& a, const ModelDescription& b) {
  const Tree trees[] = {make_tree(Model(a)), make_tree(Model(b))};
  const int n = trees[0].rate_count;
  std::mt19937 generator(4);
  const auto q = random_vector(trees[0].coordinate_count, generator);
  const auto qd = random_vector(n, generator), qdd = random_vector(n, generator);
  std::vector<double> results[2];
  for (int k = 0; k < 2; ++k) {
    InverseDynamicsWorkspace<double> inverse(trees[k]);
    MassMatrixWorkspace<double> mass(trees[k]);
    std::vector<double> effort(n), M(n * n);
    inverse_dynamics<double>(trees[k], inverse, q, qd, qdd, {}, effort);
    mass_matrix<double>(trees[k], mass, q, M);
    results[k] = effort;
    results[k].insert(results[k].end(), M.begin(), M.end());
  }
  double worst = 0, scale = 0;
  for (std::size_t i = 0; i < results[0].size(); ++i) {
    worst = larger(worst, std::abs(results[0][i] - results[1][i]));
    scale = larger(scale, std::abs(results[0][i]));
  }
  return worst / scale;
}

TEST(ReferenceConfiguration, BodyFramesWhereTheyWere) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const ModelDescription framed = framed_tree(seed);
    // measured 8e-15
    EXPECT_LT(difference(framed, by_reference(framed, [](const SE3<double>& X) { return X; })), 1e-13);
  }
}

TEST(ReferenceConfiguration, AllBodyFramesAtTheWorldsOrigin) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const ModelDescription framed = framed_tree(seed);
    // measured 4e-15
    EXPECT_LT(difference(framed, by_reference(framed, [](const SE3<double>&) { return SE3<double>{}; })),
              1e-13);
  }
}

}  // namespace
}  // namespace torsor
