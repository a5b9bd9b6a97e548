// Muscles that a sampled controller excites: a forearm held against its weight.

#include <gtest/gtest.h>

#include <cmath>

#include "testing/runs.h"
#include "torsor/base/error.h"
#include "torsor/simulation/applicable.h"

namespace torsor {
namespace {

constexpr double kTarget = 1.2, kPeriod = 0.02;

ModelDescription forearm(double smoothing = 2) {
  ModelDescription d;
  d.dimension = 2;
  d.gravity = {0, -9.81, 0};
  d.bodies = {{"forearm", 1.6, {0.16, 0, 0}, {0.015, 0.015, 0.03, 0, 0, 0}, {}, {}}};
  Joint elbow;
  elbow.name = "elbow";
  elbow.child = 0;
  elbow.in_parent.rotation = exp_so3(Vec3<double>{0, 0, -std::acos(-1.0) / 2});
  d.joints = {elbow};
  const auto add = [&](const char* name, const Vec3<double>& shaft, const Vec3<double>& at) {
    Tendon tendon;
    tendon.name = name;
    tendon.path = {{"", kWorld, shaft}, {"", 0, at}};
    Muscle muscle;
    muscle.excitation = 0.05;
    muscle.smoothing = smoothing;
    muscle.max_force = 700;
    muscle.fibre_length = 0.14;
    muscle.slack_length = 0.13;
    tendon.muscle = muscle;
    d.tendons.push_back(tendon);
  };
  add("biceps", {0.03, 0.25, 0}, {0.04, 0.01, 0});
  add("triceps", {-0.03, 0.25, 0}, {-0.03, -0.01, 0});
  Controller reflex;
  reflex.name = "reflex";
  reflex.joint = 0;
  reflex.stiffness = {20};
  reflex.damping = {2};
  reflex.target = {kTarget};
  reflex.period = kPeriod;
  reflex.position_only = true;
  reflex.excites = {{0, 0.01}, {1, -0.01}};
  d.controllers = {reflex};
  d.initial.joints = {{"elbow", {0.5}}};
  return d;
}

TEST(Reflex, HoldsAForearmAgainstItsWeight) {
  ModelDescription without = forearm();
  without.controllers.clear();
  const Record fallen = testing::run(without, "energy-momentum", 0.005, 3, 0, 1);
  const Record held = testing::run(forearm(), "energy-momentum", 0.005, 3, 0, 1);
  ASSERT_FALSE(held.failure.has_value()) << held.failure->what();
  EXPECT_GT(std::abs(fallen.observations.back().joints[0].position[0] - kTarget), 0.5);
  EXPECT_NEAR(held.observations.back().joints[0].position[0], kTarget,
              0.25);                                                 // it gives way as a spring does
  EXPECT_NEAR(held.observations.back().joints[0].rate[0], 0, 1e-3);  // measured 2e-6
  EXPECT_LE(held.ledger.energy_max_residual, 1e-13 * held.ledger.energy_scale);  // measured 1e-15
  double most = 0, least = 1;
  for (const Observation& o : held.observations) {
    for (const MuscleObservation& muscle : o.muscles) {
      most = larger(most, muscle.excitation);
      least = smaller(least, muscle.excitation);
    }
    const double effort = o.controllers[0][0];
    EXPECT_NEAR(o.muscles[0].excitation, std::clamp(0.05 + 0.01 * effort, 0.0, 1.0), 1e-15);
    EXPECT_NEAR(o.muscles[1].excitation, std::clamp(0.05 - 0.01 * effort, 0.0, 1.0), 1e-15);
  }
  EXPECT_GT(most, 0.15);
  EXPECT_EQ(least, 0);  // the antagonist is cut off
  // The muscles do the work; the controller has no row.
  EXPECT_EQ(held.manifest.sources, (std::vector<std::string>{"biceps", "triceps"}));
  EXPECT_TRUE(held.manifest.sampled.empty());
}

TEST(Reflex, IsTheSameMotionInEveryMethodToItsOrder) {
  const double duration = 0.48;
  const Record exact = testing::run(forearm(), "dopri5", kPeriod, duration, 1e-12);
  for (const auto& [name, order] :
       {std::pair("energy-momentum", 2.0), {"implicit-midpoint", 2.0}, {"rkmk4", 4.0}}) {
    SCOPED_TRACE(name);
    std::vector<double> steps, errors;
    for (const int parts : {4, 8, 16, 32}) {
      steps.push_back(kPeriod / parts);
      const Record record = testing::run(forearm(), name, steps.back(), duration);
      errors.push_back(testing::distance(record.observations.back(), exact.observations.back()));
    }
    EXPECT_NEAR(testing::fitted_order(steps, errors), order, 0.1);  // measured 2.01, 2.01, 4.03
  }
}

TEST(Reflex, StatesOfSteppersHoldWhatIsHeld) {
  const Model model(forearm());
  const StepperChoice choice{.formulation = "rotationless", .integrator = "energy-momentum"};
  const auto a = make_stepper(model, choice);
  for (int i = 0; i < 7; ++i) a->step(0.005);
  const auto b = a->copy();
  const StepperState here = a->state();
  for (int i = 0; i < 20; ++i) a->step(0.005), b->step(0.005);
  EXPECT_EQ(a->state().q, b->state().q);
  b->set_state(here);
  for (int i = 0; i < 20; ++i) b->step(0.005);
  EXPECT_EQ(a->state().q, b->state().q);
}

TEST(Reflex, IsChecked) {
  const auto refused = [](auto change) {
    ModelDescription d = forearm();
    change(d);
    try {
      Model model(d);
    } catch (const ModelError& error) {
      return error.key + ": " + error.expected;
    }
    return std::string("none");
  };
  EXPECT_EQ(refused([](ModelDescription& d) {
              d.controllers[0].period = 0;
              d.controllers[0].position_only = false;
            }),
            "controllers.reflex.excites: a `period` beside it, over which the excitation is held");
  EXPECT_EQ(refused([](ModelDescription& d) { d.tendons[1].muscle.reset(); }),
            "controllers.reflex.excites.triceps: a tendon with a muscle");
  EXPECT_EQ(refused([](ModelDescription& d) { d.controllers[0].excites[1].tendon = 0; }),
            "controllers.reflex.excites.biceps: each muscle once");
  EXPECT_EQ(refused([](ModelDescription& d) { d.controllers[0].excites[1].factor = 0; }),
            "controllers.reflex.excites.triceps: a factor other than 0");
  EXPECT_EQ(refused([](ModelDescription& d) { d.controllers[0].excites[1].tendon = 5; }),
            "controllers.reflex.excites: a tendon");
}

}  // namespace
}  // namespace torsor
