// Eight mechanisms of one build as a pack against the same eight one by one, on one core: what a step costs, and a whole
// run with its ledger. Argument: the folder of the models. Prints a table; ratios within this run are what counts.

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "torsor/base/norm.h"
#include "torsor/format/model_reader.h"
#include "torsor/format/model_variants.h"
#include "torsor/simulation/pack_runs.h"
#include "torsor/simulation/record.h"
#include "torsor/simulation/stepper.h"

namespace torsor {
namespace {

constexpr int kLanes = StepperPack::kMost;

/// Of this thread: others on the machine do not count.
double seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Rods of 1 m end to end, stretched out horizontally; the last one has the given mass.
Model chain(int dimension, JointType type, double mass) {
  ModelDescription d;
  d.name = "chain";
  d.dimension = dimension;
  d.gravity = dimension == 2 ? Vec3<double>{0, -9.81, 0} : Vec3<double>{0, 0, -9.81};
  for (int i = 0; i < 10; ++i) {
    Body body;
    body.name = fmt::format("rod{}", i);
    body.mass = i < 9 ? 1 : mass;
    body.com = {0.5, 0, 0};
    const double J = 0.085 * body.mass;
    body.inertia =
        dimension == 2 ? Sym3<double>{0.5 * J, 0.5 * J, J, 0, 0, 0} : Sym3<double>{0.02 * J, J, J, 0, 0, 0};
    d.bodies.push_back(body);
    Joint joint;
    joint.name = fmt::format("joint{}", i);
    joint.type = type;
    joint.parent = i - 1;
    joint.child = i;
    if (i > 0) joint.in_parent.position = {1, 0, 0};
    d.joints.push_back(joint);
  }
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

void measure(const Case& mechanism) {
  constexpr int kSteps = 500;
  double steps_alone = 1e9, steps_packed = 1e9, run_alone = 1e9, run_packed = 1e9, most_alone = 0,
         most_packed = 0;
  for (int round = 0; round < 5; ++round) {
    const auto alone = make_all(mechanism), packed = make_all(mechanism);
    StepperPack pack(pointers(packed));
    double start = seconds();
    for (int i = 0; i < kSteps; ++i) {
      for (const auto& stepper : alone) stepper->step(mechanism.step);
    }
    steps_alone = std::min(steps_alone, seconds() - start);
    start = seconds();
    for (int i = 0; i < kSteps; ++i) pack.step(mechanism.step);
    steps_packed = std::min(steps_packed, seconds() - start);

    RunSettings settings;
    settings.step = mechanism.step;
    settings.duration = kSteps * mechanism.step;
    settings.record_every = kSteps;
    const auto one_by_one = make_all(mechanism), together = make_all(mechanism);
    start = seconds();
    std::vector<Record> records;
    for (const auto& stepper : one_by_one) records.push_back(simulate(*stepper, settings));
    run_alone = std::min(run_alone, seconds() - start);
    start = seconds();
    const std::vector<Record> of_pack = simulate_pack(pointers(together), settings);
    run_packed = std::min(run_packed, seconds() - start);
    for (int lane = 0; lane < kLanes; ++lane) {
      const Ledger &single = records[lane].ledger, &of_lane = of_pack[lane].ledger;
      keep_largest(most_alone, single.energy_max_residual / single.energy_scale);
      keep_largest(most_packed, of_lane.energy_max_residual / of_lane.energy_scale);
    }
  }
  const double each = 1e6 / (kSteps * kLanes);
  fmt::print("| {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.0e} | {:.0e} |\n",
             mechanism.name, each * steps_alone, each * steps_packed, steps_alone / steps_packed,
             each * run_alone, each * run_packed, run_alone / run_packed, most_alone, most_packed);
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
      "| mechanism | step alone [us] | in a pack [us] | ratio | run alone [us a step] | in a pack | ratio | "
      "balance alone | in a pack |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
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
