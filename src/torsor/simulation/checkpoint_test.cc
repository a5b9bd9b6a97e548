// Checkpoints of runs, which come from files: those that were changed do no harm, and those of a run that was interrupted
// stand where it stood.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "testing/linkages.h"
#include "testing/models.h"
#include "torsor/simulation/formulations.h"
#include "torsor/simulation/interruptible_stepper.h"
#include "torsor/simulation/record.h"

namespace torsor {
namespace {

constexpr double kStep = 0.002;
constexpr long kKept = 5;  ///< steps before the checkpoint

class Keeper : public RunListener {
 public:
  void on_record(const Observation&, double) override {}
  bool keeps_checkpoints() const override { return true; }
  bool checkpoint_is_due(long steps) override { return steps == kKept; }
  void on_checkpoint(const RunCheckpoint& checkpoint) override {
    if (checkpoint.steps == kKept) kept = checkpoint;
  }
  RunCheckpoint kept;
};

struct Case {
  Model model;
  StepperChoice choice;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const Model& model, const std::string& formulation, const auto& options) {
    for (const auto& [integrator, entry] : integrators()) {
      if (!formulations().find(formulation)->fits(entry)) continue;
      all.push_back({model, {formulation, integrator, options, 0}});
    }
  };
  using Options = decltype(StepperChoice::options);
  ModelDescription loop = reference::spatial_four_bar();
  loop.initial.joints["drive"] = {1};
  loop.initial.rates["drive"] = {2};
  loop.initial.assemble = true;
  add(Model(reference::all_elements()), "joint", Options{});
  add(Model(loop), "rotationless", Options{});
  add(Model(reference::three_link_arm_with_tendons()), "cartesian", Options{});
  all.push_back({Model(loop),
                 {"rotationless", "energy-momentum", Options{{"reduction", std::string("null-space")}}, 0}});
  all.push_back(
      {Model(reference::driven_arm()), {"joint", "gauss-legendre", Options{{"adaptive", 1e-8}}, 0}});
  return all;
}

RunSettings settings_to(long steps) {
  RunSettings settings{.step = kStep, .duration = kStep * static_cast<double>(steps)};
  settings.record_every = 4;
  settings.extremes_of = {"energy.kinetic"};
  return settings;
}

/// Whatever a stranger writes into it: refused, or the run ends as runs end. Under the sanitizers it says more.
TEST(Checkpoint, ChangedNumbersAreRefusedOrDoNoHarm) {
  std::mt19937 rng(3);
  long refused = 0, all = 0;
  for (const Case& c : cases()) {
    const Model& model = c.model;
    const StepperChoice& choice = c.choice;
    SCOPED_TRACE(choice.formulation + " " + choice.integrator);
    Keeper keeper;
    simulate(*make_stepper(model, choice), settings_to(kKept + 3), {&keeper}, false);
    ASSERT_EQ(keeper.kept.steps, kKept);
    const std::vector<double>& numbers = keeper.kept.numbers;
    const auto try_with = [&](std::size_t i, double number) {
      RunCheckpoint changed = keeper.kept;
      changed.numbers[i] = number;
      ++all;
      const auto stepper = make_stepper(model, choice);
      try {
        resume(*stepper, settings_to(kKept + 3), changed, {}, false);
      } catch (const ModelError&) {
        ++refused;
      }
    };
    // Lengths, counts and indices are among the small whole numbers.
    std::vector<std::size_t> whole, any;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] == std::trunc(numbers[i]) && std::abs(numbers[i]) < 1e4) whole.push_back(i);
      any.push_back(i);
    }
    std::shuffle(whole.begin(), whole.end(), rng);
    std::shuffle(any.begin(), any.end(), rng);
    whole.resize(std::min<std::size_t>(whole.size(), 24));
    any.resize(std::min<std::size_t>(any.size(), 6));
    for (const std::size_t i : whole) {
      for (const double number : {numbers[i] + 1, numbers[i] - 1, 1e9, -1e9}) try_with(i, number);
    }
    for (const std::size_t i : any) {
      for (const double number : {std::nan(""), 1e300, -numbers[i], 0.5}) try_with(i, number);
    }
  }
  EXPECT_GT(refused, all / 10);
}

TEST(Checkpoint, OfAnotherLengthIsRefusedByItsReason) {
  const std::vector<Case> all = cases();
  const Model& model = all.front().model;
  const StepperChoice& choice = all.front().choice;
  Keeper keeper;
  simulate(*make_stepper(model, choice), settings_to(kKept + 3), {&keeper}, false);
  const auto reason = [&](const RunCheckpoint& from) {
    try {
      resume(*make_stepper(model, choice), settings_to(kKept + 3), from, {}, false);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(reason(keeper.kept), "");
  RunCheckpoint longer = keeper.kept;
  ASSERT_EQ(longer.numbers[1], model.coordinate_count());  // the time, then the list of coordinates
  longer.numbers[1] += 1;
  longer.numbers.insert(longer.numbers.begin() + 2, 0.0);
  EXPECT_NE(reason(longer).find("a list has another length"), std::string::npos) << reason(longer);
  RunCheckpoint cut = keeper.kept;
  cut.numbers.pop_back();
  EXPECT_NE(reason(cut).find("it ends too early"), std::string::npos) << reason(cut);
  RunCheckpoint back = keeper.kept;
  back.steps -= 1;
  EXPECT_NE(reason(back).find("times and steps do not fit together"), std::string::npos) << reason(back);
}

/// The step that was not made is not counted: the run goes on by steps of the same lengths to the same end.
TEST(Checkpoint, AnInterruptedStepIsMadeWhenTheRunGoesOn) {
  const Model model(reference::driven_arm());
  const StepperChoice choice{.formulation = "joint", .integrator = "rkmk4"};
  const RunSettings settings{.step = kStep, .duration = 20 * kStep};
  const Record whole = simulate(*make_stepper(model, choice), settings);
  Keeper keeper;
  const auto stepper = make_stepper(model, choice);
  long left = kKept;
  InterruptibleStepper interrupted(*stepper, [&] { return left-- == 0; });
  simulate(interrupted, settings, {&keeper}, false);
  ASSERT_EQ(keeper.kept.steps, kKept);
  const Record rest = resume(*make_stepper(model, choice), settings, keeper.kept);
  ASSERT_EQ(rest.observations.size(), 20u - kKept);
  for (std::size_t i = 0; i < rest.observations.size(); ++i) {
    const Observation &ours = rest.observations[i], &theirs = whole.observations[kKept + 1 + i];
    EXPECT_EQ(ours.time, theirs.time);
    EXPECT_EQ(ours.kinetic, theirs.kinetic);
  }
}

}  // namespace
}  // namespace torsor
