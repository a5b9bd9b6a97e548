#include "torsor/evaluation/evaluate.h"

#include <gtest/gtest.h>

#include "testing/models.h"
#include "torsor/base/error.h"

namespace torsor {
namespace {

TEST(Evaluation, RefusesListsOfOtherSizes) {
  const Model model(reference::all_joints());
  const auto expect_refused = [&](const char* name, std::vector<double> JointState::*list) {
    for (const bool longer : {false, true}) {
      JointState state = neutral_state(model);
      (state.*list).resize((state.*list).size() + (longer ? 1 : -1));
      try {
        const Evaluation evaluation(model, state);
        ADD_FAILURE() << name;
      } catch (const SizeError& error) {
        EXPECT_EQ(error.argument, name);
      }
    }
  };
  expect_refused("q", &JointState::q);
  expect_refused("qd", &JointState::qd);
  expect_refused("qdd", &JointState::qdd);
  expect_refused("qddd", &JointState::qddd);
  expect_refused("qdddd", &JointState::qdddd);
  expect_refused("effort", &JointState::effort);
}

/// With v = N u' by hand, N^T (M a + h - effort) = 0 from M and h of the arm without the coupling.
TEST(Evaluation, AccelerationsKeepCouplingsWhateverTheEffort) {
  ModelDescription d = reference::driven_arm();
  d.servos.clear();
  const Model open(d);
  d.couplings.push_back({"gear", {{0, 0, 1.0}, {2, 0, -2.5}}, 0.0});
  const Model model(d);
  JointState state = neutral_state(model);
  state.q = {0.5, -0.3, 0.2};
  state.qd = {1.0, 0.7, 0.4};
  state.effort = {2.0, -1.5, 3.0};
  state.time = 0.3;
  const Evaluation evaluation(model, state);
  const std::vector<double> a = evaluation.forward_dynamics();
  EXPECT_NEAR(a[0] - 2.5 * a[2], 0, 1e-12);  // measured 0
  state.qdd = a;
  const std::vector<double> needed = Evaluation(open, state).inverse_dynamics();
  const double first = needed[0] - state.effort[0], third = needed[2] - state.effort[2];
  EXPECT_NEAR(first + third / 2.5, 0, 1e-12);          // measured 2e-15
  EXPECT_NEAR(needed[1] - state.effort[1], 0, 1e-12);  // measured 7e-16

  // And in reverse, by independent rates.
  const std::vector<double> effort = Evaluation(model, state).inverse_dynamics();
  ASSERT_EQ(effort.size(), 2u);
  const bool by_first = evaluation.independent()[0] == 0;
  const double of_both =
      by_first ? state.effort[0] + state.effort[2] / 2.5 : 2.5 * state.effort[0] + state.effort[2];
  EXPECT_NEAR(effort[by_first ? 0 : 1], of_both, 1e-12);  // measured 4e-15
}

}  // namespace
}  // namespace torsor
