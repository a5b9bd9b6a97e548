// Muscles in every formulation and integrator that takes them.

#include <gtest/gtest.h>

#include <cmath>

#include "testing/runs.h"
#include "torsor/base/error.h"

namespace torsor {
namespace {

/// Two links in the plane, a flexor over each joint and an extensor over both.
ModelDescription arm(bool series, Muscle::Law law = Muscle::Law::hill) {
  ModelDescription d;
  d.name = "arm";
  d.dimension = 2;
  d.gravity = {0, -9.81, 0};
  d.bodies = {{"upper", 2, {0.14, 0, 0}, {0.01, 0.01, 0.02, 0, 0, 0}, {}, {}},
              {"fore", 1.6, {0.18, 0, 0}, {0.015, 0.015, 0.03, 0, 0, 0}, {}, {}}};
  Joint shoulder, elbow;
  shoulder.name = "shoulder";
  shoulder.child = 0;
  elbow.name = "elbow";
  elbow.parent = 0;
  elbow.child = 1;
  elbow.in_parent = {{1, 0, 0, 0}, {0.3, 0, 0}};
  d.joints = {shoulder, elbow};
  d.joints[0].parent = kWorld;
  const Point front{"", kWorld, {0.06, 0.03, 0}}, back{"", kWorld, {-0.06, 0.03, 0}};
  const Point deltoid{"", 0, {0.14, 0.015, 0}}, shaft{"", 0, {0.12, 0.02, 0}},
      behind{"", 0, {0.25, -0.03, 0}};
  const Point ulna{"", 1, {0.05, 0.015, 0}}, olecranon{"", 1, {-0.02, -0.025, 0}};
  const auto add = [&](const char* name, std::vector<Point> path, double fibre, double slack,
                       double pennation, const char* excitation) {
    Tendon tendon;
    tendon.name = name;
    tendon.path = std::move(path);
    Muscle muscle;
    muscle.law = law;
    muscle.excitation = make_expression(excitation, {});
    muscle.smoothing = 2;  // the rate is smooth in the activation
    muscle.max_force = 600;
    muscle.fibre_length = fibre;
    muscle.slack_length = slack;
    muscle.pennation = pennation;
    muscle.tendon_strain = series ? 0.05 : 0;
    tendon.muscle = muscle;
    d.tendons.push_back(tendon);
  };
  add("shoulder_flexor", {front, deltoid}, 0.1, 0.07, 0.2, "0.4 + 0.2*sin(9*t)");
  add("elbow_flexor", {shaft, ulna}, 0.12, 0.1, 0, "0.3 + 0.2*cos(8*t)");
  add("extensor", {back, behind, olecranon}, 0.14, 0.2, 0.15, "0.3 + 0.2*sin(7*t + 1)");
  d.initial.joints["shoulder"] = {-1.4};
  d.initial.joints["elbow"] = {0.4};
  return d;
}

StepperChoice with(const std::string& formulation, const std::string& integrator, double tolerance = 0) {
  StepperChoice choice{
      .formulation = formulation, .integrator = integrator, .options = {}, .tolerance = tolerance};
  if (integrator == "petrov-galerkin") choice.options["m"] = 1.0;
  return choice;
}

TEST(Muscles, EnergyMomentumBalancesToRounding) {
  for (const bool series : {false, true}) {
    for (const Muscle::Law law : {Muscle::Law::hill, Muscle::Law::mujoco}) {
      for (const double h : {0.001, 0.01, 0.05}) {
        for (const char* formulation : {"rotationless", "cartesian"}) {
          const Record record =
              testing::run(Model(arm(series, law)), with(formulation, "energy-momentum"), h, 200 * h, 1);
          ASSERT_FALSE(record.failure) << record.failure->what();
          EXPECT_LE(record.ledger.energy_max_residual / record.ledger.energy_scale, 1e-11);  // measured 3e-13
          std::vector<double> before(3, 0);
          for (const Observation& o : record.observations) {
            for (std::size_t i = 0; i < 3; ++i) {
              EXPECT_GE(o.dissipated[i], before[i]);
              EXPECT_GE(o.muscles[i].activation, 0);
              EXPECT_LE(o.muscles[i].activation, 1);
              before[i] = o.dissipated[i];
            }
          }
        }
      }
    }
  }
}

/// The same motion, activations and fibres by independent routes.
TEST(Muscles, AllMethodsFindTheSameMotion) {
  struct Route {
    const char *formulation, *integrator;
    double step;
    bool takes_series;
    double bound;
  };
  constexpr Route kRoutes[] = {
      {"joint", "rkmk4", 1e-4, true, 1e-9},
      {"joint", "implicit-midpoint", 1e-4, true, 1e-5},
      {"joint", "variational", 1e-4, true, 1e-5},
      {"joint", "generalized-alpha", 1e-4, true, 1e-5},
      {"joint", "gauss-legendre", 1e-3, false, 1e-8},
      {"rotationless", "energy-momentum", 1e-4, true, 1e-5},
      {"cartesian", "energy-momentum", 1e-4, true, 1e-5},
      {"rotationless", "generalized-alpha", 1e-4, false, 1e-5},
      {"rotationless", "petrov-galerkin", 1e-3, false, 1e-8},
      {"cartesian", "petrov-galerkin", 1e-3, false, 1e-8},
  };
  for (const bool series : {false, true}) {
    const Model model(arm(series));
    const Record exact = testing::run(model, with("joint", "dopri5", 1e-12), 0.3, 0.3);
    ASSERT_FALSE(exact.failure) << exact.failure->what();
    const Observation& there = exact.observations.back();
    EXPECT_LE(exact.ledger.energy_max_residual, 1e-9 * exact.ledger.energy_scale);  // measured 1e-12
    for (const Route& route : kRoutes) {
      SCOPED_TRACE(std::string(route.formulation) + " " + route.integrator);
      const StepperChoice choice = with(route.formulation, route.integrator);
      if (series && !route.takes_series) {
        EXPECT_THROW(make_stepper(model, choice), ModelError);
        continue;
      }
      const Record record = testing::run(model, choice, route.step, 0.3);
      ASSERT_FALSE(record.failure) << record.failure->what();
      const Observation& here = record.observations.back();
      EXPECT_LE(testing::distance(here, there), route.bound);  // measured 1.7e-6 of 1e-5
      for (std::size_t i = 0; i < here.muscles.size(); ++i) {
        EXPECT_NEAR(here.muscles[i].activation, there.muscles[i].activation, route.bound);
        EXPECT_NEAR(here.muscles[i].fibre_length, there.muscles[i].fibre_length, route.bound);
        EXPECT_NEAR(here.work[i], there.work[i], 10 * route.bound);
        EXPECT_NEAR(here.dissipated[i], there.dissipated[i], 10 * route.bound);
      }
    }
  }
}

TEST(Muscles, OrdersAreThoseOfTheCatalogue) {
  struct Case {
    const char *formulation, *integrator;
    bool series;
    std::vector<double> steps;
    double order;
  };
  const Case kCases[] = {{"rotationless", "energy-momentum", false, {0.004, 0.002, 0.001, 0.0005}, 2},
                         {"rotationless", "energy-momentum", true, {0.002, 0.001, 0.0005, 0.00025}, 2},
                         {"joint", "implicit-midpoint", true, {0.002, 0.001, 0.0005, 0.00025}, 2},
                         {"joint", "variational", true, {0.002, 0.001, 0.0005, 0.00025}, 2},
                         {"joint", "generalized-alpha", false, {0.002, 0.001, 0.0005, 0.00025}, 2},
                         {"joint", "gauss-legendre", false, {0.01, 0.005, 0.0025, 0.00125}, 4},
                         {"joint", "rkmk4", true, {0.0004, 0.0002, 0.0001}, 4},
                         {"rotationless", "petrov-galerkin", false, {0.01, 0.005, 0.0025, 0.00125}, 4}};
  for (const Case& c : kCases) {
    const Model model(arm(c.series));
    const Observation exact =
        testing::run(model, with("joint", "dopri5", 1e-13), 0.2, 0.2).observations.back();
    std::vector<double> errors;
    for (const double h : c.steps) {
      const Record record = testing::run(model, with(c.formulation, c.integrator), h, 0.2);
      ASSERT_FALSE(record.failure) << record.failure->what();
      errors.push_back(testing::distance(record.observations.back(), exact));
    }
    EXPECT_NEAR(testing::fitted_order(c.steps, errors), c.order, 0.1)  // measured 0.05
        << c.formulation << " " << c.integrator << " " << ::testing::PrintToString(errors);
  }
}

TEST(Muscles, StatesOfSteppersHoldActivationAndFibres) {
  const Model model(arm(true));
  for (const auto& [formulation, integrator] :
       {std::pair{"rotationless", "energy-momentum"}, {"joint", "dopri5"}, {"joint", "implicit-midpoint"}}) {
    const auto stepper = make_stepper(model, with(formulation, integrator));
    for (int i = 0; i < 20; ++i) stepper->step(0.002);
    const auto other = stepper->copy();
    const StepperState state = stepper->state();
    Observation here = stepper->make_observation(), there = here, again = here;
    for (int i = 0; i < 20; ++i) {
      stepper->step(0.002);
      other->step(0.002);
    }
    stepper->observe(here);
    other->observe(there);
    stepper->set_state(state);
    for (int i = 0; i < 20; ++i) stepper->step(0.002);
    stepper->observe(again);
    for (const Observation* o : {&there, &again}) {
      EXPECT_EQ(here.total(), o->total());
      for (std::size_t i = 0; i < here.muscles.size(); ++i) {
        EXPECT_EQ(here.muscles[i].activation, o->muscles[i].activation);
        EXPECT_EQ(here.muscles[i].fibre_length, o->muscles[i].fibre_length);
        EXPECT_EQ(here.work[i], o->work[i]);
      }
    }
  }
}

/// Without excitation a muscle is a spring and a damper.
TEST(Muscles, WithoutExcitationDoNoWork) {
  ModelDescription d = arm(true);
  for (Tendon& tendon : d.tendons) tendon.muscle->excitation = Program(0.0);
  const Record record = testing::run(Model(d), with("rotationless", "energy-momentum"), 0.005, 1);
  ASSERT_FALSE(record.failure);
  EXPECT_EQ(record.ledger.work, 0);
  EXPECT_GT(record.ledger.dissipated, 0);
  EXPECT_NEAR(record.ledger.energy_final, record.ledger.energy_initial - record.ledger.dissipated,
              1e-12 * record.ledger.energy_scale);  // measured 2e-15 J
}

/// The forces on the joints are minus the tensions times the derivatives of the lengths.
TEST(Muscles, TensionOfATendonHasItsMuscle) {
  const Model model(arm(false));
  const auto stepper = make_stepper(model, with("rotationless", "energy-momentum"));
  Observation o = stepper->make_observation();
  stepper->observe(o);
  for (std::size_t i = 0; i < o.tendons.size(); ++i) {
    EXPECT_GT(o.muscles[i].force, 0);
    EXPECT_EQ(o.tendons[i].tension, o.muscles[i].force);
  }
}

}  // namespace
}  // namespace torsor
