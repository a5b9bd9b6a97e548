#include "torsor/simulation/motion_watch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "testing/models.h"
#include "torsor/simulation/record.h"
#include "torsor/simulation/step_plan.h"

namespace torsor {
namespace {

Manifest one_body(int order) {
  Manifest manifest;
  manifest.formulation = "rotationless";
  manifest.order = order;
  manifest.bodies = {"ball"};
  manifest.weights = {{2.0, 0.5}};
  return manifest;
}

/// A swing v = cos(w t): its phase in a step is w h, whatever the amplitude.
TEST(MotionWatch, FindsThePhaseOfASwing) {
  for (const double phase : {0.01, 0.3, 1.0, 2.0, 3.0}) {
    MotionWatch watch(one_body(2));
    for (int i = 0; i <= 1000; ++i) {
      const BodySpeed speed{{0.01 * std::cos(phase * i), 0, 0}, {}};
      watch.feed(0.1 * i, {&speed, 1}, 0);
    }
    EXPECT_NEAR(watch.report().phase, phase, 1e-2 * phase) << phase;  // the crest may lie between two steps
  }
}

/// Of the states that it does not look at it needs no speeds.
TEST(MotionWatch, NeedsTheSpeedsItLooksAtAlone) {
  MotionWatch all(one_body(2)), some(one_body(2));
  int left_out = 0;
  for (int i = 0; i <= 2000; ++i) {
    const BodySpeed speed{{std::cos(0.3 * i), 0, 0}, {}};
    const std::span<const BodySpeed> speeds(&speed, 1);
    left_out += some.looks() ? 0 : 1;
    some.feed(0.1 * i, some.looks() ? speeds : std::span<const BodySpeed>{}, 0);
    all.feed(0.1 * i, speeds, 0);
  }
  EXPECT_GT(left_out, 1000);
  EXPECT_EQ(some.report().phase, all.report().phase);
  EXPECT_EQ(some.report().velocity_change, all.report().velocity_change);
}

TEST(MotionWatch, AHigherOrderResolvesLongerSteps) {
  const auto verdict = [](int order, double phase) {
    MotionWatch watch(one_body(order));
    for (int i = 0; i <= 100; ++i) {
      const BodySpeed speed{{std::cos(phase * i), 0, 0}, {}};
      watch.feed(0.1 * i, {&speed, 1}, 0);
    }
    return watch.report().verdict;
  };
  EXPECT_EQ(verdict(2, 0.1), MotionVerdict::resolved);
  EXPECT_EQ(verdict(2, 0.8), MotionVerdict::coarse);
  EXPECT_EQ(verdict(4, 0.8), MotionVerdict::resolved);
  EXPECT_EQ(verdict(2, 1.5), MotionVerdict::unresolved);
  EXPECT_EQ(verdict(8, 2.5), MotionVerdict::unresolved);  // beyond what differences of speeds can tell
}

TEST(MotionWatch, TurnsAndRatesOfConstraintsCountToo) {
  const auto indicator = [](double turn, double rate, const char* formulation) {
    Manifest manifest = one_body(2);
    manifest.formulation = formulation;
    MotionWatch watch(manifest);
    const BodySpeed speed{{1, 0, 0}, {0, 0, turn / 0.1}};
    for (int i = 0; i <= 10; ++i) watch.feed(0.1 * i, {&speed, 1}, rate);
    return watch.report();
  };
  EXPECT_NEAR(indicator(2.4, 0, "rotationless").turn, 2.4, 1e-12);
  EXPECT_EQ(indicator(2.4, 0, "rotationless").verdict, MotionVerdict::unresolved);
  EXPECT_NE(warning_of(indicator(2.4, 0, "rotationless"), true).find("a body turns 2.4 rad in a step (ball"),
            std::string::npos);
  EXPECT_NE(indicator(2.4, 0, "joint").verdict,
            MotionVerdict::unresolved);  // steady turns of hinges are exact
  EXPECT_EQ(indicator(0.01, 0.6, "rotationless").verdict, MotionVerdict::coarse);
}

/// The steps of the issue: a second each, the energy exact, the motion nonsense.
TEST(MotionWatch, ADoublePendulumWithStepsOfASecondIsNotResolved) {
  ModelDescription d = reference::three_link_arm();
  d.gravity = {0, -9.81, 0};
  const auto ledger_of = [&](double step) {
    const auto stepper =
        make_stepper(Model(d), {.formulation = "rotationless", .integrator = "energy-momentum"});
    return simulate(*stepper, {.step = step, .duration = 20}).ledger;
  };
  const Ledger coarse = ledger_of(1), fine = ledger_of(0.005);
  EXPECT_LE(coarse.energy_max_residual, 1e-11 * coarse.energy_scale);
  EXPECT_EQ(coarse.accuracy.indicator.verdict, MotionVerdict::unresolved);
  EXPECT_EQ(fine.accuracy.indicator.verdict, MotionVerdict::resolved);
  std::ostringstream text;
  text << coarse;
  EXPECT_NE(text.str().find("the motion is not resolved; the energy balance is exact all the same"),
            std::string::npos);
}

/// Steps of several lengths: all of them are taken, spans end where they say, and the balance stays exact.
TEST(StepPlan, TakesTheSpansItWasGiven) {
  const Model model(reference::three_link_arm_with_tendons());
  const auto stepper = make_stepper(model, {.formulation = "rotationless", .integrator = "energy-momentum"});
  RunSettings settings{.step = 1.0 / 60, .duration = 1};
  settings.spans = {{0.3, 10}, {0.5, 40}, {1, 10}};
  const Record record = simulate(*stepper, settings);
  ASSERT_EQ(record.ledger.steps, 60);
  ASSERT_EQ(record.observations.size(), 61u);
  EXPECT_NEAR(record.observations[10].time, 0.3, 1e-15);
  EXPECT_NEAR(record.observations[50].time, 0.5, 1e-15);
  EXPECT_NEAR(record.observations[60].time, 1, 1e-15);
  EXPECT_LE(record.ledger.energy_max_residual, 1e-13 * record.ledger.energy_scale);
}

}  // namespace
}  // namespace torsor
