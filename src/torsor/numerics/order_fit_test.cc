#include "torsor/numerics/order_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace torsor {
namespace {

std::vector<double> halved(double first, int count) {
  std::vector<double> steps;
  for (int i = 0; i < count; ++i) steps.push_back(std::ldexp(first, -i));
  return steps;
}

TEST(OrderFit, LineThroughPoints) {
  const std::vector<double> x{1, 2, 4}, y{3, 5, 9};
  const LineFit line = fit_line(x, y);
  EXPECT_NEAR(line.slope, 2, 1e-15);
  EXPECT_NEAR(line.intercept, 1, 1e-15);
  EXPECT_NEAR(line.deviation, 0, 1e-15);
  EXPECT_EQ(fit_line(std::vector{2.0, 2.0}, std::vector{1.0, 3.0}).slope, 0);
  EXPECT_EQ(fit_line({}, {}).slope, 0);
}

/// error = 3 h^p (1 + coarse part), until the floor takes over: every part but the straight one is dropped.
TEST(OrderFit, FindsThePowerBetweenCoarseStepsAndTheFloor) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> scatter(0.3, 1);
  for (const int p : {1, 2, 4, 6, 8}) {
    const std::vector<double> steps = halved(0.4, 12);
    std::vector<double> errors, floors(steps.size(), 1e-15);
    for (const double h : steps) {
      const double coarse = h > 0.15 ? 40 * scatter(random) : 0;
      errors.push_back(3 * std::pow(h, p) * (1 + h * h + coarse) + 1e-13 * scatter(random));
    }
    const OrderFit fit = fit_order(steps, errors, floors);
    ASSERT_TRUE(fit.order.has_value()) << p;
    EXPECT_NEAR(*fit.order, p, 0.1) << p;  // measured 0.09 for 8, 0.02 for the others
    EXPECT_NEAR(fit.error_at(0.05), 3 * std::pow(0.05, p), 0.1 * 3 * std::pow(0.05, p)) << p;
    EXPECT_FALSE(fit.at_floor);
  }
}

TEST(OrderFit, RoundOffHasNoOrder) {
  const std::vector<double> steps = halved(0.1, 5), floors(5, 1e-13);
  const OrderFit floor = fit_order(steps, std::vector{3e-15, 5e-15, 4e-15, 9e-15, 2e-14}, floors);
  EXPECT_FALSE(floor.order.has_value());
  EXPECT_TRUE(floor.at_floor);
  const OrderFit stuck = fit_order(steps, std::vector{0.1, 0.11, 0.09, 0.1, 0.1}, floors);
  EXPECT_FALSE(stuck.order.has_value());
  EXPECT_FALSE(stuck.at_floor);
  const OrderFit bent = fit_order(steps, std::vector{0.1, 0.09, 1e-3, 9e-4, 1e-7}, floors);
  EXPECT_FALSE(bent.order.has_value());
}

TEST(OrderFit, TakesWhatThereIs) {
  const std::vector<double> floors(3, 0.0);
  EXPECT_NEAR(*fit_order(std::vector{0.1, 0.2}, std::vector{1.0, 4.0}, floors).order, 2, 1e-14);
  const OrderFit brief = fit_order(std::vector{0.4, 0.2, 0.1}, std::vector{6.4e-11, 1e-12, 3e-12}, floors);
  EXPECT_NEAR(brief.order.value(), 6, 1e-12);
  EXPECT_FALSE(fit_order(std::vector{0.1}, std::vector{1.0}, floors).order.has_value());
  const OrderFit holes = fit_order(std::vector{0.4, 0.2, 0.1}, std::vector<double>{NAN, 4.0, 1.0}, floors);
  EXPECT_NEAR(*holes.order, 2, 1e-14);
  EXPECT_EQ(holes.points, 2);
}

}  // namespace
}  // namespace torsor
