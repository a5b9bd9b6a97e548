#include "torsor/assembly/body_equations.h"

#include <gtest/gtest.h>

#include "testing/linkages.h"
#include "testing/models.h"
#include "torsor/assembly/assembly.h"
#include "torsor/assembly/close_loops.h"
#include "torsor/base/norm.h"
#include "torsor/numerics/dense.h"
#include "torsor/numerics/rank.h"

namespace torsor {
namespace {

Model assembled(ModelDescription d) {
  d.initial.assemble = true;
  return Model(std::move(d));
}

/// In the twists of bodies and by the dense conditions of loops on the rates of the tree.
double apart(const Model& model) {
  const std::vector<double> q = assemble(model).q;
  const std::vector<int> in_loops = joints_in_loops(model);
  const TreeMotion tree(model, q, in_loops);
  Eigen::VectorXd step(tree.columns());
  for (Eigen::Index i = 0; i < step.size(); ++i) step[i] = 1 + 0.3 * static_cast<double>(i % 5);
  const Eigen::MatrixXd G = LoopConditions(tree, loop_size(model, q)).jacobian();
  const Eigen::VectorXd dense = step - least_squares(G, product(G, step));

  const std::vector<JointInBodies> joints = joints_in_bodies(tree, typical_length(tree));
  std::vector<BodyRows> loops;
  Eigen::Index rows = 0;
  for (const int j : model.topology().loop_joints) {
    loops.push_back(joints[j].blocked);
    rows += joints[j].blocked.count();
  }
  std::vector<bool> moves(model.joints().size(), false);
  for (const int j : in_loops) moves[j] = true;
  std::vector<double> wanted(model.rate_count(), 0.0);
  for (int c = 0; c < tree.columns(); ++c) wanted[tree.rates()[c]] = step[c];
  const auto found = nearest_rates(model, joints, moves, wanted, loops, Eigen::VectorXd::Zero(rows));
  if (!found) return 1;
  double most = 0;
  for (int c = 0; c < tree.columns(); ++c) {
    keep_largest(most, std::abs((*found)[tree.rates()[c]] - dense[c]));
  }
  return most;
}

TEST(BodyEquations, FindTheNearestRatesThatLoopsAllow) {
  ModelDescription four_bar = reference::four_bar(0.5, 1.5, 1, 1.5);
  four_bar.initial.joints = {{"drive", {1}}};
  EXPECT_LT(apart(assembled(four_bar)), 1e-14);  // measured 6e-16
  // Most rows of its loops depend on others.
  EXPECT_LT(apart(assembled(reference::scissors(6))), 1e-12);  // measured 1.3e-14
}

}  // namespace
}  // namespace torsor
