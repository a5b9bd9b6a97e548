#include "torsor/simulation/wrap_jump.h"

#include <gtest/gtest.h>

#include "testing/runs.h"

namespace torsor {
namespace {

/// A slide takes the lower end of a cord past the place where its nearest point to the centre crosses the plane across
/// `side`: at x = 0.5, where a segment on the right of the circle is to go over its top.
ModelDescription slide(bool sided, double velocity) {
  ModelDescription d;
  d.dimension = 2;
  d.bodies = {{"slide", 1, {}, {0, 0, 0.1, 0, 0, 0}, {}, {}}};
  d.joints.resize(1);
  d.joints[0].name = "rail", d.joints[0].type = JointType::prismatic, d.joints[0].child = 0;
  d.joints[0].axis = {1, 0, 0};
  d.joints[0].in_parent.position = {0, -0.5, 0};
  d.initial.joints["rail"] = {0.7};
  d.initial.rates["rail"] = {velocity};
  Tendon cord;
  cord.name = "cord";
  cord.path = {{"", kWorld, {0.5, 0.5, 0}}, {"", 0, {}}};
  cord.stiffness = 20;
  cord.rest_length = 1.0;
  cord.wraps.resize(1);
  cord.wraps[0].at = {"", kWorld, {}};
  cord.wraps[0].law = {WrapLaw::Kind::circle, 0.1, {}};
  if (sided) cord.wraps[0].law.side = Vec3<double>{0, 1, 0};
  d.tendons = {cord};
  return d;
}

TEST(WrapJump, IsNamedByTheStepThatFailsThere) {
  const StepperChoice choice{"rotationless", "energy-momentum", {}, 0};
  const Record record = testing::run(Model(slide(true, -1)), choice, 0.01, 1, 1);
  ASSERT_TRUE(record.failure.has_value());
  EXPECT_NE(record.failure->advice.find("tendon 'cord' jumps"), std::string::npos) << record.failure->advice;
  EXPECT_NEAR(record.failure->time, 0.2, 0.02);
  EXPECT_GT(record.observations.size(), 10u);
  EXPECT_FALSE(testing::run(Model(slide(false, -1)), choice, 0.01, 1).failure.has_value());
}

/// Methods on trees step over it: what the potential jumps by is missing in the books.
TEST(WrapJump, StaysInTheBalanceOfMethodsThatStepOver) {
  const StepperChoice choice{"joint", "implicit-midpoint", {}, 0};
  const Ledger over = testing::run(Model(slide(true, -1)), choice, 0.01, 0.3).ledger;
  const Ledger before = testing::run(Model(slide(true, -1)), choice, 0.01, 0.18).ledger;
  EXPECT_LE(before.energy_max_residual, 1e-4);
  EXPECT_GE(over.energy_max_residual, 1);
}

TEST(WrapJump, IsSeenAheadAndOnlyThere) {
  for (const bool towards : {true, false}) {
    const Model model(slide(true, towards ? -1 : 1));
    EXPECT_TRUE(has_sided_wraps(model));
    const auto stepper = make_stepper(model, {"rotationless", "energy-momentum", {}, 0});
    Observation now = stepper->make_observation();
    stepper->observe(now);
    EXPECT_TRUE(wrap_jump_ahead(model, now, 0.05).empty());
    EXPECT_EQ(wrap_jump_ahead(model, now, 0.15).empty(), !towards);
  }
  EXPECT_FALSE(has_sided_wraps(Model(slide(false, 1))));
}

}  // namespace
}  // namespace torsor
