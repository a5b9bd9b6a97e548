#include "torsor/simulation/pack_runs.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "testing/linkages.h"
#include "testing/packs.h"
#include "torsor/formulation/rotationless/pack.h"
#include "torsor/integrator/pack_energy_momentum.h"
#include "torsor/simulation/constrained_stepper.h"

namespace torsor {
namespace {

const StepperChoice kChoice{.formulation = "rotationless", .integrator = "energy-momentum", .options = {}};

struct Mechanism {
  const char* name;
  std::function<ModelDescription()> make;
};

ModelDescription turning_four_bar() {
  ModelDescription d = reference::four_bar(0.5, 1.5, 1.0, 1.5);
  d.gravity = {0, -9.81, 0};
  d.initial.joints = {{"drive", {1.5708}}, {"crank_pin", {-1.3}}, {"pivot", {1.57}}};
  d.initial.rates = {{"drive", {2}}};
  d.initial.assemble = true;
  return d;
}
/// Of which nothing is tied to the ground, far from it and fast.
ModelDescription flying_pair() {
  ModelDescription d = reference::all_joints();
  d.initial.rates["free"] = {0.3, -0.2, 0.5, 30, -20, 10};
  return d;
}

const Mechanism kMechanisms[] = {
    {"driven arm", reference::driven_arm},
    {"arm with stops and slack tendons", limited_arm},
    {"chain on ball joints", [] { return reference::spherical_chain(6); }},
    {"four-bar", turning_four_bar},
    {"all joints", reference::all_joints},
    {"what flies away", flying_pair},
};

Steppers steppers(const Mechanism& mechanism, const std::vector<int>& numbers) {
  return make_steppers(numbers, kChoice,
                       [&](int number) { return with_other_masses(mechanism.make(), number); });
}

RunSettings settings(double duration) {
  RunSettings run;
  run.step = 0.01;
  run.duration = duration;
  run.record_every = 7;
  return run;
}

TEST(PackRuns, ALaneDoesNotDependOnItsNeighboursNorOnTheirNumber) {
  for (const Mechanism& mechanism : kMechanisms) {
    SCOPED_TRACE(mechanism.name);
    expect_own_numbers([&](const std::vector<int>& lanes, int width) {
      return packed_numbers(steppers(mechanism, lanes), settings(2.0), width);
    });
  }
}

/// Kinks of their programs lie in different steps, which the lanes make alone.
TEST(PackRuns, ALaneThatLandsOnAKinkDoesNotDependOnItsNeighbours) {
  expect_own_numbers([&](const std::vector<int>& lanes, int width) {
    return packed_numbers(make_steppers(lanes, kChoice, kinked_arm), settings(2.0), width);
  });
}

/// What is left of compensated sums, too: a checkpoint in the middle keeps it.
TEST(PackRuns, TheIntegratorOfALaneStandsWhereTheLaneDoes) {
  for (const Mechanism& mechanism : kMechanisms) {
    SCOPED_TRACE(mechanism.name);
    const Steppers all = steppers(mechanism, {0, 1, 2});
    std::vector<ConstrainedSystem*> systems;
    std::vector<EnergyMomentum*> integrators;
    for (const auto& stepper : all) {
      auto& constrained = dynamic_cast<ConstrainedStepper&>(*stepper);
      systems.push_back(&constrained.system());
      integrators.push_back(&dynamic_cast<EnergyMomentum&>(constrained.integrator()));
    }
    const auto system = make_rotationless_pack<Pack<4>>(systems);
    PackEnergyMomentum<Pack<4>> pack(*system, integrators);
    for (int i = 0; i < 5; ++i) pack.step(0.01, all_lanes<Pack<4>>());
    for (int lane = 0; lane < 3; ++lane) {
      const ConstrainedState& own = integrators[lane]->state();
      const auto expect_lane = [&](const Numbers& numbers, const std::vector<Pack<4>>& packs) {
        ASSERT_EQ(numbers.size(), packs.size());
        for (std::size_t i = 0; i < packs.size(); ++i) EXPECT_EQ(numbers[i], packs[i][lane]);
      };
      expect_lane(own.x, pack.state().x);
      expect_lane(own.v, pack.state().v);
      expect_lane(own.angles, pack.state().angles);
      expect_lane(own.z, pack.state().z);
      expect_lane(own.lost, pack.state().lost);
      expect_lane(own.x_lost, pack.state().x_lost);
      expect_lane(own.v_lost, pack.state().v_lost);
      EXPECT_EQ(own.time, pack.state().time);
    }
  }
}

/// A steady spin is foreseen: the first correction of a step is the last, and one evaluation is all that it takes.
TEST(PackRuns, CountTheEvaluationsThatTheyMake) {
  constexpr int kSteps = 200;
  ModelDescription steady = reference::pendulum();
  steady.gravity = {};
  steady.initial.rates = {{steady.joints[0].name, {1}}};
  const Steppers all = make_steppers(
      {0, 1}, kChoice, [&](int number) { return number == 0 ? steady : reference::pendulum(); });
  const auto alone = make_stepper(Model(steady), kChoice);
  simulate(*alone, settings(kSteps * 0.01));
  simulate_pack(pointers(all), settings(kSteps * 0.01));
  EXPECT_LE(alone->evaluations(), 1.2 * kSteps);
  EXPECT_LE(all[0]->evaluations(), 1.2 * kSteps);
  EXPECT_GE(all[0]->evaluations(), kSteps);
  EXPECT_GE(all[1]->evaluations(), 2 * kSteps);
}

TEST(PackRuns, TakeTheWidthThatWasMeasuredToBeQuickest) {
  for (const int best : StepperPack::kWidths) {
    PackWidth width;
    EXPECT_FALSE(width.is_decided());
    std::set<int> tried;
    for (int pack = 0; pack < 6; ++pack) {
      tried.insert(width.next());
      width.book(width.next(), width.next() == best ? 1e-6 + 1e-9 * pack : 2e-6);
    }
    EXPECT_EQ(tried.size(), std::size(StepperPack::kWidths));
    EXPECT_TRUE(width.is_decided());
    EXPECT_EQ(width.next(), best);
  }
}

TEST(PackRuns, GiveTheMotionOfSingleRuns) {
  for (const Mechanism& mechanism : kMechanisms) {
    SCOPED_TRACE(mechanism.name);
    const std::vector<int> lanes{0, 1, 2, 3, 4};
    const Steppers all = steppers(mechanism, lanes);
    const std::vector<Record> packed = simulate_pack(pointers(all), settings(1.0));
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const Record single = simulate(*steppers(mechanism, {lanes[i]})[0], settings(1.0));
      // 1.1e-11, of what flies away
      EXPECT_LE(apart(motion_numbers(packed[i]), motion_numbers(single)), 5e-11);
      EXPECT_LE(packed[i].ledger.energy_max_residual,
                1e-13 * packed[i].ledger.energy_scale);  // all are below
      EXPECT_EQ(packed[i].ledger.steps, single.ledger.steps);
      // What lies between the records: largest errors, and speeds by the phase of the motion in a step.
      EXPECT_NEAR(*packed[i].ledger.velocity_max, *single.ledger.velocity_max, 1e-10);  // 2e-14
      const MotionIndicator &of_pack = packed[i].ledger.accuracy.indicator,
                            &of_single = single.ledger.accuracy.indicator;
      EXPECT_NEAR(of_pack.phase, of_single.phase, 1e-7 * of_single.phase);  // 2e-9, of second differences
    }
  }
}

TEST(PackRuns, AFailedLaneKeepsItsReasonAndDisturbsNoOther) {
  const Mechanism arm = kMechanisms[0];
  const Steppers good = steppers(arm, {2, 5});
  const auto bad = make_stepper(Model(run_away(arm.make())), kChoice);
  const std::vector<Record> records = simulate_pack({good[0].get(), bad.get(), good[1].get()}, settings(1.0));
  const auto expected = packed_numbers(steppers(arm, {2, 5}), settings(1.0));
  EXPECT_TRUE(same_bits(numbers_of(records[0]), expected[0]));
  EXPECT_TRUE(same_bits(numbers_of(records[2]), expected[1]));
  ASSERT_TRUE(records[1].failure);
  EXPECT_NE(std::string(records[1].failure->what()), "");
}

TEST(PackRuns, ModelsThatCannotBePackedRunOneByOneAndSayWhy) {
  const auto arm = make_stepper(Model(reference::driven_arm()), kChoice);
  const auto chain = make_stepper(Model(reference::spherical_chain(3)), kChoice);
  const auto bricard = make_stepper(Model(reference::bricard()), kChoice);
  EXPECT_EQ(pack_fault({arm.get()}), "");
  EXPECT_NE(pack_fault({arm.get(), chain.get()}), "");
  EXPECT_NE(pack_fault({}), "");
  StepperChoice loose = kChoice;
  loose.options = {{"tolerance", 1e-10}};
  const auto other = make_stepper(Model(reference::driven_arm()), loose);
  EXPECT_EQ(pack_fault({other.get()}), "");
  EXPECT_NE(pack_fault({arm.get(), other.get()}).find("options"), std::string::npos);
  EXPECT_NE(pack_fault({bricard.get()}).find("redundant"), std::string::npos);
  const std::vector<Record> records = simulate_pack({bricard.get()}, settings(0.1));
  const auto again = make_stepper(Model(reference::bricard()), kChoice);
  EXPECT_TRUE(same_bits(numbers_of(records[0]), numbers_of(simulate(*again, settings(0.1)))));
}

/// After one that cannot be packed others are tried by themselves first, and give the same.
TEST(PackRuns, AmongThoseThatCannotBePackedOthersGiveTheSame) {
  const Model loops(reference::bricard()), arm(reference::driven_arm());
  const Model* const models[] = {&loops, &arm, &arm, &loops, &loops, &arm};
  std::vector<std::unique_ptr<Stepper>> made;
  std::vector<Stepper*> steppers;
  for (const Model* model : models)
    steppers.push_back(made.emplace_back(make_stepper(*model, kChoice)).get());
  const std::vector<Record> records = simulate_pack(steppers, settings(0.1));
  ASSERT_EQ(records.size(), std::size(models));
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto alone = make_stepper(*models[i], kChoice);
    const std::vector<Record> wanted = simulate_pack({alone.get()}, settings(0.1));
    EXPECT_TRUE(same_bits(numbers_of(records[i]), numbers_of(wanted[0]))) << i;
  }
}

}  // namespace
}  // namespace torsor
