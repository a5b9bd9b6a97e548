// The elastic arms of Götz and of Kotyczka, Götz and Herrmann by Petrov-Galerkin methods: what is conserved
// at each m, and the orders.

#include <gtest/gtest.h>

#include <cmath>

#include "testing/linkages.h"
#include "testing/models.h"
#include "testing/runs.h"
#include "torsor/base/norm.h"
#include "torsor/format/model_reader.h"
#include "torsor/format/model_templates.h"

namespace torsor {
namespace {

using namespace testing;
using Springs = ArmTemplate::Springs;

Model arm(int links, Springs springs) { return parse_model(arm_text({links, springs}), "arm"); }

StepperChoice galerkin(int m, int potential_points = 0) {
  return {"rotationless",
          "petrov-galerkin",
          {{"m", static_cast<double>(m)}, {"potential_quadrature", static_cast<double>(potential_points)}},
          0};
}

const StepperChoice kDiscreteGradient{
    "rotationless", "petrov-galerkin", {{"potential", std::string("discrete-gradient")}}, 0};

/// Largest distance between centres of mass [m].
double apart(const Observation& a, const Observation& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    largest = larger(largest, norm(a.bodies[i].com - b.bodies[i].com));
  }
  return largest;
}

TEST(ThreeLinkArm, EnergyErrorsAreThoseOfThePaperOrLess) {
  const auto energy_error = [](Springs springs, const StepperChoice& choice) {
    const Record record = run(arm(3, springs), choice, 0.01, 50);
    EXPECT_FALSE(record.failure.has_value());
    EXPECT_LE(*record.ledger.position_max, 1e-13);  // measured 9e-16
    return record.ledger.energy_max_error;
  };
  EXPECT_LE(energy_error(Springs::none, galerkin(0, 1)), 1e-12);  // measured 2e-14
  const double midpoint = energy_error(Springs::mono, galerkin(0, 1));
  EXPECT_LE(midpoint, 3e-5);  // measured 1.6e-5
  EXPECT_GE(midpoint, 3e-6);
  EXPECT_LE(energy_error(Springs::mono, galerkin(0, 3)), 1e-11);      // measured 6e-14
  EXPECT_LE(energy_error(Springs::mono, kDiscreteGradient), 1e-12);   // measured 3e-14
  EXPECT_LE(energy_error(Springs::multi, kDiscreteGradient), 1e-12);  // measured 6e-14
}

class Order : public ::testing::TestWithParam<int> {};

TEST_P(Order, HigherOrdersKeepEnergyAndConstraints) {
  for (Springs springs : {Springs::none, Springs::mono, Springs::multi}) {
    const Record record = run(arm(3, springs), galerkin(GetParam()), 0.01, 5);
    EXPECT_FALSE(record.failure.has_value());
    EXPECT_LE(record.ledger.energy_max_error, 1e-12);  // measured 1e-14
    EXPECT_LE(*record.ledger.position_max, 1e-13);     // measured 9e-16
  }
}

/// Largest distance between velocities of centres of mass [m/s].
double apart_in_velocity(const Observation& a, const Observation& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    largest = larger(largest, norm(a.bodies[i].velocity - b.bodies[i].velocity));
  }
  return largest;
}

/// Recorded velocities are projected; those of the scheme violate G v = 0 with an order of their own.
TEST_P(Order, PositionsConvergeWithTwiceTheStages) {
  const int m = GetParam();
  const Model model = arm(3, Springs::mono);
  constexpr double kDuration = 3;
  const Record exact = run(model, {"joint", "dopri5", {}, 1e-14}, kDuration, kDuration);
  std::vector<double> steps, positions, velocities, violations;
  for (int k = 0; k < 3; ++k) {
    steps.push_back(std::vector{0.02, 0.1, 0.25, 0.5}[m] / (1 << k));
    const Record record = run(model, galerkin(m), steps.back(), kDuration);
    positions.push_back(apart(record.observations.back(), exact.observations.back()));
    velocities.push_back(apart_in_velocity(record.observations.back(), exact.observations.back()));
    violations.push_back(*record.ledger.velocity_max);
  }
  EXPECT_NEAR(fitted_order(steps, positions), 2 * (m + 1), 0.15);  // measured 2.000, 3.999, 6.014, 7.994
  EXPECT_NEAR(fitted_order(steps, velocities), 2 * (m + 1), 0.15);
  EXPECT_NEAR(fitted_order(steps, violations), m < 2 ? 2 : 4, 0.3);
}

TEST_P(Order, MomentaOfFreeMechanismsAreKept) {
  const int m = GetParam();
  ModelDescription d = reference::free_tree();
  d.gravity = {};
  const Record record = run(Model(d), galerkin(m), 0.02, 2);
  EXPECT_FALSE(record.failure.has_value());
  EXPECT_LE(*record.ledger.linear_max_error, 1e-12);   // measured 2e-14
  EXPECT_LE(*record.ledger.angular_max_error, 1e-12);  // measured 1e-14
}

TEST_P(Order, ClosedLoopsStayClosedAndKeepTheirEnergy) {
  for (const char* name : {"four_bar", "slider_crank", "spatial_four_bar", "bricard"}) {
    SCOPED_TRACE(name);
    const Model model = load_model(std::string(TORSOR_MODELS) + "/" + name + ".yaml");
    const Record record = run(model, galerkin(GetParam()), 0.005, 0.5);
    EXPECT_FALSE(record.failure.has_value());
    EXPECT_LE(record.ledger.energy_max_residual, 1e-12 * record.ledger.energy_scale);  // measured 6e-15
    EXPECT_LE(*record.ledger.position_max, 1e-13);                                     // measured 4e-16
  }
}

/// In the second model a tendon gets slack, a kink within a step that no rule integrates.
TEST_P(Order, BalanceOfDrivenAndDampedModelsCloses) {
  const auto residual = [](const ModelDescription& d) {
    const Record record = run(Model(d), galerkin(GetParam()), 0.01, 1);
    EXPECT_FALSE(record.failure.has_value());
    return record.ledger.energy_max_residual / record.ledger.energy_scale;
  };
  EXPECT_LE(residual(reference::driven_arm()), 1e-12);   // measured 2e-15
  EXPECT_LE(residual(reference::all_elements()), 1e-7);  // measured 3e-8
}

/// The square of the step times stiffness over inertia is about 2: the tangent at the middle of a step, which
/// knows no stiffness, does not converge, and the exact one takes over.
TEST_P(Order, StiffTendonsKeepConstraintsAndEnergyToTheRule) {
  const int m = GetParam();
  ModelDescription d = reference::three_link_arm_with_tendons();
  for (Tendon& tendon : d.tendons) tendon.stiffness *= 2e4;
  const auto energy_error = [&](double h) {
    const Record record = run(Model(d), galerkin(m), h, 1);
    EXPECT_FALSE(record.failure.has_value());
    EXPECT_LE(*record.ledger.position_max, 1e-13);  // measured 7e-16
    return record.ledger.energy_max_residual / record.ledger.energy_scale;
  };
  const double coarse[] = {1e-2, 1e-2, 1e-3, 1e-4};   // measured 3e-3, 3e-3, 3e-4, 1.4e-5
  const double fine[] = {1e-8, 2e-11, 1e-12, 1e-12};  // measured 1.4e-9, 4e-12, 1.2e-14, 3e-15
  EXPECT_LE(energy_error(0.01), coarse[m]);
  EXPECT_LE(energy_error(0.001), fine[m]);
}

INSTANTIATE_TEST_SUITE_P(M, Order, ::testing::Range(0, 4));

/// Kotyczka-Götz-Herrmann (43) over the step, Fig. 7: the orders of the rules for the elastic forces.
TEST(ThreeLinkArm, MeanEnergyErrorHasTheOrderOfTheRule) {
  const Model model = arm(3, Springs::mono);
  const auto order = [&](int points, const std::vector<double>& steps) {
    std::vector<double> errors;
    for (double h : steps) errors.push_back(run(model, galerkin(0, points), h, 10).ledger.energy_mean_error);
    return fitted_order(steps, errors);
  };
  EXPECT_NEAR(order(1, {0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001}), 2, 0.1);  // measured 1.999
  EXPECT_NEAR(order(3, {0.2, 0.1, 0.05}), 6, 0.3);                              // measured 5.93
}

TEST(ThreeLinkArm, WithoutSpringsLowestOrderIsTheEnergyMomentumScheme) {
  const Model model = arm(3, Springs::none);
  const Record one = run(model, galerkin(0, 1), 0.01, 5);
  const Record other = run(model, {"rotationless", "energy-momentum", {}, 0}, 0.01, 5);
  EXPECT_LE(distance(one.observations.back(), other.observations.back()), 1e-12);
}

TEST(LongArms, KeepEnergyAndConstraints) {
  for (int links : {10, 50, 200}) {
    for (const StepperChoice& choice : {galerkin(0, 3), kDiscreteGradient, galerkin(1)}) {
      const Record record = run(arm(links, Springs::mono), choice, 0.01, 0.2);
      EXPECT_FALSE(record.failure.has_value());
      EXPECT_LE(record.ledger.energy_max_error, 1e-12 * record.ledger.energy_scale);  // measured 3e-14
      EXPECT_LE(*record.ledger.position_max, 1e-13);                                  // measured 3e-14
    }
  }
}

}  // namespace
}  // namespace torsor
