// Identities between independent routes through the dynamics of random trees with every joint type.
// Derivatives are taken by dual numbers, so that the tolerances are those of rounding.

#include <gtest/gtest.h>

#include <numeric>

#include "testing/numbers.h"
#include "testing/random_models.h"
#include "torsor/model/model.h"
#include "torsor/tree/armature.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/energy.h"
#include "torsor/tree/forward_dynamics.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/kinematics.h"
#include "torsor/tree/mass_matrix.h"
#include "torsor/tree/scalars.h"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

/// A random tree of 60 joints with a random state.
struct RandomTree : ::testing::TestWithParam<unsigned> {
  Tree tree = make_tree(Model(random_geared_tree(60, GetParam())));
  std::mt19937 generator{GetParam() + 1000};
  Numbers q = random_configuration(tree, generator);
  Numbers qd = random_vector(tree.rate_count, generator);
  Numbers qdd = random_vector(tree.rate_count, generator);

  Numbers inverse(const Numbers& rate, const Numbers& acceleration,
                  std::span<const Wrench<double>> applied = {}) {
    InverseDynamicsWorkspace<double> workspace(tree);
    Numbers effort(tree.rate_count);
    inverse_dynamics<double>(tree, workspace, q, rate, acceleration, applied, effort);
    return effort;
  }
  Numbers mass() {
    MassMatrixWorkspace<double> workspace(tree);
    Numbers M(tree.rate_count * tree.rate_count);
    mass_matrix<double>(tree, workspace, q, M);
    return M;
  }
  std::vector<Wrench<double>> random_wrenches() {
    std::vector<Wrench<double>> wrenches(tree.size());
    for (auto& w : wrenches) {
      const Numbers n = random_vector(6, generator);
      w = {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
    }
    return wrenches;
  }
  /// Pose, twist and all that depends on them at time eps along the motion with rate qd and acceleration qdd.
  struct Moving {
    std::vector<Pose<Dual1>> X_WN;
    std::vector<Twist<Dual1>> V_N;
    std::vector<Dual1> rate;
  };
  Moving moving() {
    std::vector<Dual1> q0(q.begin(), q.end()), rate(tree.rate_count), increment(tree.rate_count);
    for (int k = 0; k < tree.rate_count; ++k) {
      rate[k] = Dual1(qd[k], {qdd[k]});
      increment[k] = Dual1(0.0, {qd[k]});
    }
    std::vector<Dual1> q1(tree.coordinate_count);
    retract<Dual1>(tree, q0, increment, q1);
    Moving m{std::vector<Pose<Dual1>>(tree.size()), std::vector<Twist<Dual1>>(tree.size()), rate};
    forward_kinematics<Dual1>(tree, q1, rate, m.X_WN, m.V_N);
    return m;
  }
};

TEST_P(RandomTree, ForwardDynamicsInvertsInverseDynamics) {
  const auto wrenches = random_wrenches();
  const Numbers effort = inverse(qd, qdd, wrenches);
  ForwardDynamicsWorkspace<double> workspace(tree);
  Numbers back(tree.rate_count);
  forward_dynamics<double>(tree, workspace, q, qd, effort, wrenches, back);
  EXPECT_LT(relative_error(back, qdd), 1e-12);                            // measured 9e-13, efforts up to 7e3
  EXPECT_LT(relative_error(inverse(qd, back, wrenches), effort), 1e-13);  // measured 2e-15
}

TEST_P(RandomTree, MassMatrixIsTheHessianOfTheKineticEnergy) {
  const Numbers M = mass();
  const int n = tree.rate_count;
  const auto energy = [&](const Numbers& rate) {
    std::vector<Pose<double>> X_WN(tree.size());
    std::vector<Twist<double>> V_N(tree.size());
    forward_kinematics<double>(tree, q, rate, X_WN, V_N);
    return kinetic_energy<double>(tree, V_N) + rotor_energy<double>(tree, rate);
  };
  Numbers single(n);
  for (int i = 0; i < n; ++i) {
    Numbers rate(n);
    rate[i] = 1;
    single[i] = energy(rate);
  }
  Numbers hessian(n * n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      Numbers rate(n);
      rate[i] += 1;
      rate[j] += 1;
      hessian[i * n + j] = energy(rate) - single[i] - single[j];
    }
  }
  EXPECT_LT(relative_error(M, hessian), 1e-12);  // measured 5e-15
}

TEST_P(RandomTree, MassMatrixTimesAccelerationIsTheInertialEffort) {
  const Numbers M = mass();
  const int n = tree.rate_count;
  const Numbers rest(n);
  const Numbers with = inverse(rest, qdd), without = inverse(rest, rest);
  Numbers product(n), difference(n);
  for (int i = 0; i < n; ++i) {
    difference[i] = with[i] - without[i];
    for (int j = 0; j < n; ++j) product[i] += M[i * n + j] * qdd[j];
  }
  EXPECT_LT(relative_error(product, difference), 1e-12);  // measured 5e-15
}

TEST_P(RandomTree, PowerOfTheEffortsIsTheRateOfEnergy) {
  const Numbers effort = inverse(qd, qdd);
  const double power = std::inner_product(qd.begin(), qd.end(), effort.begin(), 0.0);
  const Moving m = moving();
  const Dual1 kinetic = kinetic_energy<Dual1>(tree, m.V_N) + rotor_energy<Dual1>(tree, m.rate);
  const Dual1 potential = gravity_potential<Dual1>(tree, m.X_WN);
  const double rate = kinetic.tangent[0] + potential.tangent[0];
  const double scale = std::abs(kinetic.tangent[0]) + std::abs(potential.tangent[0]) + kinetic.value;
  EXPECT_LT(std::abs(power - rate) / scale, 1e-12);  // measured 4e-15
}

TEST_P(RandomTree, MomentumChangesByGravityAndTheGroundsReaction) {
  InverseDynamicsWorkspace<double> workspace(tree);
  Numbers effort(tree.rate_count);
  inverse_dynamics<double>(tree, workspace, q, qd, qdd, {}, effort);
  Wrench<double> external = workspace.F[0];  // joint wrenches brought to the ground

  const Moving m = moving();
  double mass = 0;
  Vec3<double> first{};
  for (int i = 1; i < tree.size(); ++i) {
    const auto& I = tree.nodes[i].inertia;
    const auto x = m.X_WN[i].R * I.first_moment + I.mass * m.X_WN[i].p;
    mass += I.mass;
    first += Vec3<double>{x.x.value, x.y.value, x.z.value};
  }
  external += Wrench<double>{cross(first, tree.gravity), mass * tree.gravity};
  const Wrench<Dual1> momentum = torsor::momentum<Dual1>(tree, m.X_WN, m.V_N);
  const Numbers rate{momentum.moment.x.tangent[0], momentum.moment.y.tangent[0], momentum.moment.z.tangent[0],
                     momentum.force.x.tangent[0],  momentum.force.y.tangent[0],  momentum.force.z.tangent[0]};
  const Numbers sum{external.moment.x, external.moment.y, external.moment.z,
                    external.force.x,  external.force.y,  external.force.z};
  EXPECT_LT(relative_error(rate, sum), 1e-12);  // measured 1e-14
}

TEST_P(RandomTree, TwistsAreTheRatesOfPoses) {
  const Moving m = moving();
  for (int i = 1; i < tree.size(); ++i) {
    const auto& X = m.X_WN[i];
    const auto& V = m.V_N[i];
    const Vec3<double> velocity{X.p.x.tangent[0], X.p.y.tangent[0], X.p.z.tangent[0]};
    const auto expected = X.R * V.linear;
    const double scale = 1 + norm(velocity);
    EXPECT_LT(std::abs(velocity.x - expected.x.value) / scale, 1e-13);
    EXPECT_LT(std::abs(velocity.y - expected.y.value) / scale, 1e-13);
    EXPECT_LT(std::abs(velocity.z - expected.z.value) / scale, 1e-13);
    const Vec3<double> column{X.R.xz.tangent[0], X.R.yz.tangent[0], X.R.zz.tangent[0]};
    const auto turning = X.R * cross(V.angular, Vec3<double>{0, 0, 1});
    EXPECT_LT(std::abs(column.x - turning.x.value) / (1 + norm(column)), 1e-13);
    EXPECT_LT(std::abs(column.y - turning.y.value) / (1 + norm(column)), 1e-13);
  }
}

TEST_P(RandomTree, JointScrewsSumToSpatialTwists) {
  std::vector<Pose<double>> X_WN(tree.size());
  std::vector<Twist<double>> V_N(tree.size()), J(tree.rate_count);
  forward_kinematics<double>(tree, q, qd, X_WN, V_N);
  spatial_joint_screws<double>(tree, X_WN, J);
  for (int i = 1; i < tree.size(); ++i) {
    Twist<double> sum{};
    for (int k = i; k > 0; k = tree.nodes[k].parent) {
      EXPECT_TRUE(is_ancestor(tree, k, i));
      const TreeNode& node = tree.nodes[k];
      for (int r = node.v; r < node.v + rate_count(node.joint); ++r) sum += qd[r] * J[r];
    }
    const Twist<double> V = to_parent(X_WN[i], V_N[i]);
    EXPECT_LT(norm(sum.angular - V.angular) / (1 + norm(V.angular)), 1e-13);
    EXPECT_LT(norm(sum.linear - V.linear) / (1 + norm(V.linear)), 1e-13);
  }
}

TEST_P(RandomTree, APackOfStatesGivesWhatEachStateGives) {
  std::vector<Pack8> q8(tree.coordinate_count), qd8(tree.rate_count), qdd8(tree.rate_count),
      effort8(tree.rate_count), back8(tree.rate_count), M8(tree.rate_count * tree.rate_count);
  std::vector<Numbers> efforts, masses;
  for (int lane = 0; lane < 8; ++lane) {
    q = random_configuration(tree, generator);
    qd = random_vector(tree.rate_count, generator);
    qdd = random_vector(tree.rate_count, generator);
    for (int i = 0; i < tree.coordinate_count; ++i) q8[i][lane] = q[i];
    for (int i = 0; i < tree.rate_count; ++i) qd8[i][lane] = qd[i], qdd8[i][lane] = qdd[i];
    efforts.push_back(inverse(qd, qdd));
    masses.push_back(mass());
  }
  InverseDynamicsWorkspace<Pack8> inverse_workspace(tree);
  inverse_dynamics<Pack8>(tree, inverse_workspace, q8, qd8, qdd8, {}, effort8);
  ForwardDynamicsWorkspace<Pack8> forward_workspace(tree);
  forward_dynamics<Pack8>(tree, forward_workspace, q8, qd8, effort8, {}, back8);
  std::vector<Pack8> again8(tree.rate_count);
  inverse_dynamics<Pack8>(tree, inverse_workspace, q8, qd8, back8, {}, again8);
  MassMatrixWorkspace<Pack8> mass_workspace(tree);
  mass_matrix<Pack8>(tree, mass_workspace, q8, M8);
  for (int lane = 0; lane < 8; ++lane) {
    Numbers effort, again, M;
    for (const Pack8& x : effort8) effort.push_back(x[lane]);
    for (const Pack8& x : again8) again.push_back(x[lane]);
    for (const Pack8& x : M8) M.push_back(x[lane]);
    EXPECT_LT(relative_error(effort, efforts[lane]), 1e-13);
    EXPECT_LT(relative_error(again, effort), 1e-13);
    EXPECT_LT(relative_error(M, masses[lane]), 1e-13);
  }
}

TEST_P(RandomTree,
       ThePackedMassMatrixOfASmallTreeIsThatOfEachState) {  // written in another order than a large one
  tree = make_tree(Model(random_tree(6, GetParam())));
  std::vector<Pack8> q8(tree.coordinate_count), M8(tree.rate_count * tree.rate_count);
  std::vector<Numbers> masses;
  for (int lane = 0; lane < 8; ++lane) {
    q = random_configuration(tree, generator);
    for (int i = 0; i < tree.coordinate_count; ++i) q8[i][lane] = q[i];
    masses.push_back(mass());
  }
  MassMatrixWorkspace<Pack8> workspace(tree);
  mass_matrix<Pack8>(tree, workspace, q8, M8);
  for (int lane = 0; lane < 8; ++lane) {
    Numbers M;
    for (const Pack8& x : M8) M.push_back(x[lane]);
    EXPECT_LT(relative_error(M, masses[lane]), 1e-13);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTree, ::testing::Range(0u, 8u));

}  // namespace
}  // namespace torsor
