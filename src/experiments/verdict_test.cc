#include "experiments/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

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

}  // namespace
}  // namespace torsor
