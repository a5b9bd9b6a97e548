// The formulation cartesian over whole runs, and the Petrov-Galerkin scheme of the paper that it stems from,
// with dense matrices (testing/cartesian_galerkin.h).

#include <gtest/gtest.h>

#include <cmath>

#include "testing/cartesian_galerkin.h"
#include "testing/models.h"
#include "testing/runs.h"
#include "torsor/base/norm.h"
#include "torsor/format/model_reader.h"
#include "torsor/format/model_templates.h"

namespace torsor {
namespace {

using namespace testing;

const StepperChoice kCartesian{"cartesian", "energy-momentum", {}, 0};

Model gallery_model(const std::string& name) {
  return load_model(std::string(TORSOR_MODELS) + "/" + name + ".yaml");
}

class GalerkinOfDegree : public ::testing::TestWithParam<int> {
 public:
  int m() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(M, GalerkinOfDegree, ::testing::Range(0, 4));

/// Exact for the constraint terms, of degree 3 m + 1.
int left_points(int m) { return (3 * m + 3) / 2; }

CartesianGalerkin galerkin(const Model& model, int m, int potential_points = 10) {
  return {model, m, left_points(m), potential_points};
}

/// With tendons, which many points integrate to rounding.
TEST_P(GalerkinOfDegree, KeepsEnergyAndConstraintsAtNodes) {
  const Model model = gallery_model("tendon_arm");
  const CartesianGalerkin scheme = galerkin(model, m());
  CartesianGalerkin::State state = scheme.start(model);
  const double energy = scheme.energy(state);
  double drift = 0, gap = 0;
  for (int i = 0; i < 100; ++i) {
    state = scheme.step(state, 0.05);
    drift = larger(drift, std::abs(scheme.energy(state) - energy));
    gap = larger(gap, scheme.constraint_error(state));
  }
  EXPECT_LT(drift, 2e-13);  // measured 4e-15 .. 9e-15
  EXPECT_LT(gap, 5e-14);    // measured 1e-15 .. 2e-15
}

/// Nodal positions have order 2 (m + 1), against joint coordinates.
TEST_P(GalerkinOfDegree, ConvergesWithItsOrder) {
  const Model model = gallery_model("tendon_arm");
  constexpr double kEnd = 2;
  const Record exact = run(model, {"joint", "dopri5", {}, 1e-13}, kEnd, kEnd);
  const CartesianGalerkin scheme = galerkin(model, m());
  std::vector<double> steps, errors;
  const int coarsest[] = {100, 20, 10, 6};
  for (int k = 0; k < 3; ++k) {
    const int count = coarsest[m()] << k;
    CartesianGalerkin::State state = scheme.start(model);
    for (int i = 0; i < count; ++i) state = scheme.step(state, kEnd / count);
    double apart = 0;
    for (int b = 0; b < 3; ++b) {
      const Vec3<double>& com = exact.observations.back().bodies[b].com;
      apart = larger({apart, std::abs(state.x[2 * b] - com.x), std::abs(state.x[2 * b + 1] - com.y)});
    }
    steps.push_back(kEnd / count);
    errors.push_back(apart);
  }
  EXPECT_NEAR(fitted_order(steps, errors), 2 * (m() + 1), 0.15);  // measured 2.000, 3.999, 6.001, 8.08
}

/// Without springs the midpoint rule, m = 0 with one point, is the energy-momentum scheme.
TEST(CartesianArm, EnergyMomentumIsPetrovGalerkinOfDegreeZero) {
  const Model model = gallery_model("three_link_arm");
  const CartesianGalerkin scheme = galerkin(model, 0, 1);
  CartesianGalerkin::State state = scheme.start(model);
  for (int i = 0; i < 200; ++i) state = scheme.step(state, 0.01);
  const Record record = run(model, kCartesian, 0.01, 2);
  const Eigen::VectorXd v = scheme.projected_rates(state);
  for (int b = 0; b < 3; ++b) {
    const BodyObservation& body = record.observations.back().bodies[b];
    EXPECT_NEAR(state.x[2 * b], body.com.x, 1e-13);  // measured 3e-15
    EXPECT_NEAR(state.x[2 * b + 1], body.com.y, 1e-13);
    EXPECT_NEAR(v[2 * b], body.velocity.x, 1e-13);  // measured 5e-15
    EXPECT_NEAR(v[2 * b + 1], body.velocity.y, 1e-13);
  }
}

/// Steps of the production scheme are those on paper, whatever the degree, with the same quadrature.
TEST_P(GalerkinOfDegree, IsPetrovGalerkin) {
  const Model model = gallery_model("tendon_arm");
  const CartesianGalerkin scheme = galerkin(model, m(), 3);
  CartesianGalerkin::State state = scheme.start(model);
  for (int i = 0; i < 40; ++i) state = scheme.step(state, 0.05);
  const Eigen::VectorXd v = scheme.projected_rates(state);
  for (const char* formulation : {"cartesian", "rotationless"}) {
    StepperChoice choice{formulation, "petrov-galerkin", {}, 0};
    choice.options["m"] = static_cast<double>(m());
    choice.options["quadrature"] = static_cast<double>(left_points(m()));
    choice.options["potential_quadrature"] = 3.0;
    const Record record = run(model, choice, 0.05, 2);
    ASSERT_FALSE(record.failure);
    for (int b = 0; b < 3; ++b) {
      const BodyObservation& body = record.observations.back().bodies[b];
      EXPECT_NEAR(state.x[2 * b], body.com.x, 5e-14);  // measured 2.4e-15
      EXPECT_NEAR(state.x[2 * b + 1], body.com.y, 5e-14);
      EXPECT_NEAR(v[2 * b], body.velocity.x, 2e-13);  // measured 7e-15
      EXPECT_NEAR(v[2 * b + 1], body.velocity.y, 2e-13);
    }
  }
}

TEST(CartesianArm, ConvergesToJointCoordinatesWithOrderTwo) {
  struct Case {
    const char* name;
    double step, duration;  ///< the coarsest of four steps
  };
  for (const auto& [name, step, duration] : {Case{"three_link_arm", 0.02, 3}, Case{"tendon_arm", 0.02, 3},
                                             Case{"driven_arm", 0.02, 3}, Case{"branched_arm", 0.01, 1}}) {
    SCOPED_TRACE(name);
    const Model model = gallery_model(name);
    const Record exact = run(model, {"joint", "dopri5", {}, 1e-12}, duration, duration);
    std::vector<double> steps, errors;
    for (int k = 0; k < 4; ++k) {
      steps.push_back(step / (1 << k));
      const Record record = run(model, kCartesian, steps.back(), duration);
      ASSERT_FALSE(record.failure);
      errors.push_back(distance(record.observations.back(), exact.observations.back()));
    }
    EXPECT_NEAR(fitted_order(steps, errors), 2, 0.05);  // measured 1.998 .. 2.008
  }
}

/// 50 s of the arm of the paper, with and without springs.
TEST(CartesianArm, KeepsEnergyAndLengthsOverTheRunOfThePaper) {
  for (const char* name : {"three_link_arm", "tendon_arm"}) {
    const Record record = run(gallery_model(name), kCartesian, 0.01, 50);
    ASSERT_FALSE(record.failure);
    EXPECT_LT(record.ledger.energy_max_error, 1e-12);      // measured 5e-14, 6e-14
    EXPECT_LT(record.ledger.position_max.value(), 5e-15);  // measured 3e-16
  }
}

/// Long arms with a tendon over each joint: roundings of positions add up in the directions of the links.
TEST(CartesianArm, KeepsEnergyOfLongChains) {
  for (const int links : {10, 50, 200}) {
    const Record record = run(parse_model(arm_text({.links = links}), "arm"), kCartesian, 0.01, 2);
    ASSERT_FALSE(record.failure);
    EXPECT_LT(record.ledger.energy_max_error, 1e-12 * record.ledger.energy_scale);  // measured 2e-15 .. 3e-14
    EXPECT_LT(record.ledger.position_max.value(), 1e-13);                           // measured 1.4e-14
  }
}

}  // namespace
}  // namespace torsor
