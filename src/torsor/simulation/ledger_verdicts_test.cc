#include "torsor/simulation/ledger_verdicts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "testing/models.h"
#include "testing/runs.h"
#include "torsor/simulation/ledger.h"

namespace torsor {
namespace {

using enum VerdictState;
using testing::run;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Ledger ledger_of(const ModelDescription& d, const char* formulation, const char* integrator, double step,
                 double duration = 4) {
  return run(Model(d), {formulation, integrator, {}, 0}, step, duration, 1000000).ledger;
}

TEST(Verdicts, OfAnExactMethodAreExactAtAnyStep) {
  for (const double step : {0.01, 0.1}) {
    const Verdicts arm = verdicts_of(
        ledger_of(reference::three_link_arm_with_tendons(), "rotationless", "energy-momentum", step));
    EXPECT_EQ(arm.energy.state, exact) << arm.energy.text;
    EXPECT_LE(*arm.energy.figure, 1e-13);  // measured 2e-15
    EXPECT_EQ(arm.constraints.state, exact) << arm.constraints.text;
    EXPECT_EQ(arm.momenta.state, none) << arm.momenta.text;  // a hinge on the world under gravity
    EXPECT_FALSE(arm.momenta.figure);
    const Verdicts tree =
        verdicts_of(ledger_of(reference::free_tree(), "rotationless", "energy-momentum", step, 0.8));
    EXPECT_EQ(tree.momenta.state, exact) << tree.momenta.text;
    EXPECT_LE(*tree.momenta.figure, 1e-13);  // measured 2e-15
  }
}

/// Its balance is what is judged: what motors bring and dampers take is no error.
TEST(Verdicts, OfADrivenModelAreOfItsBalance) {
  const Ledger driven = ledger_of(reference::driven_arm(), "rotationless", "energy-momentum", 0.01);
  EXPECT_GT(driven.energy_max_error, 0.1 * driven.energy_scale);
  EXPECT_EQ(verdicts_of(driven).energy.state, exact) << verdicts_of(driven).energy.text;
}

/// The bound on the energy shrinks with the step as the error does, so that it stays within the order.
TEST(Verdicts, OfASymplecticMethodAreWithinItsOrder) {
  double last = 1;
  for (const double step : {0.02, 0.01, 0.005}) {
    const Verdict energy =
        verdicts_of(ledger_of(reference::three_link_arm(), "joint", "implicit-midpoint", step)).energy;
    EXPECT_EQ(energy.state, order) << energy.text;
    EXPECT_LE(*energy.figure, 0.3 * last);
    last = *energy.figure;
  }
}

TEST(Verdicts, WithoutAPromiseSayTheFigure) {
  const Verdicts verdicts = verdicts_of(ledger_of(reference::free_tree(), "joint", "rkmk4", 0.01, 0.8));
  EXPECT_EQ(verdicts.energy.state, none) << verdicts.energy.text;
  EXPECT_NE(verdicts.energy.text.find("(no guarantee)"), std::string::npos);
  EXPECT_EQ(verdicts.momenta.state, none) << verdicts.momenta.text;
  EXPECT_GT(*verdicts.momenta.figure, 0);
  EXPECT_EQ(verdicts.motion.state, order) << verdicts.motion.text;
  EXPECT_FALSE(verdicts.motion.figure);  // its error was not measured
}

TEST(Verdicts, OnStepsThatDoNotResolveTheMotion) {
  const Verdicts verdicts = verdicts_of(
      ledger_of(reference::three_link_arm_with_tendons(), "rotationless", "energy-momentum", 1, 20));
  EXPECT_EQ(verdicts.motion.state, broken) << verdicts.motion.text;
  EXPECT_EQ(verdicts.energy.state, exact) << verdicts.energy.text;  // all the same
}

/// A promise that is not kept, an error as large as its scale, and a NaN.
TEST(Verdicts, AreBrokenWhereTheFigureSaysSo) {
  Ledger ledger = ledger_of(reference::free_tree(), "rotationless", "energy-momentum", 0.01, 0.1);
  for (const double bad : {1e-6, 2.0, kNan}) {
    Ledger broke = ledger;
    broke.energy_max_residual = bad * ledger.energy_scale;
    broke.position_max = bad * ledger.size;
    broke.angular_max_error = bad * ledger.angular_scale;
    const Verdicts verdicts = verdicts_of(broke);
    EXPECT_EQ(verdicts.energy.state, broken) << verdicts.energy.text;
    EXPECT_EQ(verdicts.constraints.state, broken) << verdicts.constraints.text;
    EXPECT_EQ(verdicts.momenta.state, broken) << verdicts.momenta.text;
    broke.integrator = "rkmk4";
    EXPECT_EQ(verdicts_of(broke).energy.state, bad < 1 ? none : broken);
    EXPECT_EQ(verdicts_of(broke).momenta.state, bad < 1 ? none : broken);
    broke.integrator = "variational";  // an error beyond its order is not promised, nor a lost energy
    broke.accuracy.indicator.phase = broke.accuracy.indicator.turn = 1e-4;
    EXPECT_EQ(verdicts_of(broke).energy.state, bad < 1 ? none : broken);
  }
}

/// Steps that do not resolve the motion allow for any error by their order, but none as large as the energy itself.
TEST(Verdicts, OfCoarseStepsAreBrokenWhereTheErrorIsAsLargeAsTheScale) {
  Ledger ledger = ledger_of(reference::free_tree(), "joint", "variational", 0.01, 0.1);
  ledger.accuracy.indicator.phase = 3;
  ledger.energy_max_residual = 0.5 * ledger.energy_scale;
  EXPECT_EQ(verdicts_of(ledger).energy.state, order);
  ledger.energy_max_residual = 2 * ledger.energy_scale;
  EXPECT_EQ(verdicts_of(ledger).energy.state, broken) << verdicts_of(ledger).energy.text;
}

/// A beam in balance under gravity: all that is seen of it is rounding, of energies that cancel out.
ModelDescription balanced() {
  ModelDescription d;
  d.dimension = 2;
  d.gravity = {0, -9.81, 0};
  for (const char* name : {"beam", "left", "right"})
    d.bodies.push_back({name, 3.3, {}, {0, 0, 0.3, 0, 0, 0}, {}, {}});
  d.joints.resize(3);
  d.joints[0].name = "pivot", d.joints[0].child = 0;
  for (const int i : {1, 2}) {
    d.joints[i].name = i == 1 ? "l" : "r", d.joints[i].parent = 0, d.joints[i].child = i;
    d.joints[i].in_parent.position = {i == 1 ? -0.7 : 0.7, 0, 0};
  }
  d.initial.joints = {{"pivot", {0.35}}};
  return d;
}

TEST(Verdicts, OfAMechanismThatRestsHaveNothingToCheck) {
  Ledger ledger = ledger_of(balanced(), "rotationless", "energy-momentum", 0.01);
  EXPECT_TRUE(ledger.rests);
  ledger.energy_max_residual = 2e-15;  // [J], as rounding may leave them
  ledger.energy_scale = 3e-15;
  EXPECT_EQ(verdicts_of(ledger).energy.state, none) << verdicts_of(ledger).energy.text;
  EXPECT_EQ(verdicts_of(ledger).motion.state, none) << verdicts_of(ledger).motion.text;
  EXPECT_EQ(ledger.accuracy.indicator.verdict, MotionVerdict::unknown);
  EXPECT_FALSE(ledger.accuracy.indicator.try_step);
  ledger.energy_max_residual = kNan;
  EXPECT_EQ(verdicts_of(ledger).energy.state, broken);

  // Barely moved it is judged.
  ModelDescription moved = balanced();
  moved.initial.rates = {{"pivot", {1e-6}}};
  EXPECT_FALSE(ledger_of(moved, "rotationless", "energy-momentum", 0.01).rests);
}

/// Energies far above what moves round by their own size.
TEST(Verdicts, AllowForEnergiesFarAboveTheirScale) {
  Ledger ledger = ledger_of(reference::free_tree(), "rotationless", "energy-momentum", 0.01, 0.1);
  ledger.energy_initial = 1e9 * ledger.energy_scale;
  ledger.energy_max_residual = 5e-6 * ledger.energy_scale;
  EXPECT_EQ(verdicts_of(ledger).energy.state, exact);
  ledger.energy_initial = ledger.energy_scale;
  EXPECT_EQ(verdicts_of(ledger).energy.state, broken);
}

TEST(Verdicts, OfTheMotionSayWhatWasMeasured) {
  Ledger ledger = ledger_of(reference::free_tree(), "rotationless", "energy-momentum", 0.01, 0.1);
  Verification& found = ledger.accuracy.verification.emplace();
  found.motion = {"trunk", "", 3e-5, 0.1, 1};
  EXPECT_EQ(verdicts_of(ledger).motion.state, order);
  EXPECT_EQ(verdicts_of(ledger).motion.figure, 3e-5);
  found.motion.error = 0.5;
  EXPECT_EQ(verdicts_of(ledger).motion.state, broken);
  found.motion.error = kNan;
  EXPECT_EQ(verdicts_of(ledger).motion.state, broken);
  ledger.accuracy.verification.reset();
  StepChoice& choice = ledger.accuracy.choice.emplace();
  choice.asked = 1e-6;
  choice.estimated = 4e-7;
  EXPECT_EQ(verdicts_of(ledger).motion.state, order);
  choice.shortfall = "rounding";
  EXPECT_EQ(verdicts_of(ledger).motion.state, broken);
}

}  // namespace
}  // namespace torsor
