// Packs of trees in joint coordinates: methods of fixed step.

#include <gtest/gtest.h>

#include <functional>

#include "testing/packs.h"
#include "testing/random_elements.h"
#include "testing/random_models.h"

namespace torsor {
namespace {

StepperChoice by(const std::string& integrator, IntegratorOptions options = {}) {
  StepperChoice choice;
  choice.formulation = "joint";
  choice.integrator = integrator;
  choice.options = std::move(options);
  return choice;
}
const StepperChoice kRkmk4 = by("rkmk4");
const StepperChoice kMethods[] = {by("rkmk2"), by("rkmk3"), kRkmk4, by("dopri5", {{"steps", "fixed"}}),
                                  by("gauss-legendre", {{"stages", 3.0}})};

struct Mechanism {
  const char* name;
  std::function<ModelDescription()> make;
  double step;
};

/// With a stop on a tendon, too.
ModelDescription arm_on_a_leash() {
  ModelDescription d = limited_arm();
  d.stops.push_back({.name = "short", .ranges = {{0.2, 1.9, 50, 0.1}}, .tendon = 1});
  return d;
}
ModelDescription with_every_element(ModelDescription d, unsigned seed) {
  add_every_element(d, seed);
  return d;
}

const Mechanism kMechanisms[] = {
    {"pendulum", reference::pendulum, 0.01},
    {"driven arm", reference::driven_arm, 0.01},
    {"arm with stops and slack tendons", arm_on_a_leash, 0.01},
    {"chain on ball joints", [] { return reference::spherical_chain(6); }, 0.01},
    {"all joints", reference::all_joints, 0.01},
    {"all elements", reference::all_elements, 0.01},
    {"random tree", [] { return with_every_element(random_tree(9, 4), 5); }, 0.001},
    {"random geared tree", [] { return with_every_element(random_geared_tree(7, 3), 8); }, 0.001},
    {"random planar tree", [] { return with_every_element(random_planar_tree(7, 2), 3); }, 0.001},
};

/// The lane's own: masses, tendons and starts differ.
Steppers steppers(const Mechanism& mechanism, const StepperChoice& choice, const std::vector<int>& numbers) {
  return make_steppers(numbers, choice, [&](int number) {
    ModelDescription d = with_other_masses(mechanism.make(), number);
    for (Tendon& tendon : d.tendons) tendon.stiffness *= 1 + 0.02 * number;
    for (auto& [joint, rates] : d.initial.rates) {
      for (double& rate : rates) rate += 0.1 * number;
    }
    return d;
  });
}

RunSettings settings(const Mechanism& mechanism, int steps) {
  RunSettings run;
  run.step = mechanism.step;
  run.duration = steps * mechanism.step;
  run.record_every = 7;
  return run;
}

std::vector<Numbers> packed(const Mechanism& mechanism, const StepperChoice& choice,
                            const std::vector<int>& lanes, int steps, int width = StepperPack::kMost) {
  return packed_numbers(steppers(mechanism, choice, lanes), settings(mechanism, steps), width);
}

TEST(TreePackRuns, ALaneDoesNotDependOnItsNeighboursNorOnTheirNumber) {
  for (const Mechanism& mechanism : kMechanisms) {
    for (const StepperChoice& choice : kMethods) {
      SCOPED_TRACE(mechanism.name + (" by " + choice.integrator));
      expect_own_numbers([&](const std::vector<int>& lanes, int width) {
        return packed(mechanism, choice, lanes, 150, width);
      });
    }
  }
}

TEST(TreePackRuns, GiveTheMotionOfSingleRuns) {
  constexpr int kSteps = 50;
  for (const Mechanism& mechanism : kMechanisms) {
    for (const StepperChoice& choice : kMethods) {
      SCOPED_TRACE(mechanism.name + (" by " + choice.integrator));
      const std::vector<int> lanes{0, 1, 2, 3, 4};
      const RunSettings few = settings(mechanism, kSteps);
      const std::vector<Record> together = packed_records(steppers(mechanism, choice, lanes), few);
      for (std::size_t i = 0; i < lanes.size(); ++i) {
        const Record single = simulate(*steppers(mechanism, choice, {lanes[i]})[0], few);
        // measured 6e-14, on the chain by rkmk2
        EXPECT_LE(apart(motion_numbers(together[i]), motion_numbers(single)), 1e-12);
      }
    }
  }
}

/// Kinks of their programs lie in different steps, which the lanes make alone.
TEST(TreePackRuns, ALaneThatLandsOnAKinkDoesNotDependOnItsNeighbours) {
  expect_own_numbers([](const std::vector<int>& lanes, int width) {
    return packed_numbers(make_steppers(lanes, kRkmk4, kinked_arm), settings({"", {}, 0.01}, 120), width);
  });
}

TEST(TreePackRuns, AFailedLaneKeepsItsReasonAndDisturbsNoOther) {
  const Mechanism arm = kMechanisms[1];
  const Steppers good = steppers(arm, kRkmk4, {2, 5});
  const auto bad = make_stepper(Model(run_away(arm.make())), kRkmk4);
  const auto records = simulate_pack({good[0].get(), bad.get(), good[1].get()}, settings(arm, 60));
  const auto expected = packed(arm, kRkmk4, {2, 5}, 60);
  EXPECT_TRUE(same_bits(numbers_of(records[0]), expected[0]));
  EXPECT_TRUE(same_bits(numbers_of(records[2]), expected[1]));
  ASSERT_TRUE(records[1].failure);
  EXPECT_NE(std::string(records[1].failure->what()).find("no longer finite"), std::string::npos);
}

TEST(TreePackRuns, SayWhatCannotBePacked) {
  const auto fault = [](const ModelDescription& d, const StepperChoice& choice) {
    const auto stepper = make_stepper(Model(d), choice);
    return pack_fault({stepper.get()});
  };
  EXPECT_NE(fault(reference::pendulum(), by("dopri5")).find("integrator"), std::string::npos);
  ModelDescription coupled = reference::three_link_arm();
  coupled.couplings.push_back({"gear", {{0, 0, 1}, {1, 0, -2}}, 0});
  EXPECT_EQ(fault(coupled, kRkmk4), "couplings");
  ModelDescription frames = reference::pendulum();
  frames.simulation.dynamics = Dynamics::moving_frame;
  EXPECT_EQ(fault(frames, kRkmk4), "dynamics by moving frames");
  const auto pendulum = make_stepper(Model(reference::pendulum()), kRkmk4);
  const auto other = make_stepper(Model(reference::pendulum()), by("rkmk3"));
  const auto arm = make_stepper(Model(reference::three_link_arm()), kRkmk4);
  const auto directors =
      make_stepper(Model(reference::pendulum()),
                   {.formulation = "rotationless", .integrator = "energy-momentum", .options = {}});
  EXPECT_NE(pack_fault({pendulum.get(), other.get()}).find("options"), std::string::npos);
  EXPECT_NE(pack_fault({pendulum.get(), arm.get()}).find("built alike"), std::string::npos);
  EXPECT_NE(pack_fault({pendulum.get(), directors.get()}).find("formulations"), std::string::npos);
}

}  // namespace
}  // namespace torsor
