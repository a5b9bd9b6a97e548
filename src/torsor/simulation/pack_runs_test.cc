#include "torsor/simulation/pack_runs.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>

#include "testing/linkages.h"
#include "testing/models.h"
#include "torsor/base/norm.h"

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
/// With stops and friction, too.
ModelDescription limited_arm() {
  ModelDescription d = reference::three_link_arm_with_tendons();
  for (Tendon& tendon : d.tendons) tendon.tension_only = true;
  d.stops.push_back({.name = "stop", .joint = 1, .ranges = {{-0.3, 0.3, 50, 0.1}}});
  d.friction.push_back({.name = "rub", .joint = 2, .laws = {{0.05, 0.01, 0.08, 0.1, 0.02}}});
  return d;
}

/// Free bodies are stepped alone.
ModelDescription tied_joints() {
  ModelDescription d = reference::all_joints();
  d.joints[0].type = JointType::spherical;
  d.initial.rates["free"].resize(3);
  return d;
}

const Mechanism kMechanisms[] = {
    {"driven arm", reference::driven_arm},
    {"arm with stops and slack tendons", limited_arm},
    {"chain on ball joints", [] { return reference::spherical_chain(6); }},
    {"four-bar", turning_four_bar},
    {"all joints", tied_joints},
};

/// The lane's own mechanism: masses differ.
Model variant(const Mechanism& mechanism, int number) {
  ModelDescription d = mechanism.make();
  for (std::size_t b = 0; b < d.bodies.size(); ++b) {
    const double share = 1 + 0.05 * number + 0.01 * number * static_cast<double>(b);
    d.bodies[b].mass *= share;
    d.bodies[b].inertia = share * d.bodies[b].inertia;
  }
  return Model(d);
}

std::vector<std::unique_ptr<Stepper>> steppers(const Mechanism& mechanism, const std::vector<int>& numbers) {
  std::vector<std::unique_ptr<Stepper>> all;
  for (const int number : numbers) all.push_back(make_stepper(variant(mechanism, number), kChoice));
  return all;
}
std::vector<Stepper*> pointers(const std::vector<std::unique_ptr<Stepper>>& all) {
  std::vector<Stepper*> of;
  for (const auto& stepper : all) of.push_back(stepper.get());
  return of;
}

/// What a run computed, number by number.
std::vector<double> numbers_of(const Record& record) {
  std::vector<double> all{record.ledger.energy_max_residual, record.ledger.energy_max_error,
                          static_cast<double>(record.ledger.steps)};
  for (const Observation& o : record.observations) {
    all.insert(all.end(), {o.time, o.kinetic, o.gravity, o.elastic, o.position_error, o.velocity_error});
    for (const Vec3<double>& momentum : {o.linear_momentum, o.angular_momentum}) {
      all.insert(all.end(), {momentum.x, momentum.y, momentum.z});
    }
    all.insert(all.end(), o.work.begin(), o.work.end());
    all.insert(all.end(), o.dissipated.begin(), o.dissipated.end());
    for (const BodyObservation& body : o.bodies) {
      for (int i = 0; i < 3; ++i)
        all.insert(all.end(), {body.com[i], body.velocity[i], body.angular_velocity[i]});
    }
    for (const JointObservation& joint : o.joints) {
      all.insert(all.end(), joint.position.begin(), joint.position.end());
    }
  }
  return all;
}
bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  }
  return true;
}

RunSettings settings(double duration) {
  RunSettings run;
  run.step = 0.01;
  run.duration = duration;
  run.record_every = 7;
  return run;
}

std::vector<std::vector<double>> packed_numbers(const Mechanism& mechanism, const std::vector<int>& lanes,
                                                double duration) {
  const auto all = steppers(mechanism, lanes);
  EXPECT_EQ(pack_fault(pointers(all)), "");
  std::vector<std::vector<double>> numbers;
  for (const Record& record : simulate_pack(pointers(all), settings(duration))) {
    EXPECT_FALSE(record.failure) << record.failure->what();
    numbers.push_back(numbers_of(record));
  }
  return numbers;
}

TEST(PackRuns, ALaneDoesNotDependOnItsNeighboursNorOnTheirNumber) {
  for (const Mechanism& mechanism : kMechanisms) {
    SCOPED_TRACE(mechanism.name);
    const auto alone = packed_numbers(mechanism, {3}, 2.0);
    const auto two = packed_numbers(mechanism, {9, 3}, 2.0);
    const auto eight = packed_numbers(mechanism, {3, 1, 2, 0, 4, 5, 6, 7}, 2.0);
    const auto others = packed_numbers(mechanism, {11, 12, 13, 14, 3, 15, 16, 17}, 2.0);
    EXPECT_TRUE(same_bits(alone[0], two[1]));
    EXPECT_TRUE(same_bits(alone[0], eight[0]));
    EXPECT_TRUE(same_bits(alone[0], others[4]));
    EXPECT_FALSE(same_bits(alone[0], two[0]));
  }
}

/// Kinks of their programs lie in different steps, which the lanes make alone.
TEST(PackRuns, ALaneThatLandsOnAKinkDoesNotDependOnItsNeighbours) {
  const auto numbers = [](const std::vector<int>& lanes) {
    std::vector<std::unique_ptr<Stepper>> all;
    for (const int number : lanes) {
      ModelDescription d = reference::driven_arm();
      for (Actuator& actuator : d.actuators) actuator.effort = make_hat(1.5, 0.213 + 0.037 * number, 0.9);
      all.push_back(make_stepper(Model(d), kChoice));
    }
    EXPECT_EQ(pack_fault(pointers(all)), "");
    std::vector<std::vector<double>> found;
    for (const Record& record : simulate_pack(pointers(all), settings(2.0))) {
      EXPECT_FALSE(record.failure) << record.failure->what();
      found.push_back(numbers_of(record));
    }
    return found;
  };
  const auto alone = numbers({3});
  EXPECT_TRUE(same_bits(alone[0], numbers({9, 3})[1]));
  EXPECT_TRUE(same_bits(alone[0], numbers({0, 1, 2, 3, 4, 5, 6, 7})[3]));
}

TEST(PackRuns, GiveTheMotionOfSingleRuns) {
  for (const Mechanism& mechanism : kMechanisms) {
    SCOPED_TRACE(mechanism.name);
    const std::vector<int> lanes{0, 1, 2, 3, 4};
    const auto all = steppers(mechanism, lanes);
    const std::vector<Record> packed = simulate_pack(pointers(all), settings(1.0));
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const auto stepper = make_stepper(variant(mechanism, lanes[i]), kChoice);
      const Record single = simulate(*stepper, settings(1.0));
      const std::vector<double> a = numbers_of(packed[i]), b = numbers_of(single);
      ASSERT_EQ(a.size(), b.size());
      double apart = 0;
      for (std::size_t k = 3; k < a.size(); ++k)
        keep_largest(apart, std::abs(a[k] - b[k]) / (1 + std::abs(b[k])));
      EXPECT_LE(apart, 1e-10);
      EXPECT_LE(packed[i].ledger.energy_max_residual, 1e-11 * packed[i].ledger.energy_scale);
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
  ModelDescription mad = arm.make();
  mad.initial.rates = {{mad.joints[0].name, {1e200}}};
  const auto good = steppers(arm, {2, 5});
  const auto bad = make_stepper(Model(mad), kChoice);
  const std::vector<Record> records = simulate_pack({good[0].get(), bad.get(), good[1].get()}, settings(1.0));
  const auto expected = packed_numbers(arm, {2, 5}, 1.0);
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

}  // namespace
}  // namespace torsor
