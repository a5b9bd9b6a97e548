// Every element alone: the order of the state by four methods, and over many steps a balance without a trend.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "testing/element_cases.h"
#include "testing/runs.h"

namespace torsor {
namespace {

using testing::ElementCase;

std::vector<StepperChoice> methods() {
  return {{"rotationless", "energy-momentum", {}, 0},
          {"rotationless", "generalized-alpha", {}, 0},
          {"joint", "rkmk4", {}, 0},
          {"joint", "gauss-legendre", {}, 0},
          {"rotationless", "petrov-galerkin", {{"m", 1.0}}, 0}};
}

/// Refused by name: docs/envelope.md.
bool is_refused(const ElementCase& c, const std::string& integrator) {
  const auto is = [&](const char* kind) { return c.name.starts_with(kind); };
  if (is("series_muscle")) return integrator != "energy-momentum" && integrator != "rkmk4";
  return is("armature") && integrator == "petrov-galerkin";
}

class SmoothElement : public ::testing::TestWithParam<ElementCase> {};

TEST_P(SmoothElement, KeepsTheOrderOfTheState) {
  constexpr double duration = 0.64;
  const Model model(GetParam().model);
  const Record exact = testing::run(model, {"joint", "dopri5", {}, 1e-13}, duration, duration);
  // Activation moves in substeps, which become shorter with steps below 2.5 ms alone; at points gradients are steep.
  const std::string& name = GetParam().name;
  const double coarsest = name.find("muscle") != std::string::npos ? 0.0025
                          : name.starts_with("point_law")          ? 0.005
                                                                   : 0.01;
  for (const StepperChoice& choice : methods()) {
    if (is_refused(GetParam(), choice.integrator)) continue;
    SCOPED_TRACE(choice.integrator);
    std::vector<double> steps, errors, floors;
    for (int k = 0; k < 5; ++k) {
      steps.push_back(coarsest / (1 << k));
      const Record record = testing::run(model, choice, steps.back(), duration);
      ASSERT_FALSE(record.failure.has_value()) << record.failure->what();
      errors.push_back(testing::distance(record.observations.back(), exact.observations.back()));
      floors.push_back(1e-12);  // of the reference
    }
    const OrderFit fit = fit_order(steps, errors, floors);
    ASSERT_TRUE(fit.order.has_value());
    EXPECT_GE(fit.points, 3);
    EXPECT_NEAR(*fit.order, order_of(choice.integrator, choice.options), 0.1);  // measured within 0.07
    RecordProperty(choice.integrator, fmt::format("{:.2f}", *fit.order));
  }
}

const auto kName = [](const auto& one) { return one.param.name; };
INSTANTIATE_TEST_SUITE_P(Each, SmoothElement, ::testing::ValuesIn(testing::smooth_element_cases()), kName);

/// The residual of the balance at a thousand times.
class Residuals : public RunListener {
 public:
  void on_record(const Observation& o, double residual) override {
    times_.push_back(o.time);
    residuals_.push_back(residual);
  }
  /// What the fitted line rises by.
  double rise() const { return fit_line(times_, residuals_).slope * (times_.back() - times_.front()); }
  /// The same over how far the changes come as a random walk: of a walk itself the mean square of this is 6/5.
  double trend() const {
    double squares = 0;
    for (std::size_t i = 1; i < residuals_.size(); ++i)
      squares += (residuals_[i] - residuals_[i - 1]) * (residuals_[i] - residuals_[i - 1]);
    return squares > 0 ? std::abs(rise()) / std::sqrt(squares) : 0;
  }

 private:
  std::vector<double> times_, residuals_;
};

class EachElement : public ::testing::TestWithParam<ElementCase> {};

/// TORSOR_BALANCE_STEPS makes longer runs: verification/element_balance.py prints a table of them.
TEST_P(EachElement, BalancesWithoutATrend) {
  const char* asked = std::getenv("TORSOR_BALANCE_STEPS");
  const long steps = asked ? std::atol(asked) : 2000;
  for (const double step : {0.001, 0.01, 0.05}) {
    const auto stepper = make_stepper(Model(GetParam().model), {"rotationless", "energy-momentum", {}, 0});
    Residuals residuals;
    const Record record = simulate(*stepper,
                                   {.step = step,
                                    .duration = step * static_cast<double>(steps),
                                    .record_every = static_cast<int>(steps / 1000)},
                                   {&residuals}, false);
    ASSERT_FALSE(record.failure.has_value()) << record.failure->what();
    const double residual = record.ledger.energy_max_residual / record.ledger.energy_scale;
    EXPECT_LE(residual, 1e-11);       // measured 1e-13
    EXPECT_LE(residuals.trend(), 5);  // measured 1.8
    RecordProperty(fmt::format("h_{:g}_ms", 1000 * step),
                   fmt::format("{:.0e}, {:+.0e}", residual, residuals.rise() / record.ledger.energy_scale));
  }
}

INSTANTIATE_TEST_SUITE_P(Each, EachElement, ::testing::ValuesIn(testing::element_cases()), kName);

}  // namespace
}  // namespace torsor
