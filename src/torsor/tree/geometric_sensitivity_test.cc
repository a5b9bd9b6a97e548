// Geometric sensitivities against dual numbers. The dual route knows nothing of placements: every joint gets
// a massless free joint in front of it, at rest in its neutral position, whose increments displace the
// placement.

#include "torsor/tree/geometric_sensitivity.h"
#include "torsor/base/norm.h"

#include <gtest/gtest.h>

#include "testing/random_models.h"
#include "torsor/model/model.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/kinematics.h"
#include "torsor/tree/scalars.h"

namespace torsor {
namespace {

/// Node i > 0 of `tree` becomes node 2 i, behind a free node 2 i - 1 with its placement; node 0 stays.
Tree with_free_placements(const Tree& tree) {
  Tree result = tree;
  result.nodes.resize(1);
  result.angle_nodes.clear();
  for (const int i : tree.angle_nodes) result.angle_nodes.push_back(2 * i);
  for (int i = 1; i < tree.size(); ++i) {
    TreeNode placement;
    placement.parent = 2 * tree.nodes[i].parent;
    placement.joint = Primitive::free;
    placement.q = result.coordinate_count;
    placement.v = result.rate_count;
    placement.X_PJ = tree.nodes[i].X_PJ;
    result.coordinate_count += components(Primitive::free).coordinates();
    result.rate_count += rate_count(Primitive::free);
    TreeNode node = tree.nodes[i];
    node.parent = 2 * i - 1;
    node.X_PJ = {};
    result.nodes.push_back(placement);
    result.nodes.push_back(node);
  }
  return result;
}

struct GeometricSensitivity : ::testing::TestWithParam<unsigned> {
  Tree tree = make_tree(Model(random_geared_tree(60, GetParam())));
  int n = tree.rate_count;
  std::mt19937 generator{GetParam() + 1000};
  std::vector<double> q = random_configuration(tree, generator), qd = random_vector(n, generator),
                      qdd = random_vector(n, generator);
  Tree displaced = with_free_placements(tree);

  /// The configuration of `displaced` with the six displacements of node i as directions.
  std::vector<Dual8> displace(int i) {
    std::vector<double> rest(displaced.coordinate_count);
    set_neutral(displaced, rest);
    std::copy(q.begin(), q.end(), rest.begin());
    std::vector<Dual8> q0(rest.begin(), rest.end()), q1(rest.size()), increment(displaced.rate_count);
    for (int k = 0; k < 6; ++k) {
      increment[displaced.nodes[2 * i - 1].v + k] = Dual8::variable(0.0, k);
    }
    retract<Dual8>(displaced, q0, increment, q1);
    return q1;
  }
};

TEST_P(GeometricSensitivity, OfPosesIsThatOfDualNumbers) {
  std::vector<Pose<double>> X_WN(tree.size());
  std::vector<Twist<double>> screws(6 * tree.size());
  node_poses<double>(tree, q, X_WN);
  placement_screws(tree, X_WN, screws);
  std::vector<Pose<Dual8>> X_dual(displaced.size());
  double worst = 0, largest = 0;
  for (int i = 1; i < tree.size(); ++i) {
    const std::vector<Dual8> q1 = displace(i);
    node_poses<Dual8>(displaced, q1, X_dual);
    for (int l = 1; l < tree.size(); ++l) {
      for (int k = 0; k < 6; ++k) {
        const Twist<double> eta = is_ancestor(tree, i, l) ? screws[6 * i + k] : Twist<double>{};
        const Vec3<double> moves = eta.linear + cross(eta.angular, X_WN[l].p);
        const Vec3<double> turns = cross(eta.angular, Vec3<double>{X_WN[l].R.xy, X_WN[l].R.yy, X_WN[l].R.zy});
        const Pose<Dual8>& X = X_dual[2 * l];
        const Vec3<double> p{X.p.x.tangent[k], X.p.y.tangent[k], X.p.z.tangent[k]};
        const Vec3<double> y{X.R.xy.tangent[k], X.R.yy.tangent[k], X.R.zy.tangent[k]};
        worst = larger({worst, norm(moves - p), norm(turns - y)});
        largest = larger(largest, norm(p));
      }
    }
  }
  EXPECT_LT(worst / largest, 1e-12);  // measured 4e-15
}

TEST_P(GeometricSensitivity, OfEffortsIsThatOfDualNumbers) {
  const int width = 6 * tree.size();
  GeometricSensitivityWorkspace workspace(tree);
  std::vector<double> by_placement(n * width, 1e300);
  effort_sensitivity(tree, workspace, q, qd, qdd, by_placement);
  std::vector<Dual8> rate(displaced.rate_count), acceleration(displaced.rate_count),
      effort(displaced.rate_count);
  std::copy(qd.begin(), qd.end(), rate.begin());
  std::copy(qdd.begin(), qdd.end(), acceleration.begin());
  InverseDynamicsWorkspace<Dual8> dual(displaced);
  double worst = 0, largest = 0;
  for (int i = 1; i < tree.size(); ++i) {
    inverse_dynamics<Dual8>(displaced, dual, displace(i), rate, acceleration, {}, effort);
    for (int r = 0; r < n; ++r) {
      for (int k = 0; k < 6; ++k) {
        const double expected = effort[r].tangent[k];
        worst = larger(worst, std::abs(by_placement[r * width + 6 * i + k] - expected));
        largest = larger(largest, std::abs(expected));
      }
    }
  }
  EXPECT_LT(worst / largest, 1e-11);  // measured 8e-15
}

TEST_P(GeometricSensitivity, OfTheGroundIsATurnOfGravity) {
  const int width = 6 * tree.size();
  GeometricSensitivityWorkspace workspace(tree);
  std::vector<double> by_placement(n * width), with(n), without(n);
  effort_sensitivity(tree, workspace, q, qd, qdd, by_placement);
  InverseDynamicsWorkspace<double> inverse(tree);
  const Vec3<double> g = tree.gravity;
  for (int k = 0; k < 6; ++k) {
    Vec3<double> axis{};
    if (k < 3) axis[k] = 1.0;
    Tree turned = tree;
    turned.gravity = g - cross(axis, g);  // efforts are linear in gravity
    inverse_dynamics<double>(turned, inverse, q, qd, qdd, {}, with);
    inverse_dynamics<double>(tree, inverse, q, qd, qdd, {}, without);
    double worst = 0, largest = 0;
    for (int r = 0; r < n; ++r) {
      worst = larger(worst, std::abs(with[r] - without[r] - by_placement[r * width + k]));
      largest = larger(largest, std::abs(without[r]));
    }
    EXPECT_LT(worst / largest, 1e-12);  // measured 8e-15
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, GeometricSensitivity, ::testing::Range(0u, 4u));

}  // namespace
}  // namespace torsor
