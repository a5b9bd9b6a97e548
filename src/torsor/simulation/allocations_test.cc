#include <gtest/gtest.h>

#include "testing/count_allocations.h"
#include "testing/linkages.h"
#include "testing/models.h"
#include "testing/random_elements.h"
#include "testing/random_models.h"
#include "testing/random_planar_links.h"
#include "torsor/simulation/motion_watch.h"
#include "torsor/simulation/pack_runs.h"
#include "torsor/simulation/stepper.h"

namespace torsor {
namespace {

TEST(Allocations, AreCounted) {
  const long before = allocations;
  ::operator delete(::operator new(1));  // clang leaves out an object that is made and removed at once
  EXPECT_GT(allocations, before);
}

ModelDescription controlled_tree() {
  ModelDescription d = random_tree(9, 3);
  add_every_element(d, 3);
  return d;
}
ModelDescription controlled_links() {
  ModelDescription d = random_planar_links(7, 3);
  add_every_element(d, 3);
  return d;
}

/// Every second step is a sample.
ModelDescription sampled_links() {
  ModelDescription d = controlled_links();
  d.name = "sampled " + d.name;
  for (Controller& controller : d.controllers) {
    controller.period = 0.002;
    controller.position_only = true;
  }
  return d;
}

TEST(Allocations, NoneInAStepOrAnObservation) {
  const ModelDescription descriptions[] = {reference::all_elements(), reference::driven_arm(),
                                           reference::spherical_chain(20), controlled_tree(),
                                           sampled_links()};
  for (const ModelDescription& description : descriptions) {
    const Model model(description);
    for (const char* integrator :
         {"rkmk4", "dopri5", "implicit-midpoint", "generalized-alpha", "variational"}) {
      SCOPED_TRACE(description.name + ", " + integrator);
      const auto stepper =
          make_stepper(model, {.formulation = "joint", .integrator = integrator, .options = {}});
      Observation observation = stepper->make_observation();
      const long before = allocations;
      for (int i = 0; i < 20; ++i) {
        stepper->step(0.001);
        stepper->observe(observation);
        stepper->observe_balance(observation);
      }
      EXPECT_EQ(allocations - before, 0);
    }
  }
}

TEST(Allocations, NoneInAStepByMovingFrames) {
  ModelDescription description = controlled_tree();
  description.simulation.dynamics = Dynamics::moving_frame;
  const Model model(description);
  const auto stepper = make_stepper(model, {.formulation = "joint", .integrator = "rkmk4", .options = {}});
  Observation observation = stepper->make_observation();
  const long before = allocations;
  for (int i = 0; i < 20; ++i) {
    stepper->step(0.001);
    stepper->observe(observation);
  }
  EXPECT_EQ(allocations - before, 0);
}

TEST(Allocations, NoneInAStepWithConstraints) {
  ModelDescription four_bar = reference::spatial_four_bar();
  four_bar.initial.joints = {{"drive", {1.1}}};
  four_bar.initial.rates = {{"drive", {2}}};
  four_bar.initial.assemble = true;
  ModelDescription led = reference::three_link_arm();
  led.name = "arm with a servo";
  led.actuators = {{"motor", 0, 0, {}}};
  led.servos.resize(1);
  led.servos[0].name = "lead";
  led.servos[0].joint = 0;
  led.servos[0].follows = {{"angle", make_expression("1 - cos(t)", {})}};
  led.servos[0].actuators = {0};
  const std::pair<const char*, ModelDescription> cases[] = {{"rotationless", reference::driven_arm()},
                                                            {"rotationless", reference::spherical_chain(20)},
                                                            {"rotationless", four_bar},
                                                            {"rotationless", led},
                                                            {"rotationless", controlled_tree()},
                                                            {"cartesian", reference::driven_arm()},
                                                            {"rotationless", sampled_links()},
                                                            {"cartesian", controlled_links()},
                                                            {"cartesian", sampled_links()}};
  using Options = decltype(StepperChoice::options);
  const std::pair<const char*, Options> methods[] = {{"energy-momentum", {}},
                                                     {"generalized-alpha", {}},
                                                     {"petrov-galerkin", {}},
                                                     {"petrov-galerkin", {{"m", 2.0}}}};
  for (const auto& [formulation, description] : cases) {
    const Model model(description);
    for (const auto& [integrator, options] : methods) {
      if (!options.empty() && !description.servos.empty()) continue;
      SCOPED_TRACE(description.name + ", " + formulation + ", " + integrator);
      const auto stepper =
          make_stepper(model, {.formulation = formulation, .integrator = integrator, .options = options});
      Observation observation = stepper->make_observation();
      const long before = allocations;
      for (int i = 0; i < 20; ++i) {
        stepper->step(0.001);
        stepper->observe(observation);
        stepper->observe_balance(observation);
      }
      EXPECT_EQ(allocations - before, 0);
    }
  }
}

TEST(Allocations, NoneInAStepOfAPackOfTrees) {
  for (const char* integrator : {"rkmk4", "gauss-legendre"}) {
    SCOPED_TRACE(integrator);
    std::vector<std::unique_ptr<Stepper>> all;
    std::vector<Stepper*> lanes;
    for (int lane = 0; lane < 3; ++lane) {
      all.push_back(make_stepper(Model(reference::all_elements()),
                                 {.formulation = "joint", .integrator = integrator, .options = {}}));
      lanes.push_back(all.back().get());
    }
    StepperPack pack(lanes);
    pack.step(0.001);
    const long before = allocations;
    for (int i = 0; i < 20; ++i) pack.step(0.001);
    EXPECT_EQ(allocations - before, 0);
  }
}

TEST(Allocations, NoneInTheWatchOnTheMotion) {
  Manifest manifest;
  manifest.order = 2;
  manifest.bodies = {"ball"};
  manifest.weights = {{2.0, 0.5}};
  MotionWatch watch(manifest);
  const BodySpeed speed{{1, 0, 0}, {0, 0, 1}};
  const long before = allocations;
  for (int i = 0; i < 10; ++i) watch.feed(i, {&speed, 1}, 0);
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace torsor
