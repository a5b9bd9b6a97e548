#include "torsor/study/sweep_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "torsor/base/error.h"
#include "torsor/numerics/sobol.h"

namespace torsor {
namespace {

using Kind = SweepVariable::Kind;

SweepDescription description(SweepMethod method, std::vector<SweepVariable> variables, long count = 0) {
  SweepDescription d;
  d.variables = std::move(variables);
  d.sampling = {method, count, 7};
  return d;
}

std::vector<double> values(const SweepSamples& samples, long run, std::size_t variables) {
  std::vector<double> values(variables);
  samples.values(run, values);
  return values;
}

TEST(SweepSamples, OfAGridAreAllCombinationsWithTheEndsThemselves) {
  const SweepSamples samples(description(SweepMethod::grid, {{"a", Kind::range, 0.1, 0.7, 4, {}},
                                                             {"b", Kind::log, 1, 100, 3, {}},
                                                             {"c", Kind::list, 0, 0, 0, {"x", "y"}}}));
  ASSERT_EQ(samples.count(), 24);
  std::set<std::vector<double>> met;
  for (long run = 0; run < 24; ++run) met.insert(values(samples, run, 3));
  EXPECT_EQ(met.size(), 24u);
  EXPECT_EQ(values(samples, 0, 3), (std::vector<double>{0.1, 1, 0}));
  EXPECT_EQ(values(samples, 23, 3), (std::vector<double>{0.7, 100, 1}));
  EXPECT_NEAR(values(samples, 2, 3)[1], 10, 1e-14);
}

TEST(SweepSamples, OfALatinHypercubeHaveOneInEachCellOfEachVariable) {
  for (const long count : {1, 2, 7, 64, 1000}) {
    const SweepSamples samples(
        description(SweepMethod::latin_hypercube,
                    {{"a", Kind::uniform, 0, 1, 0, {}}, {"b", Kind::uniform, 0, 1, 0, {}}}, count));
    std::set<long> first, second;
    for (long run = 0; run < count; ++run) {
      const std::vector<double> v = values(samples, run, 2);
      first.insert(static_cast<long>(v[0] * static_cast<double>(count)));
      second.insert(static_cast<long>(v[1] * static_cast<double>(count)));
    }
    EXPECT_EQ(first.size(), static_cast<std::size_t>(count));
    EXPECT_EQ(second.size(), static_cast<std::size_t>(count));
  }
}

/// Mean and variance of uniform and normal variables, by each method.
TEST(SweepSamples, HaveTheMomentsOfTheirDistributions) {
  for (const SweepMethod method : {SweepMethod::sobol, SweepMethod::latin_hypercube, SweepMethod::random}) {
    const long n = 4096;
    const SweepSamples samples(
        description(method, {{"a", Kind::uniform, -1, 3, 0, {}}, {"b", Kind::normal, 5, 2, 0, {}}}, n));
    double sum[2] = {}, square[2] = {}, product = 0;
    for (long run = 0; run < n; ++run) {
      const std::vector<double> v = values(samples, run, 2);
      EXPECT_TRUE(v[0] > -1 && v[0] < 3);
      for (int i = 0; i < 2; ++i) sum[i] += v[i], square[i] += v[i] * v[i];
      product += (v[0] - 1) * (v[1] - 5);
    }
    const double slack =
        method == SweepMethod::random ? 0.12 : 0.03;  // 4 standard errors; measured below half of it
    EXPECT_NEAR(sum[0] / n, 1, slack);
    EXPECT_NEAR(square[0] / n - 1, 16.0 / 12, 2 * slack);
    EXPECT_NEAR(sum[1] / n, 5, slack);
    EXPECT_NEAR(square[1] / n - 25, 4, 10 * slack);
    EXPECT_NEAR(product / n, 0, 2 * slack);
  }
}

TEST(SweepSamples, DependOnTheRunAndTheSeedAlone) {
  SweepDescription d = description(SweepMethod::random, {{"a", Kind::uniform, 0, 1, 0, {}}}, 100);
  const SweepSamples one(d), again(d);
  d.sampling.count = 50;
  const SweepSamples fewer(d);
  d.sampling.seed = 8;
  const SweepSamples other(d);
  EXPECT_EQ(values(one, 40, 1), values(again, 40, 1));
  EXPECT_EQ(values(one, 40, 1), values(fewer, 40, 1));  // a longer sweep begins with the shorter
  EXPECT_NE(values(one, 40, 1), values(other, 40, 1));
}

TEST(SweepSamples, OfLevelsAreEquallyFrequent) {
  const SweepSamples samples(
      description(SweepMethod::sobol, {{"a", Kind::list, 0, 0, 0, {"x", "y", "z", "w"}}}, 1024));
  int met[4] = {};
  for (long run = 0; run < 1024; ++run) ++met[static_cast<int>(values(samples, run, 1)[0])];
  for (const int count : met) EXPECT_EQ(count, 256);
}

TEST(SweepSamples, SayWhatTheyCannotSample) {
  EXPECT_THROW(SweepSamples(description(SweepMethod::grid, {{"a", Kind::uniform, 0, 1, 0, {}}})), ModelError);
  std::vector<SweepVariable> many(kSobolDimensions + 1, {"a", Kind::uniform, 0, 1, 0, {}});
  EXPECT_THROW(SweepSamples(description(SweepMethod::sobol, many, 10)), ModelError);
  EXPECT_THROW(SweepSamples(description(SweepMethod::grid, {{"a", Kind::range, 0, 1, 3, {}}}, 4)),
               ModelError);
  std::vector<SweepVariable> fine(8, {"a", Kind::range, 0, 1, 1000, {}});
  EXPECT_THROW(SweepSamples(description(SweepMethod::grid, fine)), ModelError);
  const SweepSamples samples(description(SweepMethod::random, {}, 3));
  EXPECT_THROW(values(samples, 3, 0), ModelError);
}

}  // namespace
}  // namespace torsor
