// Elements one by one: exact balances with energy-momentum at any step. Orders: verification/element_order_test.cc.

#include <gtest/gtest.h>

#include <cmath>

#include "testing/element_cases.h"
#include "testing/runs.h"

namespace torsor {
namespace {

using testing::element_cases;
using testing::ElementCase;
using testing::run;
using testing::two_bodies;

class Elements : public ::testing::TestWithParam<ElementCase> {};

TEST_P(Elements, BalanceExactlyAtAnyStep) {
  for (const double step : {0.001, 0.01, 0.05}) {
    const Record record = run(GetParam().model, "energy-momentum", step, 400 * step, 0, 1);
    ASSERT_FALSE(record.failure.has_value()) << record.failure->what();
    EXPECT_LE(record.ledger.energy_max_residual, 3e-13 * record.ledger.energy_scale);  // measured 1.2e-13
    for (std::size_t i = 1; i < record.observations.size(); ++i) {
      const Observation &a = record.observations[i - 1], &b = record.observations[i];
      for (std::size_t k = 0; k < a.dissipated.size(); ++k) EXPECT_GE(b.dissipated[k], a.dissipated[k]);
    }
    EXPECT_LE(record.ledger.linear_max_error.value_or(0), 1e-13);   // measured 4e-15
    EXPECT_LE(record.ledger.angular_max_error.value_or(0), 1e-13);  // measured 6e-15
  }
}

const auto kName = [](const auto& one) { return one.param.name; };
INSTANTIATE_TEST_SUITE_P(Each, Elements, ::testing::ValuesIn(element_cases()), kName);

/// m v' = m g - c2 v^2 from rest: v = v_t tanh(g t / v_t), v_t = sqrt(m g / c2).
TEST(Drag, ReachesTheTerminalSpeed) {
  constexpr double mass = 1.5, gravity = 9.81, c2 = 0.3, duration = 2;
  const double terminal = std::sqrt(mass * gravity / c2);
  for (const bool at_point : {false, true}) {
    ModelDescription d = two_bodies(3);
    d.bodies.resize(1);
    d.initial.bodies.clear();
    d.gravity = {0, 0, -gravity};
    d.drag = {{"air", 0, 0, 0, c2, {}}};
    if (at_point) d.drag[0].point = Point{"", 0, d.bodies[0].com};
    for (const auto& [name, step, bound] :
         {std::tuple("dopri5", 0.1, 2e-9), {"rkmk4", 0.01, 3e-9}, {"energy-momentum", 1e-3, 5e-7}}) {
      SCOPED_TRACE(name);
      const Record record = run(d, name, step, duration);
      EXPECT_NEAR(-record.observations.back().bodies[0].velocity.z,
                  terminal * std::tanh(gravity * duration / terminal), bound);  // measured a third of it
    }
  }
}

}  // namespace
}  // namespace torsor
