#include "torsor/evaluation/pose.h"

#include <gtest/gtest.h>

#include <numbers>

#include "testing/linkages.h"
#include "torsor/assembly/assembly.h"
#include "torsor/base/norm.h"
#include "torsor/evaluation/reduced_mechanism.h"

namespace torsor {
namespace {

constexpr double kPi = std::numbers::pi;

ReducedConfiguration start_of(const ReducedMechanism& mechanism) {
  return mechanism.configure(assemble(mechanism.model()).q);
}

/// Two links of 1 and 0.8.
ModelDescription arm() {
  double length = 1.2;
  ModelDescription d = reference::planar_loop(
      2, [&] { return length -= 0.2; }, 1);
  d.joints.pop_back();
  d.points = {{"hand", 1, {0.8, 0, 0}}};
  d.initial.joints = {{"j0", {0.3}}, {"j1", {0.5}}};
  return d;
}

TEST(Pose, PlanarArmHasTwoElbows) {
  const ModelDescription d = arm();
  const ReducedMechanism mechanism{Model(d)};
  const std::vector<Reach> wanted{{d.points[0], {0.9, 0.9, 0}}};
  const double square = 2 * 0.81, elbow = std::acos((square - 1 - 0.64) / 1.6);
  const ReachedPose nearest = reach(mechanism, start_of(mechanism), wanted);
  EXPECT_TRUE(nearest.reaches);
  EXPECT_LE(nearest.miss, 1e-12);
  EXPECT_NEAR(nearest.q[1], elbow, 1e-11);
  const std::vector<ReachedPose> all = reach_all(mechanism, start_of(mechanism), wanted);
  ASSERT_EQ(all.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    const double bent = i == 0 ? elbow : -elbow;
    const double shoulder = kPi / 4 - std::atan2(0.8 * std::sin(bent), 1 + 0.8 * std::cos(bent));
    EXPECT_NEAR(std::remainder(all[i].q[1] - bent, 2 * kPi), 0, 1e-11);
    EXPECT_NEAR(std::remainder(all[i].q[0] - shoulder, 2 * kPi), 0, 1e-11);
    EXPECT_EQ(all[i].self_motions, 0);
  }
  EXPECT_LT(all[0].distance, all[1].distance);
}

TEST(Pose, RangesAreKept) {
  ModelDescription d = arm();
  JointStop stop;
  stop.name = "stop";
  stop.joint = 1;
  stop.ranges = {{-2.5, 0.1, 100, 0}};
  d.stops = {stop};
  d.initial.joints = {{"j0", {0.3}}, {"j1", {0.05}}};
  const ReducedMechanism mechanism{Model(d)};
  const std::vector<Reach> wanted{{d.points[0], {0.9, 0.9, 0}}};
  const std::vector<ReachedPose> all = reach_all(mechanism, start_of(mechanism), wanted);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_LT(all[0].q[1], 0);
  EXPECT_GE(all[0].q[1], -2.5);
  // Too far away for it, whatever the ranges.
  const ReachedPose never = reach(mechanism, start_of(mechanism), {{d.points[0], {3, 0, 0}}});
  EXPECT_FALSE(never.reaches);
  EXPECT_NEAR(never.miss, 1.2, 1e-6);
}

/// The coupler's point of a four-bar goes where the crank takes it.
TEST(Pose, PointOfALoopIsReachedWithTheLoopClosed) {
  ModelDescription d = reference::four_bar(0.5, 1.5, 1, 1.5);
  d.initial.joints = {{"drive", {0.8}}, {"pivot", {1.5}}};
  d.initial.assemble = true;
  d.points = {{"tip", 1, {0.7, 0.3, 0}}};
  const ReducedMechanism mechanism{Model(d)};
  const ReducedConfiguration start = start_of(mechanism);
  const ReducedConfiguration there = mechanism.moved(start, Eigen::VectorXd::Constant(1, 0.9));
  const ReachedPose pose =
      reach(mechanism, start, {{d.points[0], place_of(mechanism, there.q, d.points[0])}});
  EXPECT_TRUE(pose.reaches);
  EXPECT_LE(mechanism.gap(pose.q, start.length), 1e-14);
  EXPECT_NEAR(pose.q[0], there.q[0], 1e-12);
}

/// Mirrored at the line from the crank's end to the ground pin.
TEST(Pose, FourBarHasTwoAssemblyModes) {
  ModelDescription d = reference::four_bar(0.5, 1.5, 1, 1.5);
  d.initial.joints = {{"drive", {0.8}}, {"pivot", {1.5}}};
  d.initial.assemble = true;
  d.points = {{"pin", 1, {1.5, 0, 0}}};
  const ReducedMechanism mechanism{Model(d)};
  const ReducedConfiguration start = start_of(mechanism);
  const AssemblyModes modes = assembly_modes(mechanism, start);
  EXPECT_EQ(modes.kept, std::vector<std::string>{"drive"});
  ASSERT_EQ(modes.found.size(), 2u);
  EXPECT_EQ(modes.found[1][0], start.q[0]);
  EXPECT_LE(mechanism.gap(modes.found[1], start.length), 1e-14);
  const Vec3<double> a{0.5 * std::cos(start.q[0]), 0.5 * std::sin(start.q[0]), 0}, b{1.5, 0, 0};
  const Vec3<double> along = (1 / norm(b - a)) * (b - a), p = place_of(mechanism, start.q, d.points[0]) - a;
  const Vec3<double> mirrored = a + 2 * dot(p, along) * along - p;
  EXPECT_LE(norm(place_of(mechanism, modes.found[1], d.points[0]) - mirrored), 1e-12);
}

}  // namespace
}  // namespace torsor
