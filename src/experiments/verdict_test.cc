#include "experiments/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "experiments/measures.h"

namespace torsor {
namespace {

Check measured(double value, const Bound& bound) {
  return {"error", "J", words("small"), [=](Outcomes) { return value; }, bound};
}

TEST(Verdict, IsWhetherTheNumberLiesWithinTheBound) {
  const auto verdict = [](double value, const Bound& bound) {
    return judge(measured(value, bound), {}).verdict;
  };
  EXPECT_EQ(verdict(1, at_most(1)), Match::behaviour);
  EXPECT_EQ(verdict(1.01, at_most(1)), Match::fell_short);
  EXPECT_EQ(verdict(2, at_least(2)), Match::behaviour);
  EXPECT_EQ(verdict(1.99, at_least(2)), Match::fell_short);
  EXPECT_EQ(verdict(2.1, between(1.9, 2.2)), Match::behaviour);
  EXPECT_EQ(verdict(1.8, between(1.9, 2.2)), Match::fell_short);
  EXPECT_EQ(verdict(std::nan(""), at_most(1)), Match::fell_short);
  EXPECT_EQ(verdict(std::nan(""), Bound{}), Match::fell_short);
}

/// A number within the bound but not near the published one is said so, and is no match.
TEST(Verdict, IsAMatchOnlyNearThePublishedNumber) {
  const auto row = [](double ours) {
    Check check = measured(ours, at_most(1e-12));
    check.paper = number("about 1e-14", 1e-14);
    return judge(check, {});
  };
  EXPECT_EQ(row(2.9e-14).verdict, Match::number);
  EXPECT_EQ(row(2.9e-14).note, "");
  EXPECT_EQ(row(6.4e-14).verdict, Match::behaviour);
  EXPECT_EQ(row(6.4e-14).note, "ours is larger than the published number by a factor of 6.4");
  EXPECT_EQ(row(2e-16).verdict, Match::behaviour);
  EXPECT_EQ(row(2e-16).note, "ours is smaller than the published number by a factor of 50");
  EXPECT_EQ(row(0).note, "ours is 0 where 1.0e-14 is published");
  EXPECT_EQ(row(2e-12).verdict, Match::fell_short);
}

TEST(Verdict, IsOfTheKindThatThePublicationGives) {
  Check check = measured(0.5, at_most(1));
  EXPECT_EQ(judge(check, {}).verdict, Match::behaviour);
  check.paper = nothing("picture");
  EXPECT_EQ(judge(check, {}).verdict, Match::itself);
  check.paper.given = Given::curve;
  EXPECT_EQ(judge(check, {}).verdict, Match::curve);
}

TEST(Verdict, ReasonCountsOnlyWithItsEvidence) {
  Check check = measured(3, between(2, 4));
  check.reason = "because";
  check.evidence = [](Outcomes) { return "seen"; };
  const Row row = judge(check, {});
  EXPECT_EQ(row.verdict, Match::explained);
  EXPECT_EQ(row.note, "because: seen");
  check.bound = at_most(2);
  EXPECT_EQ(judge(check, {}).verdict, Match::fell_short);
}

TEST(Verdict, WhatCannotBeMeasuredFallsShortAndSaysWhy) {
  Check check = measured(0, at_most(1));
  check.measure = [](Outcomes) -> double { throw std::runtime_error("the step failed"); };
  const Row row = judge(check, {});
  EXPECT_EQ(row.verdict, Match::fell_short);
  EXPECT_TRUE(std::isnan(row.value));
  EXPECT_NE(row.note.find("the step failed"), std::string::npos);
}

TEST(Verdict, TimesAreRatiosWithoutVerdict) {
  Check check = measured(0.5, {});
  check.published_seconds = 140;
  check.only_shown = true;
  const Row row = judge(check, {});
  EXPECT_EQ(row.verdict, Match::none);
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
      const Check check{"error", "", words("-"), measure, between(-1, 1)};
      EXPECT_EQ(judge(check, runs).verdict, Match::fell_short) << poisoned;
    }
  }
}

}  // namespace
}  // namespace torsor
