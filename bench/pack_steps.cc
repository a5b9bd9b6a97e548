// Eight mechanisms of one build in packs against the same eight one by one, on one core: what a step costs, and a whole
// run with its ledger. Argument: the folder of the models. Prints a table; ratios within this run are what counts.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/rod_chain.h"
#include "torsor/base/norm.h"
#include "torsor/base/thread_seconds.h"
#include "torsor/format/model_reader.h"
#include "torsor/format/model_variants.h"
#include "torsor/simulation/pack_runs.h"
#include "torsor/simulation/record.h"
#include "torsor/simulation/stepper.h"

namespace torsor {
namespace {

constexpr int kLanes = 8, kSteps = 500;

/// The last rod has the given mass.
Model chain(int dimension, JointType type, double mass) {
  ModelDescription d = rod_chain(10, type, dimension);
  d.bodies.back().mass = mass;
  d.bodies.back().inertia = mass * d.bodies.back().inertia;
  return Model(d);
}

struct Case {
  std::string name;
  std::function<Model(double)> make;  ///< by the share of the mass that varies
  double step;                        ///< [s]
  const char* integrator = "energy-momentum";
  const char* formulation = "rotationless";
};

std::vector<std::unique_ptr<Stepper>> make_all(const Case& mechanism) {
  StepperChoice choice;
  choice.formulation = mechanism.formulation;
  choice.integrator = mechanism.integrator;
  if (choice.integrator == "dopri5") choice.options["steps"] = "fixed";
  std::vector<std::unique_ptr<Stepper>> all;
  for (int lane = 0; lane < kLanes; ++lane)
    all.push_back(make_stepper(mechanism.make(1 + 0.1 * lane), choice));
  return all;
}
std::vector<Stepper*> pointers(const std::vector<std::unique_ptr<Stepper>>& all) {
  std::vector<Stepper*> steppers;
  for (const auto& stepper : all) steppers.push_back(stepper.get());
  return steppers;
}

/// The least of some rounds, by the lane and step [us].
struct Least {
  double seconds = 1e9;
  template <class Run>
  void time(Run&& run) {
    const double start = thread_seconds();
    run();
    seconds = std::min(seconds, thread_seconds() - start);
  }
  double each() const { return 1e6 / (kSteps * kLanes) * seconds; }
};

void measure(const Case& mechanism) {
  RunSettings settings;
  settings.step = mechanism.step;
  settings.duration = kSteps * mechanism.step;
  settings.record_every = kSteps;
  Least steps_alone, run_alone, steps[std::size(StepperPack::kWidths)], run[std::size(StepperPack::kWidths)];
  double most_alone = 0, most_packed = 0;
  const auto keep_balance = [](const std::vector<Record>& records, double& most) {
    for (const Record& record : records)
      keep_largest(most, record.ledger.energy_max_residual / record.ledger.energy_scale);
  };
  for (int round = 0; round < 5; ++round) {
    const auto alone = make_all(mechanism), one_by_one = make_all(mechanism);
    steps_alone.time([&] {
      for (int i = 0; i < kSteps; ++i) {
        for (const auto& stepper : alone) stepper->step(mechanism.step);
      }
    });
    std::vector<Record> records;
    run_alone.time([&] {
      for (const auto& stepper : one_by_one) records.push_back(simulate(*stepper, settings));
    });
    keep_balance(records, most_alone);
    for (std::size_t w = 0; w < std::size(StepperPack::kWidths); ++w) {
      const int width = StepperPack::kWidths[w];
      const auto packed = make_all(mechanism), together = make_all(mechanism);
      std::vector<std::unique_ptr<StepperPack>> packs;
      const std::vector<Stepper*> lanes = pointers(packed);
      for (int first = 0; first < kLanes; first += width) {
        packs.push_back(std::make_unique<StepperPack>(
            std::vector<Stepper*>(lanes.begin() + first, lanes.begin() + first + width), width));
      }
      steps[w].time([&] {
        for (const auto& pack : packs) {
          for (int i = 0; i < kSteps; ++i) pack->step(mechanism.step);
        }
      });
      PackBench as_wide{PackWidth::of(width)};
      run[w].time([&] { records = simulate_pack(pointers(together), settings, {}, true, &as_wide); });
      keep_balance(records, most_packed);
    }
  }
  fmt::print(
      "| {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.0e} | {:.0e} |\n",
      mechanism.name, steps_alone.each(), steps[0].each(), steps[1].each(),
      steps_alone.each() / std::min(steps[0].each(), steps[1].each()), run_alone.each(), run[0].each(),
      run[1].each(), run_alone.each() / std::min(run[0].each(), run[1].each()), most_alone, most_packed);
}

Case of_file(const std::string& name, const std::string& file, const std::string& path, double value,
             double step) {
  auto variants = std::make_shared<ModelVariants>(read_source(file), std::vector<VariedValue>{{path, {}}});
  return {name,
          [variants, value](double share) {
            const double values[] = {share * value};
            return variants->model(values);
          },
          step};
}

}  // namespace
}  // namespace torsor

int main(int count, char** arguments) {
  using namespace torsor;
  const std::string folder = count > 1 ? arguments[1] : "models";
  fmt::print(
      "| mechanism | step alone [us] | in packs of 4 | of 8 | ratio | run alone [us a step] | in packs of 4 "
      "| of 8 | "
      "ratio | balance alone | in packs |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  measure({"planar chain of 10", [](double mass) { return chain(2, JointType::revolute, mass); }, 0.01});
  measure({"ball-joint chain of 10", [](double mass) { return chain(3, JointType::spherical, mass); }, 0.01});
  measure(of_file("four-bar", folder + "/four_bar.yaml", "bodies.coupler.mass", 3, 0.005));
  measure(of_file("tendon arm", folder + "/tendon_arm.yaml", "tendons.biarticular.stiffness", 1, 0.01));
  measure(
      of_file("Stewart platform", folder + "/stewart.yaml", "joint_springs.spring1.stiffness", 1600, 0.005));
  const auto in_joints = [](Case mechanism, const char* integrator) {
    mechanism.name += fmt::format(", {}", integrator);
    mechanism.integrator = integrator;
    mechanism.formulation = "joint";
    measure(mechanism);
  };
  const Case pendulum = of_file("pendulum", folder + "/pendulum.yaml", "bodies.bob.mass", 1, 0.01);
  const Case arm =
      of_file("seven-joint arm", folder + "/seven_dof_arm.yaml", "bodies.link7.mass", 0.3, 0.002);
  const Case pulled =
      of_file("tendon arm", folder + "/tendon_arm.yaml", "tendons.biarticular.stiffness", 1, 0.01);
  in_joints(of_file("driven pendulum", folder + "/../examples/sweeps/driven_pendulum.yaml",
                    "initial.rates.pivot", 3, 0.02),
            "rkmk4");
  for (const char* integrator : {"rkmk4", "dopri5", "gauss-legendre"}) {
    in_joints(pendulum, integrator);
    in_joints(arm, integrator);
    in_joints(
        {"ball-joint chain of 10", [](double mass) { return chain(3, JointType::spherical, mass); }, 0.01},
        integrator);
    in_joints(pulled, integrator);
  }
}
