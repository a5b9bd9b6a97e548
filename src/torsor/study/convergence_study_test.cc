#include "torsor/study/convergence_study.h"

#include <gtest/gtest.h>

#include <sstream>

#include "testing/linkages.h"
#include "testing/models.h"
#include "torsor/base/error.h"

namespace torsor {
namespace {

StepperChoice choice(const char* formulation, const char* integrator, double m = -1) {
  StepperChoice made;
  made.formulation = formulation;
  made.integrator = integrator;
  if (m >= 0) made.options["m"] = m;
  return made;
}

TEST(StudyGrid, IsAsFineAsTheStepsAllow) {
  EXPECT_EQ(common_grid(1, {0.04, 0.02, 0.01}).parts, 25);
  EXPECT_EQ(common_grid(3, {0.01}).parts, 100);
  EXPECT_EQ(common_grid(3, {0.1, 0.06}).parts, 10);
  EXPECT_EQ(common_grid(1, {0.3, 0.1}).parts, 1);
}

/// Each against the order that it claims, over steps in which it converges.
TEST(ConvergenceStudy, FindsTheOrdersThatMethodsClaim) {
  const Model model(reference::three_link_arm_with_tendons());
  const struct {
    StepperChoice choice;
    std::vector<double> steps;
    double order, spread = 0.1;
  } cases[] = {{choice("joint", "variational"), {0.02, 0.01, 0.005}, 2},
               {choice("joint", "implicit-midpoint"), {0.02, 0.01, 0.005}, 2},
               {choice("joint", "rkmk4"), {0.04, 0.02, 0.01}, 4},
               // interpolated: its first, short step shifts the others against the grid
               {choice("joint", "dopri5"), {0.16, 0.08, 0.04, 0.02}, 5, 0.7},
               {choice("rotationless", "energy-momentum"), {0.02, 0.01, 0.005}, 2},
               {choice("rotationless", "generalized-alpha"), {0.02, 0.01, 0.005}, 2},
               {choice("rotationless", "petrov-galerkin", 1), {0.08, 0.04, 0.02}, 4},
               {choice("rotationless", "petrov-galerkin", 2), {0.16, 0.08, 0.04}, 6}};
  for (const auto& c : cases) {
    const ConvergenceStudy study = convergence_study(
        model, {.steps = c.steps, .duration = 1.28, .methods = {c.choice}, .reference = {}});
    ASSERT_EQ(study.curves.size(), 1u);
    const ConvergenceCurve& curve = study.curves[0];
    SCOPED_TRACE(curve.label);
    ASSERT_TRUE(curve.order(StudyQuantity::state).order.has_value());
    EXPECT_NEAR(*curve.order(StudyQuantity::state).order, c.order,
                c.spread);  // measured 1.9999 .. 2.0001, 4.02, 4.37, 6.002
    EXPECT_NEAR(*curve.order(StudyQuantity::velocity).order, c.order,
                c.spread);  // measured alike, 4.77 by dopri5
    EXPECT_EQ(study.reference, "joint + dopri5 at tolerance 1e-13");
    EXPECT_LE(study.trusted_to.position, 1e-12);
  }
}

/// What is exact has no order, and what the step leaves of G v has its own.
TEST(ConvergenceStudy, TellsRoundOffFromErrors) {
  const Model model(reference::three_link_arm());
  const ConvergenceStudy study = convergence_study(
      model, {.steps = {0.04, 0.02, 0.01, 0.005},
              .duration = 1,
              .methods = {choice("rotationless", "petrov-galerkin", 1), choice("joint", "variational")},
              .reference = {}});
  const ConvergenceCurve &galerkin = study.curves[0], &variational = study.curves[1];
  EXPECT_TRUE(galerkin.order(StudyQuantity::energy).at_floor);
  EXPECT_TRUE(galerkin.order(StudyQuantity::position).at_floor);
  EXPECT_NEAR(galerkin.order(StudyQuantity::rate).order.value(), 2, 0.05);            // measured 2.0001
  EXPECT_NEAR(galerkin.order(StudyQuantity::velocity).order.value(), 4, 0.05);        // measured 3.998
  EXPECT_NEAR(variational.order(StudyQuantity::energy).order.value(), 2, 0.05);       // measured 1.9996
  EXPECT_NEAR(variational.order(StudyQuantity::energy_mean).order.value(), 2, 0.05);  // measured 2.02
  EXPECT_FALSE(variational.points[0].errors[static_cast<int>(StudyQuantity::position)].has_value());
  std::ostringstream text;
  text << study;
  EXPECT_NE(text.str().find("round-off"), std::string::npos);
}

TEST(ConvergenceStudy, GoesOnWhereAMethodDoesNotApply) {
  ModelDescription slider_crank = reference::slider_crank(0.5, 1);
  slider_crank.gravity = {0, -9.81, 0};
  slider_crank.initial.assemble = true;
  slider_crank.initial.joints["drive"] = {0.5};
  const ConvergenceStudy study = convergence_study(
      Model(slider_crank), {.steps = {0.005, 0.0025, 0.00125},
                            .duration = 0.5,
                            .methods = {choice("joint", "rkmk4"), choice("rotationless", "energy-momentum")},
                            .reference = {}});
  EXPECT_NE(study.curves[0].refusal.find("loop"), std::string::npos);
  EXPECT_TRUE(study.curves[0].points.empty());
  EXPECT_EQ(study.curves[1].refusal, "");
  EXPECT_NEAR(study.curves[1].order(StudyQuantity::state).order.value(), 2, 0.05);  // measured 2.0001
  EXPECT_NE(study.reference.find("petrov-galerkin(m = 3)"), std::string::npos);
}

TEST(ConvergenceStudy, RefusesStepsThatMakeNoSense) {
  const Model model(reference::pendulum());
  for (const std::vector<double>& steps : {std::vector<double>{}, {0.1, 0.0}, {-1}, {2}}) {
    EXPECT_THROW(convergence_study(model, {.steps = steps, .duration = 1, .methods = {}, .reference = {}}),
                 ModelError);
  }
}

/// Refused methods, runs that fail and curves come out alike, in the same order.
TEST(ConvergenceStudy, DoesNotDependOnThreads) {
  const Model model(reference::three_link_arm_with_tendons());
  ConvergenceSettings settings{
      .steps = {0.32, 0.08, 0.16, 0.04}, .duration = 1.28, .methods = {}, .reference = {}};
  settings.methods = {choice("joint", "rkmk4"), choice("nothing", "rkmk4"),
                      choice("rotationless", "energy-momentum"), choice("cartesian", "energy-momentum")};
  const ConvergenceStudy alone = convergence_study(model, settings);
  settings.threads = 3;
  std::vector<std::string> told;
  const ConvergenceStudy side_by_side =
      convergence_study(model, settings, [&](const std::string& line) { told.push_back(line); });
  EXPECT_GE(told.size(), 17u);  // the reference, and each method with each step
  EXPECT_EQ(alone.trusted_to.position, side_by_side.trusted_to.position);
  ASSERT_EQ(alone.curves.size(), side_by_side.curves.size());
  for (std::size_t c = 0; c < alone.curves.size(); ++c) {
    const ConvergenceCurve &a = alone.curves[c], &b = side_by_side.curves[c];
    EXPECT_EQ(a.label, b.label);
    EXPECT_EQ(a.refusal, b.refusal);
    EXPECT_EQ(a.refusal.empty(), c != 1);
    ASSERT_EQ(a.points.size(), b.points.size());
    for (std::size_t i = 0; i < a.points.size(); ++i) {
      EXPECT_EQ(a.points[i].step, b.points[i].step);
      EXPECT_EQ(a.points[i].errors, b.points[i].errors);
    }
    for (std::size_t q = 0; q < a.orders.size(); ++q) EXPECT_EQ(a.orders[q].order, b.orders[q].order);
  }
}

}  // namespace
}  // namespace torsor
