// Packs of trees in joint coordinates: methods of fixed step.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>

#include "testing/models.h"
#include "testing/random_elements.h"
#include "testing/random_models.h"
#include "torsor/base/norm.h"
#include "torsor/simulation/pack_runs.h"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

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

/// Stops that are touched, slack tendons, friction.
ModelDescription limited_arm() {
  ModelDescription d = reference::three_link_arm_with_tendons();
  for (Tendon& tendon : d.tendons) tendon.tension_only = true;
  d.stops.push_back({.name = "stop", .joint = 1, .ranges = {{-0.3, 0.3, 50, 0.1}}});
  d.stops.push_back({.name = "short", .ranges = {{0.2, 1.9, 50, 0.1}}, .tendon = 1});
  d.friction.push_back({.name = "rub", .joint = 2, .laws = {{0.05, 0.01, 0.08, 0.1, 0.02}}});
  return d;
}
ModelDescription with_every_element(ModelDescription d, unsigned seed) {
  add_every_element(d, seed);
  return d;
}

const Mechanism kMechanisms[] = {
    {"pendulum", reference::pendulum, 0.01},
    {"driven arm", reference::driven_arm, 0.01},
    {"arm with stops and slack tendons", limited_arm, 0.01},
    {"chain on ball joints", [] { return reference::spherical_chain(6); }, 0.01},
    {"all joints", reference::all_joints, 0.01},
    {"all elements", reference::all_elements, 0.01},
    {"random tree", [] { return with_every_element(random_tree(9, 4), 5); }, 0.001},
    {"random geared tree", [] { return with_every_element(random_geared_tree(7, 3), 8); }, 0.001},
    {"random planar tree", [] { return with_every_element(random_planar_tree(7, 2), 3); }, 0.001},
};

/// The lane's own: masses, tendons and starts differ.
Model variant(const Mechanism& mechanism, int number) {
  ModelDescription d = mechanism.make();
  for (std::size_t b = 0; b < d.bodies.size(); ++b) {
    const double share = 1 + 0.05 * number + 0.01 * number * static_cast<double>(b);
    d.bodies[b].mass *= share;
    d.bodies[b].inertia = share * d.bodies[b].inertia;
  }
  for (Tendon& tendon : d.tendons) tendon.stiffness *= 1 + 0.02 * number;
  for (auto& [joint, rates] : d.initial.rates) {
    for (double& rate : rates) rate += 0.1 * number;
  }
  return Model(d);
}

using Steppers = std::vector<std::unique_ptr<Stepper>>;
Steppers steppers(const Mechanism& mechanism, const StepperChoice& choice, const std::vector<int>& numbers) {
  Steppers all;
  for (const int number : numbers) all.push_back(make_stepper(variant(mechanism, number), choice));
  return all;
}
std::vector<Stepper*> pointers(const Steppers& all) {
  std::vector<Stepper*> of;
  for (const auto& stepper : all) of.push_back(stepper.get());
  return of;
}

/// What a run computed, number by number.
Numbers numbers_of(const Record& record) {
  Numbers all{static_cast<double>(record.ledger.steps)};
  for (const Observation& o : record.observations) {
    all.insert(all.end(), {o.time, o.kinetic, o.gravity, o.elastic});
    all.insert(all.end(), o.work.begin(), o.work.end());
    all.insert(all.end(), o.dissipated.begin(), o.dissipated.end());
    for (const JointObservation& joint : o.joints) {
      all.insert(all.end(), joint.position.begin(), joint.position.end());
      all.insert(all.end(), joint.rate.begin(), joint.rate.end());
    }
  }
  return all;
}
bool same_bits(const Numbers& a, const Numbers& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  }
  return true;
}
double apart(const Numbers& a, const Numbers& b) {
  double most = a.size() == b.size() ? 0 : NAN;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    keep_largest(most, std::abs(a[k] - b[k]) / (1 + std::abs(b[k])));
  }
  return most;
}

RunSettings settings(const Mechanism& mechanism, int steps) {
  RunSettings run;
  run.step = mechanism.step;
  run.duration = steps * mechanism.step;
  run.record_every = 7;
  return run;
}

std::vector<Numbers> packed(const Mechanism& mechanism, const StepperChoice& choice,
                            const std::vector<int>& lanes, int steps) {
  const Steppers all = steppers(mechanism, choice, lanes);
  EXPECT_EQ(pack_fault(pointers(all)), "");
  std::vector<Numbers> numbers;
  for (const Record& record : simulate_pack(pointers(all), settings(mechanism, steps))) {
    EXPECT_FALSE(record.failure) << record.failure->what();
    numbers.push_back(numbers_of(record));
  }
  return numbers;
}

TEST(TreePackRuns, ALaneDoesNotDependOnItsNeighboursNorOnTheirNumber) {
  constexpr int kSteps = 150;
  for (const Mechanism& mechanism : kMechanisms) {
    for (const StepperChoice& choice : kMethods) {
      SCOPED_TRACE(mechanism.name + (" by " + choice.integrator));
      const auto alone = packed(mechanism, choice, {3}, kSteps);
      const auto two = packed(mechanism, choice, {9, 3}, kSteps);
      const auto eight = packed(mechanism, choice, {3, 1, 2, 0, 4, 5, 6, 7}, kSteps);
      const auto others = packed(mechanism, choice, {11, 12, 13, 14, 3, 15, 16, 17}, kSteps);
      EXPECT_TRUE(same_bits(alone[0], two[1]));
      EXPECT_TRUE(same_bits(alone[0], eight[0]));
      EXPECT_TRUE(same_bits(alone[0], others[4]));
      EXPECT_FALSE(same_bits(alone[0], two[0]));
    }
  }
}

TEST(TreePackRuns, GiveTheMotionOfSingleRuns) {
  constexpr int kSteps = 50;
  for (const Mechanism& mechanism : kMechanisms) {
    for (const StepperChoice& choice : kMethods) {
      SCOPED_TRACE(mechanism.name + (" by " + choice.integrator));
      const std::vector<int> lanes{0, 1, 2, 3, 4};
      const std::vector<Numbers> together = packed(mechanism, choice, lanes, kSteps);
      for (std::size_t i = 0; i < lanes.size(); ++i) {
        const auto stepper = make_stepper(variant(mechanism, lanes[i]), choice);
        // measured 6e-14, on the chain by rkmk2
        EXPECT_LE(apart(together[i], numbers_of(simulate(*stepper, settings(mechanism, kSteps)))), 1e-12);
      }
    }
  }
}

/// Kinks of their programs lie in different steps, which the lanes make alone.
TEST(TreePackRuns, ALaneThatLandsOnAKinkDoesNotDependOnItsNeighbours) {
  const auto numbers = [](const std::vector<int>& lanes) {
    Steppers all;
    for (const int number : lanes) {
      ModelDescription d = reference::driven_arm();
      for (Actuator& actuator : d.actuators) actuator.effort = make_hat(1.5, 0.213 + 0.037 * number, 0.9);
      all.push_back(make_stepper(Model(d), kRkmk4));
    }
    std::vector<Numbers> found;
    for (const Record& record : simulate_pack(pointers(all), settings({"", {}, 0.01}, 120))) {
      found.push_back(numbers_of(record));
    }
    return found;
  };
  const auto alone = numbers({3});
  EXPECT_TRUE(same_bits(alone[0], numbers({9, 3})[1]));
  EXPECT_TRUE(same_bits(alone[0], numbers({0, 1, 2, 3, 4, 5, 6, 7})[3]));
}

TEST(TreePackRuns, AFailedLaneKeepsItsReasonAndDisturbsNoOther) {
  const Mechanism arm = kMechanisms[1];
  ModelDescription mad = arm.make();
  mad.initial.rates = {{mad.joints[0].name, {1e200}}};
  const Steppers good = steppers(arm, kRkmk4, {2, 5});
  const auto bad = make_stepper(Model(mad), kRkmk4);
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
