#include "torsor/simulation/settings.h"

#include <gtest/gtest.h>

#include "testing/linkages.h"
#include "testing/models.h"
#include "torsor/assembly/start.h"
#include "torsor/base/error.h"
#include "torsor/simulation/stepper.h"

namespace torsor {
namespace {

double number(const Method& method, const char* option) {
  return std::get<double>(method.options.at(option));
}

TEST(Settings, TheTolerancesOfTheFileAreForMethodsThatControlTheirError) {
  ModelDescription d = reference::pendulum();
  d.simulation.tolerance = 1e-3;
  const Model model(d);
  EXPECT_EQ(number(resolve_method(model, {"joint", "dopri5"}), "tolerance"), 1e-3);
  EXPECT_EQ(number(resolve_method(model, {"joint", "implicit-midpoint"}), "tolerance"), 1e-16);
  EXPECT_EQ(resolve_method(model, {"joint", "rkmk4"}).options.count("tolerance"), 0u);
  EXPECT_EQ(number(resolve_method(model, {"joint", "implicit-midpoint", {}, 1e-5}), "tolerance"), 1e-5);
  EXPECT_EQ(number(resolve_method(model, {"joint", "dopri5", {{"tolerance", 1e-7}}}), "tolerance"), 1e-7);
}

TEST(Settings, TheOptionsOfTheFileAreForItsIntegrator) {
  ModelDescription d = reference::pendulum();
  d.simulation.integrator = "gauss-legendre";
  d.simulation.integrator_options = {{"stages", 3.0}, {"tolerance", 1e-12}};
  const Model model(d);
  EXPECT_EQ(number(resolve_method(model), "stages"), 3);
  EXPECT_EQ(number(resolve_method(model, {{}, {}, {{"stages", 4.0}}}), "stages"), 4);
  EXPECT_EQ(number(resolve_method(model, {{}, {}, {{"stages", 4.0}}}), "tolerance"), 1e-12);
  EXPECT_EQ(number(resolve_method(model, {{}, "variational"}), "tolerance"), 1e-16);
}

TEST(Settings, ARunHasAStepAndADuration) {
  ModelDescription d = reference::pendulum();
  d.simulation.step.reset();
  d.simulation.duration = 1;
  EXPECT_THROW(resolve_settings(Model(d)), ModelError);
  d.simulation.step = 0.01;
  const Settings settings = resolve_settings(Model(d));
  EXPECT_EQ(settings.run.step, 0.01);
  EXPECT_EQ(settings.run.duration, 1);
  d.simulation.duration.reset();
  EXPECT_THROW(resolve_settings(Model(d)), ModelError);
}

TEST(Start, SharedAmongSteppersIsTheirOwn) {
  ModelDescription d = reference::spatial_four_bar();
  d.initial.joints["drive"] = {1};
  d.initial.rates["drive"] = {2};
  d.initial.assemble = true;
  const Model model(d);
  const Start start = make_start(model);
  for (const char* integrator : {"energy-momentum", "generalized-alpha", "petrov-galerkin"}) {
    const StepperChoice choice{"rotationless", integrator};
    const auto own = make_stepper(model, choice);
    const auto shared = make_stepper(model, start, resolve_method(model, choice));
    for (int i = 0; i < 3; ++i) {
      own->step(0.01);
      shared->step(0.01);
    }
    EXPECT_EQ(own->state().memory, shared->state().memory) << integrator;
  }
}

}  // namespace
}  // namespace torsor
