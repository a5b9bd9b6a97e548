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

}  // namespace
}  // namespace torsor
