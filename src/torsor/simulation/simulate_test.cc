#include <gtest/gtest.h>

#include <numbers>
#include <sstream>

#include "testing/models.h"
#include "testing/runs.h"
#include "torsor/base/error.h"
#include "torsor/simulation/record.h"

namespace torsor {
namespace {

using testing::run;

TEST(Simulate, RecordsFirstLastAndEveryNth) {
  const Record record = run(reference::pendulum(), "rkmk4", 0.01, 0.25, 0, 10);
  ASSERT_EQ(record.observations.size(), 4u);
  EXPECT_EQ(record.observations[0].time, 0);
  EXPECT_NEAR(record.observations[2].time, 0.2, 1e-15);
  EXPECT_EQ(record.observations[3].time, 0.25);
  EXPECT_EQ(record.ledger.steps, 25);
}

TEST(Simulate, EndsExactlyWhereAskedWithAShortLastStep) {
  for (const char* integrator : {"rkmk4", "dopri5", "implicit-midpoint"}) {
    const Record record = run(reference::pendulum(), integrator, 0.03, 1.0);
    EXPECT_EQ(record.ledger.steps, 34) << integrator;
    EXPECT_EQ(record.ledger.time, 1.0) << integrator;
  }
  EXPECT_EQ(run(reference::pendulum(), "rkmk4", 0.1, 0).ledger.steps, 0);
}

/// The state at the end does not depend on the grid on which it is recorded.
TEST(Simulate, Dopri5IsIndependentOfTheOutputGrid) {
  const Record fine = run(reference::three_link_arm(), "dopri5", 0.001, 3, 1e-10);
  const Record coarse = run(reference::three_link_arm(), "dopri5", 1, 3, 1e-10);
  EXPECT_LE(testing::distance(fine.observations.back(), coarse.observations.back()), 1e-14);  // measured 0
}

/// The closed form of moving frames is a second route to the accelerations of a whole run.
TEST(Simulate, MovingFramesGiveTheMotionOfTheRecursion) {
  for (ModelDescription d : {reference::all_joints(), reference::all_elements(), reference::driven_arm(),
                             reference::spherical_chain(8)}) {
    for (const char* integrator :
         {"rkmk4", "dopri5", "implicit-midpoint", "generalized-alpha", "gauss-legendre"}) {
      d.simulation.dynamics = Dynamics::recursive;
      const Record recursive = run(d, integrator, 0.002, 0.4);
      d.simulation.dynamics = Dynamics::moving_frame;
      const Record frames = run(d, integrator, 0.002, 0.4);
      const double gap = testing::distance(recursive.observations.back(), frames.observations.back());
      EXPECT_LE(gap, 1e-11) << d.name << " by " << integrator;  // measured 6e-13
      EXPECT_NEAR(frames.ledger.energy_max_residual, recursive.ledger.energy_max_residual,
                  1e-10);  // measured 4e-12, by other compilations 2.5e-11
    }
  }
}

TEST(Simulate, MovingFramesAreForJointCoordinates) {
  ModelDescription d = reference::pendulum();
  d.simulation.dynamics = Dynamics::moving_frame;
  try {
    make_stepper(Model(d), {.formulation = "rotationless", .integrator = "energy-momentum", .options = {}});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, "simulation.dynamics");
  }
}

class Listener : public RunListener {
 public:
  void on_start(const Manifest&, const RunSettings&) override { ++starts; }
  void on_record(const Observation&, double) override { ++records; }
  void on_step(double) override { ++steps; }
  void on_end(const Ledger&) override { ++ends; }
  int starts = 0, records = 0, steps = 0, ends = 0;
};

TEST(Simulate, TellsItsListeners) {
  const Model model(reference::pendulum());
  const auto stepper = make_stepper(model);
  Listener listener;
  const Record record =
      simulate(*stepper, {.step = 0.1, .duration = 1, .record_every = 5}, {&listener}, false);
  EXPECT_EQ(listener.starts, 1);
  EXPECT_EQ(listener.records, 3);
  EXPECT_EQ(listener.steps, 10);
  EXPECT_EQ(listener.ends, 1);
  EXPECT_TRUE(record.observations.empty());
}

TEST(Simulate, StepsAreBounded) {
  const Model model(reference::pendulum());
  const auto stepper = make_stepper(model);
  try {
    simulate(*stepper, {.step = 1e-9, .duration = 1001});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, "simulation.step");
    EXPECT_EQ(error.expected, "at most 1e12 steps in a run");
    EXPECT_EQ(error.found, "steps of 1e-09 s in 1001 s");  // was 0.000000
  }
}

/// A load that doubles every millisecond ends the run; what came before stands.
TEST(Simulate, KeepsWhatWasComputedBeforeAFailure) {
  for (const char* integrator : {"rkmk4", "dopri5", "implicit-midpoint"}) {
    ModelDescription d = reference::pendulum();
    d.actuators = {{"motor", 0, 0, make_expression("exp(exp(20*t))", {})}};
    const Record record = run(d, integrator, 0.01, 5, 0, 1);
    ASSERT_TRUE(record.failure.has_value()) << integrator;
    EXPECT_FALSE(record.failure->advice.empty());
    EXPECT_GT(record.observations.size(), 10u) << integrator;
    EXPECT_TRUE(std::isfinite(record.observations.back().total()));
    EXPECT_EQ(record.ledger.time, record.observations.back().time);
  }
}

TEST(Simulate, AnglesCountTurns) {
  ModelDescription d = reference::three_link_arm();
  d.gravity = {};
  d.bodies.resize(1);
  d.joints.resize(1);
  d.initial.rates["shoulder"] = {10};
  const Record record = run(d, "dopri5", 0.1, 2);
  EXPECT_NEAR(record.observations.back().bodies[0].angle, 20, 1e-8);
  const SO3<double>& R = record.observations.back().bodies[0].rotation;
  EXPECT_NEAR(std::remainder(2 * std::atan2(R.z, R.w) - 20, 2 * std::numbers::pi), 0, 1e-8);
}

/// m (a - g) of a single body on a ball joint, by differences of its velocity; no moment goes through the
/// joint.
TEST(Observation, ReactionIsWhatAcceleratesTheBody) {
  ModelDescription d = reference::spherical_chain(1);
  d.joints[0].in_child = {exp_so3(Vec3<double>{0.3, -0.7, 0.4}), {0.1, 0.05, 0.2}};
  const double h = 0.005;
  const Record record = run(d, "dopri5", h, 1, 1e-13, 1);
  const double mass = d.bodies[0].mass;
  for (std::size_t i = 2; i + 2 < record.observations.size(); i += 20) {
    const auto velocity = [&](std::size_t k) { return record.observations[k].bodies[0].velocity; };
    const Vec3<double> a =
        (1 / (12 * h)) * (8.0 * (velocity(i + 1) - velocity(i - 1)) - (velocity(i + 2) - velocity(i - 2)));
    const Observation& now = record.observations[i];
    const SO3<double> R_WK = now.bodies[0].rotation * d.joints[0].in_child.rotation;
    const Vec3<double> force = act(R_WK, now.joints[0].reaction.force);
    EXPECT_LE(norm(force - mass * (a - d.gravity)), 1e-5);  // measured 3e-6, of the differences
    EXPECT_LE(norm(now.joints[0].reaction.moment), 1e-12);  // measured 9e-16
  }
}

TEST(Ledger, TableSaysWhatIsClaimed) {
  std::ostringstream conservative, driven;
  conservative << run(reference::three_link_arm(), "implicit-midpoint", 0.01, 1).ledger;
  EXPECT_NE(conservative.str().find("within the method's order, 2: balance within"), std::string::npos);
  EXPECT_NE(conservative.str().find("error max"), std::string::npos);
  driven << run(reference::driven_arm(), "dopri5", 0.01, 1).ledger;
  for (const char* text :
       {"work of motor", "work of shaker", "dissipated by stay", "dissipated by wrist spring", "change max",
        "change mean", "(no guarantee)", "balance residual max"}) {
    EXPECT_NE(driven.str().find(text), std::string::npos) << text;
  }
  EXPECT_EQ(driven.str().find("error max"), std::string::npos);
}

TEST(Ledger, BooksWorkAndDissipation) {
  const Record record = run(reference::driven_arm(), "dopri5", 0.01, 5, 1e-12);
  const Ledger& ledger = record.ledger;
  double work = 0, dissipated = 0;
  for (const auto& entry : ledger.work_by_source) work += entry.energy;
  for (const auto& entry : ledger.dissipated_by_damper) {
    dissipated += entry.energy;
    EXPECT_GT(entry.energy, 0) << entry.name;
  }
  EXPECT_DOUBLE_EQ(work, ledger.work);
  EXPECT_DOUBLE_EQ(dissipated, ledger.dissipated);
  EXPECT_GT(std::abs(work), 0.1);
  EXPECT_LE(ledger.energy_max_residual, 1e-9 * ledger.energy_scale);  // measured 3e-13
}

TEST(Ledger, BalancesATreeWithEverything) {
  const Ledger ledger = run(reference::all_elements(), "dopri5", 0.01, 1, 1e-12).ledger;
  EXPECT_EQ(ledger.work_by_source.size(), 6u);  // two actuators, three loads, a spring without potential
  EXPECT_EQ(ledger.dissipated_by_damper.size(), 6u);  // two tendons, four joint springs
  for (const auto& source : ledger.work_by_source) EXPECT_NE(source.energy, 0) << source.name;
  EXPECT_LE(ledger.energy_max_residual, 1e-9 * ledger.energy_scale);  // measured 3e-13
}

/// A free body conserves both momenta; a hanging one only the angular momentum about the vertical, if its
/// joint allows.
TEST(Ledger, BooksTheMomentaThatAModelConserves) {
  const Ledger top = run(reference::free_top(), "dopri5", 0.01, 5, 1e-12).ledger;
  EXPECT_LE(top.linear_max_error.value(), 1e-10);  // measured 1.2e-11
  EXPECT_LE(top.angular_max_error.value(), 1e-9);  // measured 4e-11
  const Ledger chain = run(reference::spherical_chain(2), "dopri5", 0.01, 5, 1e-12).ledger;
  EXPECT_FALSE(chain.linear_max_error.has_value());
  EXPECT_LE(chain.angular_max_error.value(), 1e-10);  // measured 1e-12
  const Ledger arm = run(reference::three_link_arm(), "dopri5", 0.01, 1, 1e-12).ledger;
  EXPECT_FALSE(arm.linear_max_error.has_value());
  EXPECT_FALSE(arm.angular_max_error.has_value());
}

}  // namespace
}  // namespace torsor
