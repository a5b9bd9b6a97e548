#include "torsor/tree/moving_frame.h"

#include <gtest/gtest.h>

#include "testing/models.h"
#include "testing/numbers.h"
#include "testing/random_models.h"
#include "torsor/model/model.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/forward_dynamics.h"
#include "torsor/tree/kinematics.h"
#include "torsor/tree/mass_matrix.h"
#include "torsor/tree/scalars.h"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

/// A tree in a random state, with random efforts and wrenches.
struct Case {
  Case(const ModelDescription& description, unsigned seed)
      : tree(make_tree(Model(description))), frames(tree) {
    std::mt19937 generator(seed);
    q = random_configuration(tree, generator);
    qd = random_vector(tree.rate_count, generator);
    effort = random_vector(tree.rate_count, generator);
    for (int i = 0; i < tree.size(); ++i) {
      const Numbers n = random_vector(6, generator);
      applied.push_back({{n[0], n[1], n[2]}, {n[3], n[4], n[5]}});
    }
    moving_frame_matrices<double>(tree, frames, q, qd);
  }

  Numbers by_frames() {
    Numbers qdd(tree.rate_count);
    moving_frame_dynamics<double>(tree, frames, q, qd, effort, applied, qdd);
    return qdd;
  }
  Numbers by_articulated_bodies() const {
    ForwardDynamicsWorkspace<double> workspace(tree);
    Numbers qdd(tree.rate_count);
    forward_dynamics<double>(tree, workspace, q, qd, effort, applied, qdd);
    return qdd;
  }
  Vec3<double> angular_column(const Numbers& B, int node, int column) const {
    const auto at = [&](int row) { return B[(6 * (node - 1) + 3 + row) * tree.rate_count + column]; };
    return {at(0), at(1), at(2)};
  }

  Tree tree;
  MovingFrameWorkspace<double> frames;
  Numbers q, qd, effort;
  std::vector<Wrench<double>> applied;
};

TEST(MovingFrame, AccelerationsOfASphericalChainAreThoseOfArticulatedBodies) {
  for (const int links : {1, 4, 16, 64}) {
    for (unsigned seed = 0; seed < 8; ++seed) {
      Case c(reference::spherical_chain(links), seed);
      // measured 1.5e-15, 6e-16, 1.5e-14, 1.7e-13
      EXPECT_LE(relative_error(c.by_frames(), c.by_articulated_bodies()), 1e-12) << links;
    }
  }
}

TEST(MovingFrame, AccelerationsInThePlaneAreThoseOfArticulatedBodies) {
  ModelDescription floating = reference::driven_arm();
  floating.joints[0].type = JointType::free;
  floating.joint_springs = {};
  floating.actuators = {};
  floating.initial = {};
  Case c(floating, 1);
  EXPECT_LE(relative_error(c.by_frames(), c.by_articulated_bodies()), 1e-14);  // measured 7e-16
}

/// A rod without thickness: its spin moves nothing. A model is refused that says so; with a spring that is none it
/// is not.
TEST(MovingFrame, NothingToMoveGivesNoNumbers) {
  ModelDescription description = reference::spherical_chain(2);
  description.bodies[1].com = {0, 0, -0.25};
  description.bodies[1].inertia = {0.02, 0.02, 0, 0, 0, 0};
  description.joint_springs.push_back({"hold", 1, SpringLaw::log, {1e-300}, {}, {}});
  Case c(description, 1);
  for (const double acceleration : c.by_frames()) EXPECT_FALSE(std::isfinite(acceleration));
}

/// (2.35) block by block: the rate of R^(k/j)^T is -hat(omega^(k/j)) R^(k/j)^T.
TEST(MovingFrame, RateOfBTurnsWithTheRelativeAngularVelocity) {
  const Case c(reference::spherical_chain(6), 1);
  Numbers rate, expected;
  for (int k = 1; k < c.tree.size(); ++k) {
    for (int j = 1; j <= k; ++j) {
      Vec3<double> relative = c.frames.omega[k];  // omega^(k) - R^(k/j)^T omega^(j)
      for (int i = 0; i < 3; ++i)
        relative -= c.frames.omega[j][i] * c.angular_column(c.frames.B, k, 3 * (j - 1) + i);
      for (int i = 0; i < 3; ++i) {
        const Vec3<double> got = c.angular_column(c.frames.B_rate, k, 3 * (j - 1) + i);
        const Vec3<double> turned = -cross(relative, c.angular_column(c.frames.B, k, 3 * (j - 1) + i));
        for (int x = 0; x < 3; ++x) rate.push_back(got[x]), expected.push_back(turned[x]);
      }
    }
  }
  EXPECT_LE(relative_error(rate, expected), 1e-14);  // measured 5e-16
}

/// Every joint type, with all that branches.
class MovingFrameTree : public ::testing::TestWithParam<unsigned> {
 protected:
  Case c{random_geared_tree(60, GetParam()), GetParam() + 1000};
};

TEST_P(MovingFrameTree, AccelerationsAreThoseOfArticulatedBodies) {
  EXPECT_LE(relative_error(c.by_frames(), c.by_articulated_bodies()), 1e-12);  // measured 2.8e-15
}

TEST_P(MovingFrameTree, MassMatrixIsThatOfCompositeBodies) {
  moving_frame_mass_matrix(c.tree, c.frames);
  const int n = c.tree.rate_count;
  MassMatrixWorkspace<double> composite(c.tree);
  Numbers M(n * n), upper(n * n);
  mass_matrix<double>(c.tree, composite, c.q, M);
  for (int i = 0; i < n; ++i) std::copy_n(&M[i * n + i], n - i, &upper[i * n + i]);
  EXPECT_LE(relative_error(c.frames.mass, upper), 1e-13);  // measured 4e-15
}

/// By dual numbers along the motion.
TEST_P(MovingFrameTree, RateOfBIsItsDerivative) {
  const Tree& tree = c.tree;
  std::vector<Dual1> q0(c.q.begin(), c.q.end()), q(tree.coordinate_count), qd(c.qd.begin(), c.qd.end());
  std::vector<Dual1> increment(tree.rate_count);
  for (int i = 0; i < tree.rate_count; ++i) increment[i] = Dual1(0.0, {c.qd[i]});
  retract<Dual1>(tree, q0, increment, q);
  MovingFrameWorkspace<Dual1> moving(tree);
  moving_frame_matrices<Dual1>(tree, moving, q, qd);
  Numbers rate;
  for (const Dual1& entry : moving.B) rate.push_back(entry.tangent[0]);
  EXPECT_LE(relative_error(c.frames.B_rate, rate), 1e-13);  // measured 4e-15
}

TEST_P(MovingFrameTree, BGivesTheVelocitiesOfTheCentresOfMass) {
  const int n = c.tree.rate_count;
  std::vector<Pose<double>> X_WN(c.tree.size());
  std::vector<Twist<double>> V(c.tree.size());
  forward_kinematics<double>(c.tree, c.q, c.qd, X_WN, V);
  Numbers product, expected;
  for (int k = 1; k < c.tree.size(); ++k) {
    const Vec3<double> v = X_WN[k].R * (V[k].linear + cross(V[k].angular, com(c.tree.nodes[k].inertia)));
    for (int i = 0; i < 3; ++i) expected.push_back(v[i]);
    for (int i = 0; i < 3; ++i) expected.push_back(V[k].angular[i]);
    for (int r = 0; r < 6; ++r) {
      double sum = 0;
      for (int i = 0; i < n; ++i) sum += c.frames.B[(6 * (k - 1) + r) * n + i] * c.qd[i];
      product.push_back(sum);
    }
  }
  EXPECT_LE(relative_error(product, expected), 1e-13);  // measured 7e-15
}

INSTANTIATE_TEST_SUITE_P(Seeds, MovingFrameTree, ::testing::Range(0u, 8u));

}  // namespace
}  // namespace torsor
