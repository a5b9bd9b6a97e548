// Winches, motors and actuators on tendons, wrapped ones, and cables whose tensions a servo finds: what a run keeps.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "testing/runs.h"

namespace torsor {
namespace {

/// A platform in the plane on four cables, led along x, y and an angle.
ModelDescription planar_cable_robot() {
  ModelDescription d;
  d.name = "planar cable robot";
  d.dimension = 2;
  d.gravity = {0, -9.81, 0};
  d.bodies = {{"platform", 8, {}, {0.1, 0.1, 0.2, 0, 0, 0}, {}, {}}};
  Joint slide;
  slide.name = "slide";
  slide.type = JointType::planar;
  slide.child = 0;
  d.joints = {slide};
  Servo servo;
  servo.name = "lead";
  servo.body = 0;
  for (int i = 0; i < 4; ++i) {
    const double x = i % 2 == 0 ? 1 : -1, y = i < 2 ? 1 : -1;
    const Point post{fmt::format("post{}", i), kWorld, {2 * x, 1.5 * y, 0}};
    const Point eye{fmt::format("eye{}", i), 0, {0.3 * x, -0.2 * y, 0}};
    d.tendons.push_back({fmt::format("cable{}", i), {post, eye}});
    Actuator drum;
    drum.name = fmt::format("drum{}", i);
    drum.tendon = i;
    drum.limits = {20, 200};
    d.actuators.push_back(drum);
    servo.actuators.push_back(i);
  }
  const Program s = make_rest_to_rest(0.5, 1.5, 2, 1 / 1.5);
  servo.follows = {{"x", make_expression("0.5*sin(2*pi*s)", {{"s", s}})},
                   {"y", make_expression("0.3*(1 - cos(2*pi*s))", {{"s", s}})},
                   {"angle", make_expression("0.2*sin(2*pi*s)", {{"s", s}})}};
  d.servos = {servo};
  return d;
}

TEST(TendonDrive, CablesLeadAPlatformWithinTheirLimits) {
  const ModelDescription d = planar_cable_robot();
  const Record run = testing::run(d, "energy-momentum", 0.01, 2.5, 0, 1);
  const Servo& servo = d.servos[0];
  double off = 0, least = 1e9, most = 0;
  for (const Observation& o : run.observations) {
    keep_largest(off, std::abs(o.bodies[0].com.x - servo.follows.at("x").value(o.time)));
    keep_largest(off, std::abs(o.bodies[0].com.y - servo.follows.at("y").value(o.time)));
    keep_largest(off, std::abs(o.bodies[0].angle - servo.follows.at("angle").value(o.time)));
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(o.tendons[i].tension, o.efforts[i]);
      least = std::min(least, o.efforts[i]);
      most = std::max(most, o.efforts[i]);
    }
  }
  EXPECT_LE(off, 1e-12);  // measured 6e-17
  EXPECT_GE(least, 20);   // measured 45
  EXPECT_LE(most, 200);   // measured 176
  EXPECT_TRUE(run.ledger.efforts_beyond.empty());
  EXPECT_LE(run.ledger.energy_max_residual, 1e-12 * run.ledger.energy_scale);  // measured 9e-14 J
}

/// Forces that hold the platform: of the tensions that do, those nearest to the middle have no part that pulls
/// against itself, t - t_mid is normal to the null space of the wrenches.
TEST(TendonDrive, TensionsAreNearestToTheMiddleOfTheirLimits) {
  ModelDescription d = planar_cable_robot();
  for (auto& [output, program] : d.servos[0].follows) program = 0.0;
  const Observation o = testing::run(d, "energy-momentum", 0.01, 0.01).observations.front();
  // At the middle, by symmetry, the null space is (1, 1, a, a) with the vertical forces in balance.
  double vertical[2] = {};
  for (int i = 0; i < 4; i += 2) {
    const Vec3<double> e = d.tendons[i].path[0].p_B - d.tendons[i].path[1].p_B;
    vertical[i / 2] = e.y / norm(e);
  }
  const double a = -vertical[0] / vertical[1];
  const double along =
      (o.efforts[0] - 110) + (o.efforts[1] - 110) + a * (o.efforts[2] - 110) + a * (o.efforts[3] - 110);
  EXPECT_NEAR(along, 0, 1e-9);                                                                 // measured 0
  EXPECT_NEAR(2 * (vertical[0] * o.efforts[0] + vertical[1] * o.efforts[2]), 8 * 9.81, 1e-9);  // measured 0
}

/// Where the limits cannot be kept, it is led all the same, and the ledger tells.
TEST(TendonDrive, EffortsBeyondTheirLimitsAreNamed) {
  ModelDescription d = planar_cable_robot();
  for (Actuator& drum : d.actuators) drum.limits = {5, 40};  // the weight alone asks for 49 N in each of two
  const Record run = testing::run(d, "energy-momentum", 0.01, 0.5, 0, 1);
  ASSERT_FALSE(run.ledger.efforts_beyond.empty());
  EXPECT_GT(run.ledger.efforts_beyond[0].most, 40);
}

/// A weight on a rope that a winch winds in, while a motor pulls it aside: energy and what both do.
ModelDescription wound_weight() {
  ModelDescription d;
  d.name = "wound weight";
  d.dimension = 2;
  d.gravity = {0, -9.81, 0};
  d.bodies = {{"weight", 2, {}, {0.05, 0.05, 0.1, 0, 0, 0}, {}, {}}};
  Joint slide;
  slide.name = "slide";
  slide.type = JointType::planar;
  slide.child = 0;
  d.joints = {slide};
  const Point hook{"hook", kWorld, {}}, eye{"eye", 0, {0, 0.1, 0}}, post{"post", kWorld, {3, -1, 0}};
  Tendon rope{"rope", {hook, eye}, 400, make_expression("2 + 0.4*sin(3*t)", {}), 3, true};
  Tendon tag{"tag", {post, eye}};
  tag.tension = make_expression("4*(1 - cos(2*t))", {});
  d.tendons = {rope, tag};
  Actuator pull{"pull", 0, 0, make_expression("3*sin(t)", {})};
  pull.tendon = 1;
  d.actuators = {pull};
  d.initial.joints["slide"] = {0, 0.5, -2.1};
  return d;
}

TEST(TendonDrive, TheLedgerClosesWithWinchMotorAndActuator) {
  for (const double h : {0.001, 0.01, 0.05}) {
    const Ledger ledger = testing::run(wound_weight(), "energy-momentum", h, 10).ledger;
    ASSERT_EQ(ledger.work_by_source.size(), 3u);
    for (const Ledger::Entry& entry : ledger.work_by_source) EXPECT_GT(std::abs(entry.energy), 0.1);
    EXPECT_LE(ledger.energy_max_residual, 1e-12 * ledger.energy_scale);  // measured 7e-13 J
  }
}

/// Methods of both formulations see the same winch.
TEST(TendonDrive, FormulationsAgree) {
  const Record fine = testing::run(wound_weight(), "dopri5", 0.01, 1, 1e-11);
  const Record coarse = testing::run(wound_weight(), "energy-momentum", 2e-4, 1);
  const Observation &a = fine.observations.back(), &b = coarse.observations.back();
  EXPECT_NEAR(a.bodies[0].com.x, b.bodies[0].com.x, 1e-6);                                  // measured 6e-9
  EXPECT_NEAR(a.bodies[0].com.y, b.bodies[0].com.y, 1e-6);                                  // measured 2e-7
  EXPECT_NEAR(a.tendons[0].tension, b.tendons[0].tension, 1e-3);                            // measured 6e-5
  EXPECT_NEAR(a.tendons[1].tension, b.tendons[1].tension, 1e-12);                           // measured 0
  for (std::size_t i = 0; i < a.work.size(); ++i) EXPECT_NEAR(a.work[i], b.work[i], 1e-4);  // measured 9e-6
}

/// Flows are booked by means of efforts at both ends of a step: with the shares of the same step.
TEST(TendonDrive, SharedEffortsAreBookedAtSecondOrderByGeneralizedAlpha) {
  const Model model(planar_cable_robot());
  std::vector<double> steps, residuals;
  for (const double step : {0.02, 0.01, 0.005}) {
    const Record record = testing::run(model, {"rotationless", "generalized-alpha"}, step, 1.2);
    steps.push_back(step);
    residuals.push_back(record.ledger.energy_max_residual);
  }
  EXPECT_NEAR(testing::fitted_order(steps, residuals), 2, 0.1);  // 1 with shares of different steps
}

/// A rope that a winch winds in, and one with a motor, by smooth programs.
TEST(TendonDrive, WinchesAndMotorsKeepTheOrderOfTheState) {
  ModelDescription d = wound_weight();
  d.tendons[0].tension_only = false;  // it gets slack within the run, which is a kink
  const double duration = 0.64, every = 0.04;
  const Record exact = testing::run(d, "dopri5", every, duration, 1e-13, 1);
  for (const auto& [name, order, coarsest] :
       {std::tuple("energy-momentum", 2.0, 0.01), {"implicit-midpoint", 2.0, 0.01}, {"rkmk4", 4.0, 0.01}}) {
    SCOPED_TRACE(name);
    std::vector<double> steps, errors;
    for (int k = 0; k < 4; ++k) {
      steps.push_back(coarsest / (1 << k));
      const int per_record = static_cast<int>(std::lround(every / steps.back()));
      const Record record = testing::run(d, name, steps.back(), duration, 0, per_record);
      ASSERT_EQ(record.observations.size(), exact.observations.size());
      errors.push_back(0);
      for (std::size_t i = 0; i < exact.observations.size(); ++i) {
        keep_largest(errors.back(), testing::distance(record.observations[i], exact.observations[i]));
      }
    }
    EXPECT_NEAR(testing::fitted_order(steps, errors), order, 0.1);
  }
}

}  // namespace
}  // namespace torsor
