// Steppers and packs that are used again for other models: to the last bit what new ones would be.

#include <gtest/gtest.h>

#include <functional>

#include "testing/linkages.h"
#include "testing/packs.h"
#include "testing/random_elements.h"
#include "testing/random_models.h"
#include "torsor/assembly/start.h"
#include "torsor/simulation/record.h"

namespace torsor {
namespace {

const StepperChoice kChoice{.formulation = "rotationless", .integrator = "energy-momentum", .options = {}};

/// Other masses, places and laws.
ModelDescription with_other_numbers(ModelDescription d, int number) {
  const double share = 1 + 0.03 * number;
  d = with_other_masses(std::move(d), number);
  d.gravity = share * d.gravity;
  for (Point& point : d.points) point.p_B = share * point.p_B;
  for (Tendon& tendon : d.tendons) {
    for (Point& point : tendon.path) point.p_B = share * point.p_B;
    tendon.stiffness *= share;
    tendon.damping *= share;
  }
  for (JointSpring& spring : d.joint_springs) {
    for (double& k : spring.stiffness) k *= share;
  }
  for (Actuator& actuator : d.actuators) actuator.effort = Program(0.1 * number);
  return d;
}
/// And of another size.
ModelDescription resized(ModelDescription d, int number) {
  for (Joint& joint : d.joints) joint.in_parent.position = (1 + 0.02 * number) * joint.in_parent.position;
  return with_other_numbers(std::move(d), number);
}
/// In different laws alone: bodies and joints are the same.
ModelDescription with_other_tendons(ModelDescription d, int number) {
  for (Tendon& tendon : d.tendons) tendon.stiffness *= 1 + 0.2 * number;
  d.initial.joints = {{d.joints[0].name, {0.1 * number}}};
  return d;
}
/// All that is no function, muscle or controller.
ModelDescription with_elements(ModelDescription d, unsigned seed) {
  add_every_element(d, seed);
  for (Tendon& tendon : d.tendons) tendon.muscle.reset();
  d.controllers.clear();
  d.laws.clear();
  d.point_laws.clear();
  return d;
}
ModelDescription turning_four_bar() {
  ModelDescription d = reference::four_bar(0.5, 1.5, 1.0, 1.5);
  d.gravity = {0, -9.81, 0};
  d.initial.joints = {{"drive", {1.5708}}, {"crank_pin", {-1.3}}, {"pivot", {1.57}}};
  d.initial.rates = {{"drive", {2}}};
  d.initial.assemble = true;
  return d;
}

ModelDescription slider(JointType type) {
  ModelDescription d;
  Body body;
  body.name = "slider";
  body.mass = 1;
  body.inertia = {1, 1, 1};
  d.bodies = {body};
  Joint guide;
  guide.name = "guide";
  guide.type = type;
  guide.child = 0;
  d.joints = {guide};
  return d;
}
/// Laws that vanish for some numbers, and are left out there: others take their places in the lists of elements.
ModelDescription with_vanishing_laws(int number) {
  ModelDescription d = slider(JointType::cylindrical);
  JointSpring spring;
  spring.name = "spring";
  spring.stiffness = {number % 2 * 3.0, 2};
  spring.damping = {0, 0.1};
  spring.rest = {0, 0};
  d.joint_springs = {spring};
  JointFriction rub;
  rub.name = "rub";
  rub.laws.resize(2);
  rub.laws[0].viscous = number % 2 * 0.4;
  rub.laws[1].viscous = 5;
  d.friction = {rub};
  d.initial.rates = {{"guide", {2, 1.0 + number}}};
  return d;
}
/// On a rope with a motor, whose winch moves or not.
ModelDescription with_a_winch(int number) {
  ModelDescription d = slider(JointType::prismatic);
  Tendon rope;
  rope.name = "rope";
  rope.path = {{"post", kWorld, {0, 0, -2}}, {"end", 0, {}}};
  rope.stiffness = 10;
  rope.rest_length = number % 2 == 0 ? make_expression("1 + 0.5 * t", {}) : Program(1);
  rope.damping = 20;
  rope.tension = Program(0.5);
  d.tendons = {rope};
  d.initial.rates = {{"guide", {0.1 * number}}};
  return d;
}

struct Mechanism {
  std::string name;
  std::function<ModelDescription(int number)> make;
};

std::vector<Mechanism> mechanisms() {
  std::vector<Mechanism> all{
      {"arm with tendons",
       [](int n) { return with_other_tendons(reference::three_link_arm_with_tendons(), n); }},
      {"driven arm", [](int n) { return resized(reference::driven_arm(), n); }},
      {"arm with stops and slack tendons", [](int n) { return resized(limited_arm(), n); }},
      {"arm with kinks", kinked_arm},
      {"chain on ball joints", [](int n) { return resized(reference::spherical_chain(6), n); }},
      {"all joints", [](int n) { return resized(reference::all_joints(), n); }},
      {"four-bar", [](int n) { return with_other_numbers(turning_four_bar(), n); }},
      {"four-bar in space", [](int n) {
         ModelDescription d = reference::spatial_four_bar();
         d.initial.joints["drive"] = {1};
         d.initial.rates["drive"] = {2};
         d.initial.assemble = true;
         return with_other_numbers(d, n);
       }}};
  for (unsigned seed = 0; seed < 6; ++seed) {
    all.push_back({"planar tree " + std::to_string(seed),
                   [seed](int n) { return resized(with_elements(random_planar_tree(5, seed), seed), n); }});
    all.push_back({"tree " + std::to_string(seed),
                   [seed](int n) { return resized(with_elements(random_tree(6, seed), seed), n); }});
  }
  return all;
}

bool take(Stepper& stepper, const ModelDescription& description) {
  auto model = std::make_shared<const Model>(description);
  auto start = std::make_shared<const Start>(make_start(*model));
  return stepper.take(std::move(model), std::move(start));
}

/// What it steps through, and all that the next steps depend on.
Numbers motion_of(Stepper& stepper) {
  Numbers all = numbers_of(simulate(stepper, {.step = 0.005, .duration = 0.1}));
  const StepperState state = stepper.state();
  all.insert(all.end(), state.memory.begin(), state.memory.end());
  all.push_back(static_cast<double>(stepper.evaluations()));
  return all;
}

TEST(StepperTakes, WhatANewOneWouldBeMadeOf) {
  for (const Mechanism& mechanism : mechanisms()) {
    SCOPED_TRACE(mechanism.name);
    const auto used = make_stepper(Model(mechanism.make(1)), kChoice);
    const Numbers before = motion_of(*used);
    const auto fresh = make_stepper(Model(mechanism.make(2)), kChoice);
    const Numbers at_start = fresh->state().memory;
    ASSERT_TRUE(take(*used, mechanism.make(2)));
    EXPECT_TRUE(same_bits(used->state().memory, at_start));
    const Numbers wanted = motion_of(*fresh), found = motion_of(*used);
    EXPECT_TRUE(same_bits(found, wanted));
    EXPECT_FALSE(same_bits(found, before));
    ASSERT_TRUE(take(*used, mechanism.make(1)));
    EXPECT_TRUE(same_bits(motion_of(*used), before));
  }
}

/// Its last run left numbers that are none wherever it computes.
TEST(StepperTakes, NothingFromARunThatFailed) {
  for (const Mechanism& mechanism : mechanisms()) {
    SCOPED_TRACE(mechanism.name);
    ModelDescription lost = mechanism.make(1);
    lost.initial.assemble = true;
    const auto used = make_stepper(Model(lost), kChoice);
    ModelDescription far = lost;
    far.gravity = {0, -1e300, 0};
    ASSERT_TRUE(take(*used, far));
    EXPECT_TRUE(simulate(*used, {.step = 0.005, .duration = 0.1}).failure);
    const auto fresh = make_stepper(Model(mechanism.make(2)), kChoice);
    ASSERT_TRUE(take(*used, mechanism.make(2)));
    EXPECT_TRUE(same_bits(motion_of(*used), motion_of(*fresh)));
  }
}

TEST(StepperTakes, OtherStartsAndTimes) {
  ModelDescription late = reference::driven_arm();
  late.initial.time = 0.3;
  late.initial.rates = {{late.joints[0].name, {2}}};
  const auto used = make_stepper(Model(reference::driven_arm()), kChoice);
  motion_of(*used);
  ASSERT_TRUE(take(*used, late));
  EXPECT_EQ(used->time(), 0.3);
  EXPECT_TRUE(same_bits(motion_of(*used), motion_of(*make_stepper(Model(late), kChoice))));
}

TEST(StepperTakes, NoModelThatIsBuiltOtherwise) {
  const ModelDescription arm = limited_arm();
  const auto refuses = [](const ModelDescription& made, const StepperChoice& choice,
                          const std::function<void(ModelDescription&)>& change) {
    ModelDescription other = made;
    change(other);
    return !take(*make_stepper(Model(made), choice), other);
  };
  EXPECT_FALSE(refuses(arm, kChoice, [](ModelDescription&) {}));
  EXPECT_TRUE(refuses(arm, kChoice, [](ModelDescription& d) { d.bodies[1].name = "other"; }));
  EXPECT_TRUE(refuses(arm, kChoice, [](ModelDescription& d) { d.joints[1].name = "other"; }));
  EXPECT_TRUE(refuses(arm, kChoice, [](ModelDescription& d) { d.tendons.pop_back(); }));
  EXPECT_TRUE(refuses(arm, kChoice, [](ModelDescription& d) { d.tendons[0].name = "other"; }));
  EXPECT_TRUE(refuses(arm, kChoice, [](ModelDescription& d) { d.tendons[0].tension = Program(1); }));
  EXPECT_TRUE(refuses(arm, kChoice, [](ModelDescription& d) { d.tendons[0].path[0].body = 2; }));
  EXPECT_TRUE(refuses(arm, kChoice, [](ModelDescription& d) { d.stops[0].ranges[0].upper = INFINITY; }));
  EXPECT_TRUE(refuses(arm, kChoice, [](ModelDescription& d) { d.joints[1].armature = {0.1}; }));
  EXPECT_TRUE(refuses(arm, kChoice, [](ModelDescription& d) { d.simulation.step = 0.5; }));
  EXPECT_TRUE(refuses(arm, kChoice, [](ModelDescription& d) {
    d.joints[2].type = JointType::prismatic;
    d.joints[2].axis = {1, 0, 0};
  }));
  const auto nothing = [](ModelDescription&) {};
  StepperChoice other = kChoice;
  other.integrator = "generalized-alpha";
  EXPECT_TRUE(refuses(arm, other, nothing));
  other = kChoice;
  other.options = {{"reduction", std::string("null-space")}};
  EXPECT_TRUE(refuses(arm, other, nothing));
  other = kChoice;
  other.external = true;
  EXPECT_TRUE(refuses(arm, other, nothing));
}

/// The pack that a bench of one width has kept.
const StepperPack* kept(const PackBench& bench) {
  for (const auto& pack : bench.packs) {
    if (pack) return pack.get();
  }
  return nullptr;
}

/// Else what follows would compare packs that are new each time.
TEST(PackTakes, LanesThatAreBuiltAlikeAndNoOthers) {
  const auto arms = [](const std::vector<int>& numbers, const StepperChoice& choice) {
    return make_steppers(numbers, choice,
                         [](int n) { return with_other_masses(reference::driven_arm(), n); });
  };
  const Steppers first = arms({0, 1}, kChoice), next = arms({2, 3, 4}, kChoice);
  const Steppers chain = make_steppers({0}, kChoice, [](int) { return reference::spherical_chain(3); });
  StepperChoice loose = kChoice;
  loose.options = {{"tolerance", 1e-10}};
  const Steppers looser = arms({0}, loose);
  for (const int width : StepperPack::kWidths) {
    for (const Steppers* others : {&chain, &looser}) {
      StepperPack pack(pointers(first), width);
      EXPECT_TRUE(pack.take(pointers(next)));
      EXPECT_EQ(pack.size(), 3);
      EXPECT_FALSE(pack.take(pointers(*others)));
    }
  }
}

TEST(PackTakes, LanesOfOtherNumbers) {
  int tried = 0, taken = 0;
  for (const Mechanism& mechanism : mechanisms()) {
    SCOPED_TRACE(mechanism.name);
    const auto lanes = [&](const std::vector<int>& numbers) {
      return make_steppers(numbers, kChoice, mechanism.make);
    };
    if (!pack_fault(pointers(lanes({0}))).empty()) continue;
    ++tried;
    const RunSettings settings{.step = 0.005, .duration = 0.1, .record_every = 3};
    for (const int width : StepperPack::kWidths) {
      PackBench bench{PackWidth::of(width)};
      const auto run = [&](const std::vector<int>& numbers) {
        const StepperPack* const before = kept(bench);
        std::vector<Numbers> all;
        for (const Record& record : simulate_pack(pointers(lanes(numbers)), settings, {}, true, &bench)) {
          all.push_back(numbers_of(record));
        }
        taken += before && kept(bench) == before;
        return all;
      };
      const std::vector<Numbers> first = run({0, 1, 2, 3}), second = run({4, 5, 2}), third = run({3, 1});
      EXPECT_TRUE(same_bits(first[2], second[2]));
      EXPECT_TRUE(same_bits(first[3], third[0]));
      EXPECT_TRUE(same_bits(first[1], third[1]));
      EXPECT_TRUE(same_bits(second[0], packed_numbers(lanes({4}), settings, width)[0]));
      EXPECT_FALSE(same_bits(second[0], second[1]));
    }
  }
  EXPECT_GE(tried, 7);
  EXPECT_GE(taken, 7 * 4);  // at two widths, twice each
}

TEST(PackTakes, NothingFromALaneThatFailed) {
  const RunSettings settings{.step = 0.01, .duration = 0.2};
  PackBench bench;
  const auto lane = [](const ModelDescription& d) { return make_stepper(Model(d), kChoice); };
  const ModelDescription arm = reference::driven_arm();
  const auto good = lane(with_other_masses(arm, 1)), bad = lane(run_away(arm));
  simulate_pack({bad.get(), good.get()}, settings, {}, true, &bench);
  const StepperPack* const before = kept(bench);
  ASSERT_TRUE(before);
  const auto next = lane(with_other_masses(arm, 2)), fresh = lane(with_other_masses(arm, 2));
  const Record found = simulate_pack({next.get()}, settings, {}, true, &bench)[0];
  EXPECT_EQ(kept(bench), before);
  EXPECT_TRUE(same_bits(numbers_of(found), numbers_of(simulate_pack({fresh.get()}, settings)[0])));
}

/// What packs held before is gone, also where a list of elements has grown or a winch stands still.
TEST(PackTakes, LanesWithMoreOrFewerElements) {
  const RunSettings settings{.step = 0.01, .duration = 0.3};
  for (const auto make : {with_vanishing_laws, with_a_winch}) {
    PackBench bench{PackWidth::of(8)};
    for (const std::vector<int>& numbers : {std::vector{0, 2}, {1, 3}, {4, 6}, {5, 7}}) {
      const StepperPack* const before = kept(bench);
      const auto lanes = make_steppers(numbers, kChoice, make);
      const std::vector<Record> found = simulate_pack(pointers(lanes), settings, {}, true, &bench);
      EXPECT_TRUE(numbers[0] == 0 || kept(bench) == before);
      const std::vector<Numbers> wanted = packed_numbers(make_steppers(numbers, kChoice, make), settings);
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_TRUE(same_bits(numbers_of(found[i]), wanted[i])) << numbers[i];
      }
    }
  }
}

/// One of more bodies, and one of other joints.
TEST(PackTakes, NoLanesThatAreBuiltOtherwise) {
  const RunSettings settings{.step = 0.01, .duration = 0.2};
  PackBench bench;
  for (const auto& make : {+[] { return reference::driven_arm(); }, +[] { return limited_arm(); },
                           +[] { return reference::spherical_chain(3); }, +[] { return turning_four_bar(); },
                           +[] { return reference::driven_arm(); }}) {
    const StepperPack* const before = kept(bench);
    const auto used = make_stepper(Model(make()), kChoice), fresh = make_stepper(Model(make()), kChoice);
    const Record found = simulate_pack({used.get()}, settings, {}, true, &bench)[0];
    EXPECT_NE(kept(bench), before);
    EXPECT_TRUE(same_bits(numbers_of(found), numbers_of(simulate_pack({fresh.get()}, settings)[0])));
  }
}

}  // namespace
}  // namespace torsor
