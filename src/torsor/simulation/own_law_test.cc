// Laws of one's own in runs: the numbers of built-in elements, and what happens where a function fails.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "testing/runs.h"
#include "torsor/simulation/applicable.h"

namespace torsor {
namespace {

constexpr double kStiffness = 12, kRest = 0.3, kDamping = 0.4, kCord = 30, kLength = 0.9;

/// A planar arm of two links with a cord to its hand.
ModelDescription arm() {
  ModelDescription d;
  d.dimension = 2;
  d.gravity = {0, -9.81, 0};
  for (const char* name : {"upper", "lower"})
    d.bodies.push_back({name, 1.2, {0.3, 0, 0}, {0, 0, 0.1, 0, 0, 0}, {}, {}});
  d.joints.resize(2);
  d.joints[0].name = "shoulder", d.joints[0].child = 0;
  d.joints[1].name = "elbow", d.joints[1].parent = 0, d.joints[1].child = 1;
  d.joints[1].in_parent.position = {0.6, 0, 0};
  d.initial.joints = {{"shoulder", {-0.6}}, {"elbow", {0.5}}};
  d.initial.rates = {{"shoulder", {1}}, {"elbow", {-1.5}}};
  d.tendons = {{"cord", {{"", kWorld, {0.2, 0.7, 0}}, {"", 1, {0.5, 0, 0}}}, 0, kLength}};
  return d;
}
ModelDescription built_in() {
  ModelDescription d = arm();
  JointSpring spring;
  spring.name = "spring";
  spring.joint = 1;
  spring.stiffness = {kStiffness};
  spring.rest = {kRest};
  spring.damping = {kDamping};
  d.joint_springs = {spring};
  d.tendons[0].stiffness = kCord;
  return d;
}
ModelDescription by_functions() {
  ModelDescription d = arm();
  OwnLaw spring{"spring", 1, 0}, cord{"cord spring"};
  spring.potential = make_potential([](auto x) { return 0.5 * kStiffness * (x - kRest) * (x - kRest); });
  spring.force = make_force([](auto, auto rate, double) { return -kDamping * rate; });
  spring.dissipates = true;
  cord.tendon = 0;
  cord.potential = make_potential([](auto x) { return 0.5 * kCord * (x - kLength) * (x - kLength); });
  d.laws = {spring, cord};
  return d;
}

TEST(OwnLaws, GiveTheNumbersOfBuiltInSprings) {
  const Model mine(by_functions()), theirs(built_in());
  int compared = 0;
  for (const Applicable& method : applicable_methods(mine)) {
    SCOPED_TRACE(method.formulation + " " + method.integrator);
    ASSERT_TRUE(method.reason.empty()) << method.reason;
    const StepperChoice choice{.formulation = method.formulation, .integrator = method.integrator};
    const Record a = testing::run(mine, choice, 0.01, 1), b = testing::run(theirs, choice, 0.01, 1);
    ASSERT_FALSE(a.failure.has_value()) << a.failure->what();
    // Iterations end elsewhere within their tolerances; steps of error control differ by rounding.
    EXPECT_LE(testing::distance(a.observations.back(), b.observations.back()), 1e-12);  // measured 3e-14
    EXPECT_NEAR(a.ledger.energy_final, b.ledger.energy_final, 1e-12);
    EXPECT_NEAR(a.ledger.dissipated, b.ledger.dissipated, 1e-12);
    ++compared;
  }
  EXPECT_GE(compared, 12);
}

/// The rule that averages elastic forces of tendons between the ends of a step takes functions, too.
TEST(OwnLaws, TakeTheRulesOfPetrovGalerkin) {
  for (const auto& [m, potential] : {std::pair(0.0, "gauss"), {0.0, "discrete-gradient"}, {1.0, "gauss"}}) {
    ModelDescription mine = by_functions(), theirs = built_in();
    for (ModelDescription* d : {&mine, &theirs}) {
      d->simulation.formulation = "rotationless";
      d->simulation.integrator = "petrov-galerkin";
      d->simulation.integrator_options = {{"m", m}, {"potential", std::string(potential)}};
    }
    const Record a = testing::run(Model(mine), {}, 0.01, 0.5), b = testing::run(Model(theirs), {}, 0.01, 0.5);
    EXPECT_LE(testing::distance(a.observations.back(), b.observations.back()), 1e-12);  // measured 1e-14
  }
}

TEST(OwnLaws, AreNamedWhereTheyAreNoNumbers) {
  ModelDescription d = arm();
  OwnLaw wall{"wall", 1, 0};
  wall.potential = make_potential([](auto x) { return -0.01 * log(x - 0.2); });
  d.laws = {wall};
  for (const auto& [formulation, integrator] :
       {std::pair("rotationless", "energy-momentum"), {"joint", "rkmk4"}, {"joint", "implicit-midpoint"}}) {
    SCOPED_TRACE(integrator);
    const Record record =
        testing::run(Model(d), {.formulation = formulation, .integrator = integrator}, 0.05, 5, 1);
    ASSERT_TRUE(record.failure.has_value());
    EXPECT_NE(record.failure->advice.find("law 'wall'"), std::string::npos) << record.failure->advice;
    EXPECT_GT(record.observations.size(), 1u);
  }
  // Error control goes round what is no number: its steps get shorter, and the wall holds.
  const Record held = testing::run(Model(d), {.formulation = "joint", .integrator = "dopri5"}, 0.05, 1, 1);
  ASSERT_FALSE(held.failure.has_value()) << held.failure->what();
}

/// What a function throws reaches whoever steps, who stands where the step began and may go on.
TEST(OwnLaws, LetExceptionsThrough) {
  for (const Applicable& method : applicable_methods(Model(by_functions()))) {
    SCOPED_TRACE(method.formulation + " " + method.integrator);
    const auto calls_left = std::make_shared<long>(std::numeric_limits<long>::max());
    ModelDescription d = by_functions();
    d.laws[0].potential = [calls_left, inner = d.laws[0].potential](double x) {
      if (--*calls_left == 0) throw std::runtime_error("enough");
      return inner(x);
    };
    const Model model(d);
    const auto broken =
        make_stepper(model, {.formulation = method.formulation, .integrator = method.integrator});
    const auto whole =
        make_stepper(model, {.formulation = method.formulation, .integrator = method.integrator});
    for (int i = 0; i < 5; ++i) broken->step(0.02), whole->step(0.02);
    for (const long calls : {1, 4, 9}) {
      *calls_left = calls;
      EXPECT_THROW(
          {
            for (int i = 0; i < 20; ++i) broken->step(0.02);  // error control may have stepped ahead
          },
          std::runtime_error);
      *calls_left = std::numeric_limits<long>::max();
    }
    while (whole->time() < broken->time() + 0.05) whole->step(0.02);
    while (broken->time() < whole->time() - 1e-9) broken->step(0.02);
    Observation a = broken->make_observation(), b = whole->make_observation();
    broken->observe(a);
    whole->observe(b);
    EXPECT_LE(testing::distance(a, b), 1e-9);  // measured 0 .. 2e-12
  }
}

TEST(OwnLaws, AreChecked) {
  const auto refused = [](auto change) {
    ModelDescription d = by_functions();
    change(d);
    try {
      Model model(d);
    } catch (const ModelError& error) {
      return error.key;
    }
    return std::string("none");
  };
  EXPECT_EQ(refused([](ModelDescription& d) { d.laws[0].potential = {}, d.laws[0].force = {}; }),
            "laws.spring");
  EXPECT_EQ(refused([](ModelDescription& d) { d.laws[0].force = {}; }), "laws.spring.dissipates");
  EXPECT_EQ(refused([](ModelDescription& d) { d.laws[0].joint = 7; }), "laws.spring.joint");
  EXPECT_EQ(refused([](ModelDescription& d) { d.laws[0].coordinate = 1; }), "laws.spring.coordinate");
  EXPECT_EQ(refused([](ModelDescription& d) { d.laws[1].tendon = 1; }), "laws.cord spring.tendon");
  EXPECT_EQ(refused([](ModelDescription& d) { d.joints[1].type = JointType::free; }), "laws.spring.joint");
}

}  // namespace
}  // namespace torsor
