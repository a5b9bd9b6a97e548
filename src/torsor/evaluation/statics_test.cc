// A rod on a hinge, of which all is known.
#include "torsor/evaluation/statics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "torsor/base/error.h"

namespace torsor {
namespace {

constexpr double kMass = 2, kArm = 0.5, kInertia = 0.3, kGravity = 9.81;

ModelDescription rod(double angle) {
  ModelDescription d;
  d.dimension = 2;
  d.gravity = {0, -kGravity, 0};
  Body body;
  body.name = "rod";
  body.mass = kMass;
  body.com = {kArm, 0, 0};
  body.inertia = {0, kInertia, kInertia};
  d.bodies = {body};
  Joint hinge;
  hinge.name = "hinge";
  hinge.type = JointType::revolute;
  hinge.parent = kWorld;
  hinge.child = 0;
  d.joints = {hinge};
  Point tip;
  tip.name = "tip";
  tip.body = 0;
  tip.p_B = {1, 0, 0};
  d.points = {tip};
  d.initial.joints["hinge"] = {angle};
  return d;
}

TEST(Statics, ARodHangsOrStands) {
  const std::optional<Rest> rest = equilibrium(Model(rod(-1)));
  ASSERT_TRUE(rest.has_value());
  EXPECT_NEAR(rest->q[0], -std::numbers::pi / 2, 1e-12);
  EXPECT_EQ(rest->stability, Stability::stable);
  EXPECT_NEAR(norm(rest->reactions[0].force), kMass * kGravity, 1e-12);
  const std::vector<Rest> all = equilibria(Model(rod(-1)));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_NEAR(all[1].potential - all[0].potential, 2 * kMass * kGravity * kArm, 1e-12);
  EXPECT_EQ(all[1].stability, Stability::unstable);
}

TEST(Statics, ItSwingsAsAPhysicalPendulum) {
  const StateSpace space = modes(Model(rod(0)), {-std::numbers::pi / 2}, {0});
  const double w = std::sqrt(kMass * kGravity * kArm / (kInertia + kMass * kArm * kArm));
  ASSERT_EQ(space.motions.size(), 1u);
  EXPECT_NEAR(space.motions[0].frequency, w / (2 * std::numbers::pi), 1e-14);
  EXPECT_NEAR(space.A(1, 0), -w * w, 1e-12);
  EXPECT_EQ(space.outputs.front(), "q.hinge");
}

TEST(Statics, ItReachesWhatIsInItsReach) {
  const Model model(rod(0.5));
  const Reached there = reach(model, {{"tip", {0, 1, 0}}});
  EXPECT_TRUE(there.reaches);
  EXPECT_NEAR(there.q[0], std::numbers::pi / 2, 1e-9);
  EXPECT_FALSE(reach(model, {{"tip", {0, 2, 0}}}).reaches);
  EXPECT_THROW(reach(model, {{"top", {0, 1, 0}}}), ModelError);
}

TEST(Statics, NothingHoldsItButWhereItRests) {
  EXPECT_FALSE(holding_efforts(Model(rod(0))).has_value());
  EXPECT_TRUE(holding_efforts(Model(rod(-std::numbers::pi / 2))).has_value());
}

}  // namespace
}  // namespace torsor
