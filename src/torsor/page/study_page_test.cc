#include "torsor/page/study_page.h"

#include <gtest/gtest.h>

#include "testing/models.h"

namespace torsor {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(StudyPage, ConvergenceShowsACurveAndItsOrder) {
  const Model model(reference::pendulum());
  ConvergenceSettings settings;
  settings.steps = {0.04, 0.02, 0.01};
  settings.duration = 0.4;
  settings.methods = {{"joint", "rkmk4", {}, 0}, {"rotationless", "energy-momentum", {}, 0}};
  const std::string page = study_page(convergence_study(model, settings));
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_TRUE(contains(page, "<svg"));
  EXPECT_TRUE(contains(page, "joint + rkmk4"));
  EXPECT_TRUE(contains(page, "<td>2.00</td>"));  // energy-momentum's
  EXPECT_TRUE(contains(page, ">order 2</text>"));
  EXPECT_TRUE(contains(page, ">order 4</text>"));
  EXPECT_TRUE(contains(page, "Its own error"));
  EXPECT_FALSE(contains(page, "nan"));
  EXPECT_FALSE(contains(page, "<script"));
}

TEST(StudyPage, ComparisonGivesItsAdviceAndNamesWhatCannotRun) {
  ModelDescription description = reference::pendulum();
  description.name = "<rod>";
  const Comparison comparison = compare_methods(Model(description), {0.02, 0.4, 1e-6});
  const std::string page = study_page(comparison);
  EXPECT_TRUE(contains(page, "&lt;rod&gt;"));
  ASSERT_FALSE(comparison.recommendations.empty());
  EXPECT_TRUE(contains(page, "For " + comparison.recommendations[0].purpose));
  EXPECT_TRUE(contains(page, "rotationless + energy-momentum"));
  EXPECT_FALSE(contains(page, "nan"));
}

}  // namespace
}  // namespace torsor
