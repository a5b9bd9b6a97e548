#include "torsor/study/step_choice.h"
#include "torsor/base/norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "testing/jacobi_elliptic.h"
#include "testing/models.h"
#include "torsor/base/error.h"
#include "torsor/study/step_density.h"
#include "torsor/study/verification.h"

namespace torsor {
namespace {

/// The rod of reference::pendulum falls from the horizontal: sin(phi/2) = k sn(K - w t), phi from the vertical, k^2 = 1/2,
/// w^2 = m g l / (J + m l^2).
double true_angle(double t) {
  const testing::EllipticParameter m{0.5L};
  const long double w = std::sqrt(9.81L * 0.5L / (1.0L / 12 + 0.25L));
  const long double sn = testing::jacobi_elliptic(testing::quarter_period(m) - w * t, m).sn;
  return static_cast<double>(2 * std::asin(std::sqrt(0.5L) * sn) - std::numbers::pi_v<long double> / 2);
}

double true_error(const Record& record) {
  double largest = 0;
  for (const Observation& o : record.observations) {
    keep_largest(largest, std::abs(o.joints[0].position[0] - true_angle(o.time)));
  }
  return largest;
}

Method method_of(const Model& model, const char* integrator, double m = 0) {
  StepperChoice choice{.formulation = "rotationless", .integrator = integrator};
  if (m > 0) choice.options["m"] = m;
  return resolve_method(model, choice);
}

TEST(StepChoice, ThePendulumErrsAsAsked) {
  const Model model(reference::pendulum());
  const StudySubject subject(model);
  const struct {
    const char* integrator;
    double m, asked;
  } cases[] = {{"energy-momentum", 0, 1e-4},
               {"energy-momentum", 0, 1e-6},
               {"petrov-galerkin", 1, 1e-4},
               {"petrov-galerkin", 1, 1e-8},
               {"petrov-galerkin", 2, 1e-10}};
  for (const auto& c : cases) {
    SCOPED_TRACE(std::string(c.integrator) + " " + std::to_string(c.m) + ", " + std::to_string(c.asked));
    const Method method = method_of(model, c.integrator, c.m);
    const ChosenSteps chosen =
        choose_steps(subject, method, {.step = 0.01, .duration = 5}, {.error = c.asked});
    EXPECT_TRUE(chosen.choice.shortfall.empty()) << chosen.choice.shortfall;
    const auto stepper = make_stepper(model, subject.start, method);
    RunSettings run = chosen.run;
    run.record_every = 1;
    const Record record = simulate(*stepper, run);
    EXPECT_EQ(record.ledger.steps, chosen.choice.steps);
    // Of the angle, by which the rod turns: the centre of mass, half a metre away, errs by less over the size.
    EXPECT_LE(true_error(record), 1.1 * c.asked);
    EXPECT_GE(true_error(record), 0.2 * c.asked);
    EXPECT_LE(record.ledger.energy_max_residual, 1e-11 * record.ledger.energy_scale);
  }
}

TEST(StepChoice, IsRefusedToMethodsThatAnyStepsDisturb) {
  const Model model(reference::pendulum());
  const StudySubject subject(model);
  const Method other = resolve_method(model, {.formulation = "joint", .integrator = "variational"});
  EXPECT_THROW(choose_steps(subject, other, {.step = 0.01, .duration = 1}, {.error = 1e-4}), ModelError);
  const Method method = method_of(model, "energy-momentum");
  EXPECT_THROW(choose_steps(subject, method, {.step = 0.01, .duration = 1}, {.error = 0}), ModelError);
}

TEST(StepChoice, SaysWhereItFallsShort) {
  const Model model(reference::pendulum());
  const StudySubject subject(model);
  const ChosenSteps chosen = choose_steps(subject, method_of(model, "energy-momentum"),
                                          {.step = 0.01, .duration = 5}, {.error = 1e-8, .most_steps = 2000});
  EXPECT_FALSE(chosen.choice.shortfall.empty());
  ASSERT_TRUE(chosen.choice.until.has_value());
  EXPECT_LT(*chosen.choice.until, 5);
}

TEST(StepDensity, SpansCoverTheRunAndFollowTheDensity) {
  BendProfile bend(64, 1.0);
  for (int i = 48; i < 64; ++i) bend[i] = 1000;
  const std::vector<double> density = step_density(bend, 2);
  ASSERT_EQ(density.size(), 64u);
  EXPECT_GT(density[60], 3 * density[10]);
  const std::vector<StepSpan> spans = spread_steps(density, 10, 1000);
  double last = 0;
  for (const StepSpan& span : spans) {
    EXPECT_GT(span.end, last);
    last = span.end;
  }
  EXPECT_EQ(last, 10);
  EXPECT_EQ(step_density(BendProfile(64, 2.0), 2).size(), 1u);  // even: equal steps
}

/// Digits that are stated against those that the elliptic functions say.
TEST(Verification, DigitsOfThePendulumAreTheTrueOnes) {
  const Model model(reference::pendulum());
  const StudySubject subject(model);
  for (const double step : {0.05, 0.01, 0.002}) {
    const Method method = method_of(model, "energy-momentum");
    Verifier verifier(subject, method, {});
    const auto stepper = make_stepper(model, subject.start, method);
    const Record record = simulate(*stepper, {.step = step, .duration = 5}, {&verifier});
    const Verification found = verifier.verify();
    EXPECT_TRUE(found.failure.empty());
    EXPECT_NEAR(found.motion.digits(), -std::log10(true_error(record)), 0.1);  // measured 0.02
    EXPECT_NEAR(found.observed_order.value_or(2), 2, 0.1);
  }
}

}  // namespace
}  // namespace torsor
