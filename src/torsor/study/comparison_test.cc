#include "torsor/study/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "testing/linkages.h"
#include "testing/models.h"

namespace torsor {
namespace {

const ComparisonRow& row_of(const Comparison& comparison, const std::string& label) {
  for (const ComparisonRow& row : comparison.rows) {
    if (row.label == label) return row;
  }
  throw std::out_of_range(label);
}

bool says(const std::vector<std::string>& remarks, const std::string& word) {
  return std::any_of(remarks.begin(), remarks.end(),
                     [&](const std::string& remark) { return remark.find(word) != std::string::npos; });
}

TEST(Comparison, PutsEveryMethodSideBySide) {
  const Model model(reference::three_link_arm());
  const Comparison comparison = compare_methods(model, {.step = 0.02, .duration = 2, .accuracy = 1e-6});
  EXPECT_EQ(comparison.rows.size(), method_choices().size());
  for (const ComparisonRow& row : comparison.rows) {
    SCOPED_TRACE(row.label);
    EXPECT_TRUE(row.ran()) << row.refusal << row.failure;
    EXPECT_LE(row.state.value(), 1e-3);
    EXPECT_EQ(row.ledger.steps, 100);
  }
  const ComparisonRow& conserving = row_of(comparison, "rotationless + energy-momentum");
  EXPECT_EQ(conserving.energy, EnergyVerdict::rounding);
  EXPECT_NEAR(conserving.order.order.value(), 2, 0.05);  // measured 1.9996
  EXPECT_TRUE(conserving.cost_is_predicted);
  EXPECT_FALSE(row_of(comparison, "joint + dopri5").cost_by.empty());
  EXPECT_TRUE(comparison.remarks.empty());
  ASSERT_EQ(comparison.recommendations.size(), 3u);
  EXPECT_EQ(comparison.rows[comparison.recommendations.back().row].energy, EnergyVerdict::rounding);
  std::ostringstream text;
  text << comparison;
  EXPECT_NE(text.str().find("For this model and run: "), std::string::npos);
  EXPECT_NE(text.str().find("\nrotationless\n  energy-momentum "), std::string::npos);
  std::istringstream lines(text.str());
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
}

TEST(Comparison, SaysWhatLoopsRuleOut) {
  ModelDescription loop = reference::four_bar(0.5, 1.5, 1, 1.5);
  loop.gravity = {0, -9.81, 0};
  loop.initial.assemble = true;
  loop.initial.joints["drive"] = {0.5};
  const Comparison comparison = compare_methods(Model(loop), {.step = 0.01, .duration = 0.2});
  EXPECT_NE(row_of(comparison, "joint + rkmk4").refusal.find("loop"), std::string::npos);
  EXPECT_TRUE(row_of(comparison, "rotationless + energy-momentum").ran());
  EXPECT_TRUE(says(comparison.remarks, "closed loop"));
  for (const Recommendation& advice : comparison.recommendations) {
    EXPECT_EQ(comparison.rows[advice.row].choice.formulation, "rotationless");
  }
}

/// A spring whose period is a twentieth of the step.
TEST(Comparison, SaysWhereExplicitStepsAreTooLong) {
  ModelDescription stiff = reference::three_link_arm();
  JointSpring spring;
  spring.name = "stiff";
  spring.joint = 2;
  spring.stiffness = {1e6};
  spring.rest = {0.001};
  stiff.joint_springs = {spring};
  const Comparison comparison = compare_methods(Model(stiff), {.step = 0.05, .duration = 0.5});
  EXPECT_TRUE(says(comparison.remarks, "stiff"));
  EXPECT_EQ(row_of(comparison, "rotationless + energy-momentum").energy, EnergyVerdict::rounding);
}

/// Two made-up rows: one near, one true.
TEST(Comparison, TheChoiceDependsOnTheLengthOfTheRun) {
  const Model model(reference::pendulum());
  Comparison comparison;
  ComparisonRow near, conserving;
  near.label = "near";
  near.cost = 1e-4;
  near.energy = EnergyVerdict::drifts;
  near.seconds_per_step = 1e-6;
  conserving.label = "conserving";
  conserving.cost = 1e-2;
  conserving.energy = EnergyVerdict::rounding;
  conserving.seconds_per_step = 2e-6;
  comparison.rows = {near, conserving};
  comparison.settings = {.step = 0.01, .duration = 1, .accuracy = 1e-6};
  recommend(model, comparison);
  EXPECT_EQ(comparison.recommendations.at(0).row, 0u);
  comparison.settings.duration = 1000;
  recommend(model, comparison);
  EXPECT_EQ(comparison.recommendations.at(0).row, 1u);
  // What timing cannot tell apart is decided by what is kept.
  comparison.settings.duration = 1;
  comparison.rows[1].cost = 1.5e-4;
  recommend(model, comparison);
  EXPECT_EQ(comparison.recommendations.at(0).row, 1u);
}

TEST(Comparison, ErrorsDoNotDependOnThreads) {
  const Model model(reference::three_link_arm());
  const ComparisonSettings settings{.step = 0.02, .duration = 1, .accuracy = 1e-6};
  ComparisonSettings several = settings;
  several.threads = 3;
  const Comparison a = compare_methods(model, settings), b = compare_methods(model, several);
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    EXPECT_EQ(a.rows[i].label, b.rows[i].label);
    EXPECT_EQ(a.rows[i].refusal, b.rows[i].refusal);
    EXPECT_EQ(a.rows[i].state, b.rows[i].state);
    EXPECT_EQ(a.rows[i].order.order, b.rows[i].order.order);
    EXPECT_EQ(a.rows[i].ledger.energy_max_residual, b.rows[i].ledger.energy_max_residual);
  }
  std::ostringstream text;
  text << b;
  EXPECT_NE(text.str().find("with 3 runs at a time"), std::string::npos);
}

}  // namespace
}  // namespace torsor
