#include "torsor/simulation/stepper.h"

#include <gtest/gtest.h>

#include <thread>

#include "testing/linkages.h"
#include "testing/models.h"
#include "torsor/base/error.h"
#include "torsor/simulation/formulations.h"

namespace torsor {
namespace {

constexpr double kStep = 0.001;

struct Case {
  std::string name;
  Model model;
  StepperChoice choice;
};

/// Every formulation with every integrator that fits it, on a mechanism that it can simulate.
std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const ModelDescription& description, const std::string& formulation,
                       StepperChoice choice = {}) {
    const Model model(description);
    for (const auto& [integrator, entry] : integrators()) {
      if (!formulations().find(formulation)->fits(entry)) continue;
      if (!choice.options.empty() && integrator != choice.integrator) continue;
      StepperChoice one = choice;
      one.formulation = formulation;
      one.integrator = integrator;
      all.push_back({description.name + " " + formulation + " " + integrator, model, one});
    }
  };
  add(reference::all_elements(), "joint");
  add(reference::driven_arm(), "rotationless");
  add(reference::three_link_arm_with_tendons(), "cartesian");
  add(reference::spherical_chain(3), "rotationless");
  add(reference::spherical_chain(12), "joint");
  add(reference::driven_arm(), "rotationless",
      {.integrator = "energy-momentum", .options = {{"reduction", std::string("null-space")}}});
  add(reference::driven_arm(), "rotationless", {.integrator = "petrov-galerkin", .options = {{"m", 1.0}}});
  add(reference::driven_arm(), "joint", {.integrator = "gauss-legendre", .options = {{"adaptive", 1e-8}}});
  ModelDescription loop = reference::spatial_four_bar();
  loop.initial.joints["drive"] = {1};
  loop.initial.rates["drive"] = {2};
  loop.initial.assemble = true;
  add(loop, "rotationless");
  add(loop, "rotationless",
      {.integrator = "energy-momentum", .options = {{"reduction", std::string("null-space")}}});
  return all;
}

/// All numbers that a state shows.
std::vector<double> seen(Stepper& stepper) {
  Observation o = stepper.make_observation();
  stepper.observe(o);
  std::vector<double> numbers{o.time, o.kinetic, o.gravity, o.elastic};
  numbers.insert(numbers.end(), o.work.begin(), o.work.end());
  numbers.insert(numbers.end(), o.dissipated.begin(), o.dissipated.end());
  for (const BodyObservation& body : o.bodies) {
    for (int i = 0; i < 3; ++i) numbers.insert(numbers.end(), {body.com[i], body.velocity[i]});
  }
  for (const JointObservation& joint : o.joints) {
    numbers.insert(numbers.end(), joint.position.begin(), joint.position.end());
    numbers.insert(numbers.end(), joint.rate.begin(), joint.rate.end());
  }
  return numbers;
}

void advance(Stepper& stepper, int steps) {
  for (int i = 0; i < steps; ++i) stepper.step(kStep);
}

TEST(StepperTest, GoesOnFromAStateBitForBit) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const auto stepper = make_stepper(c.model, c.choice);
    advance(*stepper, 7);
    const StepperState state = stepper->state();
    const auto copy = stepper->copy();
    const auto other = make_stepper(c.model, c.choice);
    advance(*other, 3);
    other->set_state(state);
    EXPECT_EQ(seen(*copy), seen(*stepper));
    advance(*stepper, 12);
    const std::vector<double> there = seen(*stepper);
    const long evaluations = stepper->evaluations();
    for (Stepper* same : {copy.get(), other.get()}) {
      advance(*same, 12);
      EXPECT_EQ(seen(*same), there);
      EXPECT_EQ(same->evaluations(), evaluations);
    }
    stepper->set_state(state);
    advance(*stepper, 12);
    EXPECT_EQ(seen(*stepper), there);
  }
}

TEST(StepperTest, WithoutMemoryItStartsThere) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const auto stepper = make_stepper(c.model, c.choice);
    const StepperState start = stepper->state();
    advance(*stepper, 5);
    const std::vector<double> first = seen(*stepper);
    StepperState again = start;
    again.memory.clear();
    stepper->set_state(again);
    EXPECT_EQ(stepper->time(), 0);
    advance(*stepper, 5);
    const std::vector<double> second = seen(*stepper);
    for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(first[i], second[i], 1e-9);

    StepperState later = stepper->state();
    later.memory.clear();
    later.time = 3;
    stepper->set_state(later);
    EXPECT_EQ(stepper->time(), 3);
    Observation o = stepper->make_observation();
    stepper->observe(o);
    for (double work : o.work) EXPECT_EQ(work, 0);
  }
}

TEST(StepperTest, RefusesStatesThatAreNotItsOwnAndStaysWhereItIs) {
  const Model model(reference::driven_arm());
  const auto stepper = make_stepper(model, {.formulation = "joint", .integrator = "implicit-midpoint"});
  const auto other = make_stepper(model, {.formulation = "rotationless", .integrator = "energy-momentum"});
  advance(*stepper, 3);
  advance(*other, 3);
  const std::vector<double> here = seen(*stepper);
  StepperState changed = stepper->state(), cut = changed, shorter = changed;
  changed.q[0] += 1e-12;
  cut.memory.pop_back();
  shorter.memory.clear();
  shorter.qd.pop_back();
  for (const StepperState& state : {changed, cut, shorter, other->state()}) {
    EXPECT_THROW(stepper->set_state(state), ModelError);
    EXPECT_EQ(seen(*stepper), here);
  }
}

// What `make tsan` runs.
TEST(StepperThreadsTest, EightAtOnceDoWhatTheyDoAlone) {
  std::vector<Case> all = cases();
  std::vector<Case> eight;
  for (std::size_t i = 0; i < 8; ++i) eight.push_back(all[i * all.size() / 8]);
  const auto run = [](const Case& c) {
    const auto stepper = make_stepper(c.model, c.choice);
    advance(*stepper, 50);
    return seen(*stepper->copy());
  };
  std::vector<std::vector<double>> alone, together(eight.size());
  for (const Case& c : eight) alone.push_back(run(c));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < eight.size(); ++i) {
    threads.emplace_back([&, i] { together[i] = run(eight[i]); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(together, alone);
}

/// By what comes from outside, the same as by an actuator of the model.
TEST(Stepper, EffortsFromOutsideDoWhatActuatorsDo) {
  constexpr double kEffort = 0.3;
  ModelDescription plain = reference::three_link_arm_with_tendons();
  ModelDescription driven = plain;
  driven.actuators.push_back({.name = "motor", .joint = 1, .effort = kEffort});
  for (const char* formulation : {"joint", "rotationless", "cartesian"}) {
    for (const auto& [integrator, entry] : integrators()) {
      if (!formulations().find(formulation)->fits(entry)) continue;
      SCOPED_TRACE(std::string(formulation) + " " + integrator);
      const Model model(plain);
      const auto by_actuator =
          make_stepper(Model(driven), {.formulation = formulation, .integrator = integrator});
      const auto from_outside =
          make_stepper(model, {.formulation = formulation, .integrator = integrator, .external = true});
      ExternalInput input = *make_external_input(model);
      input.efforts[model.rate_offset(1)] = kEffort;
      for (int i = 0; i < 100; ++i) {
        from_outside->set_external(input);
        by_actuator->step(kStep);
        from_outside->step(kStep);
      }
      Observation a = by_actuator->make_observation(), b = from_outside->make_observation();
      by_actuator->observe(a);
      from_outside->observe(b);
      ASSERT_EQ(from_outside->manifest().sources, std::vector<std::string>{"external"});
      EXPECT_NEAR(a.work[0], b.work[0], 1e-12);
      EXPECT_NE(b.work[0], 0);
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(a.joints[j].position[0], b.joints[j].position[0], 1e-12);
    }
  }
}

TEST(Stepper, WrenchesFromOutsideAreBookedExactly) {
  const Model model(reference::three_link_arm_with_tendons());
  for (const char* formulation : {"rotationless", "cartesian"}) {
    const auto stepper =
        make_stepper(model, {.formulation = formulation, .integrator = "energy-momentum", .external = true});
    ExternalInput input = *make_external_input(model);
    Observation o = stepper->make_observation();
    stepper->observe(o);
    const double before = o.total();
    for (int i = 0; i < 200; ++i) {
      input.wrenches[2] = {{0, 0, 0.1 * (i % 5)}, {0.2, 0.01 * (i % 7), 0}};
      stepper->set_external(input);
      stepper->step(0.01);
    }
    stepper->observe(o);
    EXPECT_GT(std::abs(o.work[0]), 1e-3);
    EXPECT_NEAR(o.total() - before, o.work[0], 1e-12) << formulation;
  }
}

TEST(Stepper, RefusesInputThatDoesNotFit) {
  const Model model(reference::three_link_arm_with_tendons());
  ExternalInput input = *make_external_input(model);
  EXPECT_THROW(make_stepper(model)->set_external(input), ModelError);
  const auto stepper = make_stepper(model, {.external = true});
  input.efforts.pop_back();
  EXPECT_THROW(stepper->set_external(input), SizeError);
  input.efforts.push_back(std::nan(""));
  EXPECT_THROW(stepper->set_external(input), ModelError);
}

}  // namespace
}  // namespace torsor
