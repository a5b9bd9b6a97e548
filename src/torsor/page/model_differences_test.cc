// What tells models apart.

#include "torsor/page/model_differences.h"

#include <gtest/gtest.h>

#include "torsor/format/model_reader.h"
#include "torsor/page/load_columns.h"

namespace torsor {
namespace {

constexpr const char* kArm = R"(torsor: 1
dimension: 2
bodies: {arm: {mass: 1, com: [0.5, 0], inertia: 0.1}}
joints: {hip: {type: revolute, parent: world, child: arm}}
simulation: {step: 0.01}
)";

TEST(ModelDifferences, OverridesAreFoundWhereTheyAct) {
  const auto found = model_differences({kArm, std::string(kArm) + "# --set bodies.arm.mass=2\n"}, {"", ""});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].key, "bodies.arm.mass");
  EXPECT_EQ(found[0].values, (std::vector<std::optional<std::string>>{"1", "2"}));
}

TEST(ModelDifferences, SectionThatOneLacksIsOneDifference) {
  const std::string loaded =
      std::string(kArm) + "loads: {push: {body: arm, moment: 1}, pull: {body: arm, moment: 2}}\n";
  const auto found = model_differences({kArm, loaded, kArm}, {"", "", ""});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].key, "loads");
  EXPECT_FALSE(found[0].values[0]);
  EXPECT_TRUE(found[0].values[1]);
}

TEST(ModelDifferences, SettingsSayWhatWasRun) {
  const auto found = model_differences(
      {kArm, kArm}, {R"({"step": 0.01, "integrator": "rkmk4"})", R"({"step": 0.02, "integrator": "rkmk4"})"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].key, "run.step");
  EXPECT_EQ(*found[0].values[1], "0.02");
}

TEST(ModelDifferences, SettingsAreComparedKeyByKey) {
  const auto found =
      model_differences({kArm, kArm}, {R"({"options": {"order": 2}, "spans": [{"end": 1}, {"end": 2}]})",
                                       R"({"options": {"order": 4}, "spans": [{"end": 1}]})"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].key, "run.options.order");
  EXPECT_EQ(found[1].key, "run.spans.1.end");
  EXPECT_FALSE(found[1].values[1]);
}

/// Each entry was sought among all before it.
TEST(ModelDifferences, LongListsOfSettingsAreOneValue) {
  std::string list = "1";
  for (int i = 0; i < 1'000'000; ++i) list += ",1";
  const auto found = model_differences({kArm, kArm}, {R"({"spans": [)" + list + "]}", R"({"spans": []})"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].key, "run.spans");
  EXPECT_LT(found[0].values[0]->size(), 200u);
}

/// So many entries of the same value.
std::string entries(int count, int value) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += (i ? ", \"e" : "\"e") + std::to_string(i) + "\": " + std::to_string(value);
  }
  return text;
}

/// Each of them had the long key in its path, twice: 1.2 MB took 40 GB.
TEST(ModelDifferences, EntriesBelowALongKeyAreOneValue) {
  const std::string key(100'000, 'k');
  const auto settings = [&](int value) { return "{\"" + key + "\": {" + entries(1000, value) + "}}"; };
  const auto found = model_differences({kArm, kArm}, {settings(1), settings(2)});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].key, "run." + key);
  EXPECT_LT(found[0].values[0]->size(), 200u);
}

TEST(ModelDifferences, EntriesBelowManyLongKeysOfModelsAreOneValue) {
  const auto model = [](int value) {
    std::string text = "deep: ", end;
    for (int i = 0; i < 40; ++i) {
      text += "{" + std::string(900, 'k') + ": ";
      end += "}";
    }
    return text + "{" + entries(1000, value) + "}" + end + "\n";
  };
  const auto found = model_differences({model(1), model(2)}, {"", ""});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].key.size(), 4u + 40 * 901);
  EXPECT_LT(found[0].values[0]->size(), 200u);
}

/// Each key was sought among all before it.
TEST(ModelDifferences, ManyKeysOfModelsAreComparedOneByOne) {
  const auto model = [](int count, int value) { return "many: {" + entries(count, value) + "}\n"; };
  EXPECT_TRUE(model_differences({model(50'000, 1), model(50'000, 1)}, {"", ""}).empty());
  const auto found = model_differences({model(2, 1), model(3, 1), model(1, 2)}, {"", "", ""});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].key, "many.e0");
  EXPECT_EQ(found[0].values, (std::vector<std::optional<std::string>>{"1", "1", "2"}));
  EXPECT_EQ(found[1].key, "many.e1");
  EXPECT_EQ(found[2].key, "many.e2");
  EXPECT_EQ(found[2].values, (std::vector<std::optional<std::string>>{std::nullopt, "1", std::nullopt}));
}

TEST(ModelDifferences, TextsThatAreNoModelsHaveNoKeys) {
  EXPECT_TRUE(model_differences({"", ": ["}, {"", "no JSON"}).empty());
  EXPECT_TRUE(model_differences({kArm}, {""}).empty());
}

TEST(RecordedSource, GivesBackTextAndOverrides) {
  const ModelSource source = recorded_source(std::string(kArm) + "# --set a.b=1 = 2\n# --set c=[3]\n");
  EXPECT_EQ(source.text, kArm);
  ASSERT_EQ(source.overrides.size(), 2u);
  EXPECT_EQ(source.overrides[0], (std::pair<std::string, std::string>{"a.b", "1 = 2"}));
  EXPECT_EQ(source.overrides[1].second, "[3]");
  EXPECT_EQ(recorded_source("").text, "");
  const ModelSource with_law =
      recorded_source(std::string(kArm) + "# --set c=[3]\n# law oil: functions of Python\n");
  EXPECT_EQ(with_law.text, kArm);
  EXPECT_EQ(with_law.overrides.size(), 1u);
}

TEST(LoadColumns, ProgramsAtTheTimesOfTheRecord) {
  const std::string text = std::string(kArm) +
                           "points: {tip: {body: arm, at: [1, 0]}}\n"
                           "loads: {push: {point: tip, force: [{expression: \"2*t\"}, 3]}}\n";
  const auto columns = load_columns(text, {0, 0.5});
  ASSERT_EQ(columns.size(), 1u);
  EXPECT_EQ(columns[0].dataset, "loads/push/force");
  EXPECT_EQ(columns[0].values, (std::vector<double>{0, 3, 0, 1, 3, 0}));
  EXPECT_TRUE(load_columns("", {0}).empty());
}

}  // namespace
}  // namespace torsor
