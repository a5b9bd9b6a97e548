// Steps that end on the kinks of programs: a method keeps its order where an effort has corners and jumps at times
// that no step begins or ends at.

#include <gtest/gtest.h>

#include "testing/runs.h"
#include "torsor/format/model_reader.h"

namespace torsor {
namespace {

using namespace testing;

const char kDriven[] = R"(
torsor: 1
dimension: 2
gravity: [0, -9.81]
bodies: {rod: {mass: 1, com: [0.5, 0], inertia: 0.1}, tip: {mass: 0.5, com: [0.2, 0], inertia: 0.02}}
joints:
  pivot: {type: revolute, parent: world, child: rod}
  elbow: {type: revolute, parent: rod, child: tip, in_parent: {position: [1, 0]}}
actuators:
  motor: {joint: pivot, effort: {table: [[0, 0], [0.137, 8], [0.2713, 8], [0.3931, -6], [0.7, 0]]}}
  brake: {joint: elbow, effort: {hat: {peak: 2, rise: 0.1117, end: 0.5323}}}
simulation: {step: 0.02, duration: 0.8}
)";

double order_of(const std::string& formulation, const std::string& integrator, IntegratorOptions options,
                bool land) {
  ModelDescription d = parse_description({"driven.yaml", kDriven, {}});
  d.simulation.land_on_kinks = land;
  const Record fine = run(d, "dopri5", 0.8, 0.8, 1e-13);
  std::vector<double> steps{0.02, 0.01, 0.005, 0.0025}, errors;
  for (const double h : steps) {
    StepperChoice choice;
    choice.formulation = formulation;
    choice.integrator = integrator;
    choice.options = options;
    errors.push_back(distance(run(Model(d), choice, h, 0.8).observations.back(), fine.observations.back()));
  }
  return fitted_order(steps, errors);
}

TEST(Kinks, MethodsKeepTheirOrdersAcrossThem) {
  EXPECT_GT(order_of("joint", "rkmk4", {}, true), 3.8);  // measured 5.2, by luck of these steps
  EXPECT_GT(order_of("joint", "gauss-legendre", {{"stages", 2.0}}, true), 3.8);  // measured 4.9
  EXPECT_NEAR(order_of("rotationless", "petrov-galerkin", {{"m", 1.0}}, true), 4, 0.2);
  EXPECT_NEAR(order_of("rotationless", "energy-momentum", {}, true), 2, 0.1);
}

TEST(Kinks, WithoutLandingOnThemHighOrdersAreLost) { EXPECT_LT(order_of("joint", "rkmk4", {}, false), 3); }

TEST(Kinks, RecordsStayWhereTheyAre) {
  ModelDescription d = parse_description({"driven.yaml", kDriven, {}});
  const Record record = run(d, "rkmk4", 0.02, 0.8, 0, 1);
  ASSERT_EQ(record.observations.size(), 41u);
  for (int i = 0; i <= 40; ++i) EXPECT_NEAR(record.observations[i].time, 0.02 * i, 1e-15);
}

}  // namespace
}  // namespace torsor
