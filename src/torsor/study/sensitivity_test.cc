#include "torsor/study/sensitivity.h"

#include <gtest/gtest.h>

#include <cmath>

#include "torsor/study/sweep_samples.h"

namespace torsor {
namespace {

using Columns = std::vector<std::vector<double>>;

Columns samples(int variables, long count, double least, double most) {
  SweepDescription d;
  d.variables.assign(variables, {"x", SweepVariable::Kind::uniform, least, most, 0, {}});
  d.sampling = {SweepMethod::sobol, count, 3};
  const SweepSamples samples(d);
  Columns columns(variables);
  std::vector<double> values(variables);
  for (long run = 0; run < count; ++run) {
    samples.values(run, values);
    for (int i = 0; i < variables; ++i) columns[i].push_back(values[i]);
  }
  return columns;
}

/// y = sum a_i x_i: the shares are a_i^2.
TEST(Sensitivity, OfASumIsTheShareOfEachTerm) {
  const Columns x = samples(3, 8192, 0, 1);
  std::vector<double> y;
  for (std::size_t i = 0; i < x[0].size(); ++i) y.push_back(3 * x[0][i] + 2 * x[1][i] + x[2][i]);
  EXPECT_NEAR(first_order_index(x[0], y), 9.0 / 14, 0.01);  // measured within 0.003
  EXPECT_NEAR(first_order_index(x[1], y), 4.0 / 14, 0.01);
  EXPECT_NEAR(first_order_index(x[2], y), 1.0 / 14, 0.01);
}

/// Ishigami's function sin x1 + a sin^2 x2 + b x3^4 sin x1, whose indices are known; x3 acts only together with x1.
TEST(Sensitivity, OfIshigamisFunction) {
  const double a = 7, b = 0.1, pi = M_PI;
  const Columns x = samples(3, 16384, -pi, pi);
  std::vector<double> y;
  for (std::size_t i = 0; i < x[0].size(); ++i) {
    const double s1 = std::sin(x[0][i]), s2 = std::sin(x[1][i]);
    y.push_back(s1 + a * s2 * s2 + b * std::pow(x[2][i], 4) * s1);
  }
  const double v1 = 0.5 * std::pow(1 + b * std::pow(pi, 4) / 5, 2), v2 = a * a / 8,
               v = v1 + v2 + b * b * std::pow(pi, 8) * (1.0 / 18 - 1.0 / 50);
  EXPECT_NEAR(first_order_index(x[0], y), v1 / v, 0.01);
  EXPECT_NEAR(first_order_index(x[1], y), v2 / v, 0.01);
  EXPECT_NEAR(first_order_index(x[2], y), 0, 0.01);
}

TEST(Sensitivity, OfNoiseAndOfConstantsIsNone) {
  const Columns x = samples(2, 4096, 0, 1);
  EXPECT_LT(first_order_index(x[0], x[1]), 0.01);
  EXPECT_EQ(first_order_index(x[0], std::vector<double>(4096, 3.0)), 0);
  EXPECT_EQ(first_order_index(std::vector<double>{1, 2}, std::vector<double>{1, 2}), 0);
}

TEST(Sensitivity, OfLevelsTakesThemAsClasses) {
  std::vector<double> x, y;
  for (int i = 0; i < 300; ++i) x.push_back(i % 3), y.push_back(i % 3 == 1 ? 5 : -2);
  EXPECT_NEAR(first_order_index(x, y), 1, 1e-12);
}

}  // namespace
}  // namespace torsor
