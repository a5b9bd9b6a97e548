#include "experiments/reproduce.h"

#include <gtest/gtest.h>

#include "experiments/curves.h"
#include "experiments/sweep.h"
#include "experiments/tables.h"
#include "testing/models.h"

namespace torsor {
namespace {

/// The pendulum, or a complaint.
Model load(const ExperimentModel& model) {
  if (model.name != "pendulum") throw ModelError("MODEL", "a pendulum", model.name);
  return Model(reference::pendulum());
}

Experiment swings(const char* name, const char* model, const Bound& bound) {
  return {name,
          "tests",
          "Fig. 1",
          "The midpoint rule has order 2.",
          sweep({"midpoint", {model}, {"joint", "implicit-midpoint", {}, 0}, 0, 1, 1}, {0.01, 0.005, 0.0025}),
          {{"order", "", number("2", 2), energy_order(0, 1), bound}},
          {energy_error_plot("Energy", {0, 1})}};
}

TEST(Reproduce, OneFaultDoesNotStopTheOthers) {
  std::vector<Experiment> experiments{swings("right", "pendulum", between(1.9, 2.1)),
                                      swings("refused", "no such model", between(1.9, 2.1)),
                                      swings("wrong", "pendulum", at_least(3))};
  experiments.push_back(experiments[0]);
  experiments.back().name = "timed";
  experiments.back().timed = true;
  for (const int threads : {1, 3}) {
    std::vector<std::string> finished_names;
    ReproductionOptions options;
    options.threads = threads;
    options.on_result = [&](const ExperimentResult& result, int done, int all) {
      finished_names.push_back(result.name);
      EXPECT_EQ(done, static_cast<int>(finished_names.size()));
      EXPECT_EQ(all, 4);
    };
    const Reproduction result = reproduce(experiments, load, options);
    ASSERT_EQ(result.experiments.size(), 4u);
    EXPECT_EQ(finished_names.back(), "timed");
    EXPECT_EQ(result.experiments[0].name, "right");
    EXPECT_FALSE(result.experiments[0].fell_short());
    EXPECT_NEAR(result.experiments[0].rows[0].value, 2, 0.01);  // measured 1.992
    EXPECT_TRUE(result.experiments[1].fell_short());
    EXPECT_TRUE(result.experiments[2].fell_short());
    EXPECT_FALSE(result.experiments[3].fell_short());
    EXPECT_EQ(result.count(Match::number), 2);
    EXPECT_EQ(result.count(Match::fell_short), 2);
    EXPECT_TRUE(result.fell_short());
  }
}

TEST(Reproduce, NothingStartsOnceStopped) {
  ReproductionOptions options;
  options.stopped = [] { return true; };
  const Reproduction result = reproduce({swings("right", "pendulum", between(1.9, 2.1))}, load, options);
  EXPECT_TRUE(result.fell_short());
}

TEST(Reproduce, FaultsOfCallbacksReachTheCaller) {
  const std::vector<Experiment> experiments(8, swings("right", "pendulum", between(1.9, 2.1)));
  for (const int threads : {1, 4}) {
    ReproductionOptions options;
    options.threads = threads;
    int told = 0;
    options.on_result = [&](const ExperimentResult&, int, int) {
      if (++told == 2) throw std::runtime_error("no more paper");
    };
    EXPECT_THROW(reproduce(experiments, load, options), std::runtime_error);
    EXPECT_LE(told, 1 + threads);
    options.on_result = {};
    options.stopped = []() -> bool { throw std::runtime_error("no clock"); };
    EXPECT_THROW(reproduce(experiments, load, options), std::runtime_error);
  }
}

TEST(Reproduce, RunsOfASweepShareALine) {
  const Reproduction result = reproduce({swings("right", "pendulum", between(1.9, 2.1))}, load);
  ASSERT_EQ(result.experiments[0].runs.size(), 1u);
  EXPECT_EQ(result.experiments[0].runs[0],
            "pendulum: joint, implicit-midpoint, step 0.01 .. 0.0025 s (3), 1 s");
  EXPECT_EQ(result.experiments[0].models, std::vector<std::string>{"pendulum"});
  ASSERT_EQ(result.experiments[0].plots.size(), 1u);
  EXPECT_EQ(result.experiments[0].plots[0].curves.size(), 2u);
  EXPECT_EQ(result.experiments[0].plots[0].curves[0].x.size(), 101u);
}

TEST(Tables, ShowEveryRow) {
  const Reproduction result = reproduce({swings("wrong", "pendulum", at_least(3))}, load);
  const std::string text = text_of(result.experiments[0]);
  EXPECT_NE(text.find("order  2      1.99  fell short, wanted at least 3"), std::string::npos) << text;
  EXPECT_NE(summary_of(result).find("1 experiment; matches the published number: 0, "), std::string::npos);
  EXPECT_NE(summary_of(result).find(", explained: 0, fell short: 1; without a verdict: 0"),
            std::string::npos);
}

TEST(Curves, ThinnedKeepTheirEndsAndExtremes) {
  Curve curve{"c", {}, {}};
  for (int i = 0; i < 10000; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(i == 4321 ? 7 : i == 5432 ? -7 : i % 2);
  }
  const Curve few = thinned(curve, 100);
  EXPECT_LE(few.x.size(), 100u);
  EXPECT_EQ(few.x.front(), 0);
  EXPECT_EQ(few.x.back(), 9999);
  EXPECT_TRUE(std::is_sorted(few.x.begin(), few.x.end()));
  EXPECT_EQ(*std::max_element(few.y.begin(), few.y.end()), 7);
  EXPECT_EQ(*std::min_element(few.y.begin(), few.y.end()), -7);
  EXPECT_EQ(thinned(few, 100).x, few.x);
}

}  // namespace
}  // namespace torsor
