#include "experiments/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "experiments/measures.h"

namespace torsor {
namespace {

Check measured(double value, const Bound& bound) {
  return {"error", "J", "about 1", [=](Outcomes) { return value; }, bound};
}

TEST(Verdict, IsWhetherTheNumberLiesWithinTheBound) {
  const auto verdict = [](double value, const Bound& bound) {
    return judge(measured(value, bound), {}).verdict;
  };
  EXPECT_EQ(verdict(1, at_most(1)), Verdict::reproduced);
  EXPECT_EQ(verdict(1.01, at_most(1)), Verdict::fell_short);
  EXPECT_EQ(verdict(2, at_least(2)), Verdict::reproduced);
  EXPECT_EQ(verdict(1.99, at_least(2)), Verdict::fell_short);
  EXPECT_EQ(verdict(2.1, between(1.9, 2.2)), Verdict::reproduced);
  EXPECT_EQ(verdict(1.8, between(1.9, 2.2)), Verdict::fell_short);
  EXPECT_EQ(verdict(std::nan(""), at_most(1)), Verdict::fell_short);
  EXPECT_EQ(verdict(std::nan(""), Bound{}), Verdict::fell_short);
}

TEST(Verdict, ReasonCountsOnlyWithItsEvidence) {
  Check check = measured(3, between(2, 4));
  check.reason = "because";
  check.evidence = [](Outcomes) { return "seen"; };
  const Row row = judge(check, {});
  EXPECT_EQ(row.verdict, Verdict::explained);
  EXPECT_EQ(row.note, "because: seen");
  check.bound = at_most(2);
  EXPECT_EQ(judge(check, {}).verdict, Verdict::fell_short);
}

TEST(Verdict, WhatCannotBeMeasuredFallsShortAndSaysWhy) {
  Check check = measured(0, at_most(1));
  check.measure = [](Outcomes) -> double { throw std::runtime_error("the step failed"); };
  const Row row = judge(check, {});
  EXPECT_EQ(row.verdict, Verdict::fell_short);
  EXPECT_TRUE(std::isnan(row.value));
  EXPECT_NE(row.note.find("the step failed"), std::string::npos);
}

TEST(Verdict, TimesAreRatiosWithoutVerdict) {
  Check check = measured(0.5, {});
  check.published_seconds = 140;
  check.only_shown = true;
  const Row row = judge(check, {});
  EXPECT_EQ(row.verdict, Verdict::none);
  EXPECT_EQ(row.ours, "0.5 s, 280 times as fast");
  EXPECT_EQ(row.wanted, "");
  check.published_seconds = 0.1;
  EXPECT_EQ(judge(check, {}).ours, "0.5 s, 5 times as long");
}

TEST(Verdict, BoundsInWords) {
  EXPECT_EQ(in_words(at_most(1e-12)), "at most 1.0e-12");
  EXPECT_EQ(in_words(at_least(10)), "at least 10");
  EXPECT_EQ(in_words(between(1.85, 2.15)), "1.85 to 2.15");
  EXPECT_EQ(in_words(between(28, 28)), "28");
  EXPECT_EQ(in_words({}), "");
}

/// In the first record, between, in the last: a verdict does not pass over it.
TEST(Verdict, FallsShortOnARecordThatIsNotANumber) {
  const Observable energy = [](const Observation& o) { return o.total(); };
  for (std::size_t poisoned = 0; poisoned < 4; ++poisoned) {
    std::vector<RunOutcome> runs(2);
    for (RunOutcome& outcome : runs) {
      for (int k = 0; k < 4; ++k) {
        Observation& o = outcome.record.observations.emplace_back();
        o.time = k;
        o.bodies.resize(1);
      }
    }
    Observation& o = runs[0].record.observations[poisoned];
    o.kinetic = o.bodies[0].rotation.x = std::nan("");
    for (const Measure& measure :
         {energy_change_after(0, 0), energy_trend(0), largest(0, energy), least(0, energy),
          largest_difference(0, 1, energy), attitude_norm_error(0)}) {
      const Check check{"error", "", "", measure, between(-1, 1)};
      EXPECT_EQ(judge(check, runs).verdict, Verdict::fell_short) << poisoned;
    }
  }
}

}  // namespace
}  // namespace torsor
