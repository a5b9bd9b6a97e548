// What the discrete null-space reduction buys: unknowns and the time of a step with and without it, for
// chains and for loops, and how long a dense solver would take for the unreduced matrix. Prints a table;
// ratios within this run are what counts.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "bench/rod_chain.h"
#include "torsor/base/thread_seconds.h"
#include "torsor/format/model_reader.h"
#include "torsor/formulation/rotationless/null_space.h"
#include "torsor/numerics/dense_lu.h"
#include "torsor/simulation/stepper.h"

namespace torsor {
namespace {

struct Cost {
  double step = 1e9;  ///< [s], the least of some repetitions
  double evaluations = 0;
};

Cost measure(const Model& model, const std::string& reduction, double h) {
  StepperChoice choice;
  choice.formulation = "rotationless";
  choice.integrator = "energy-momentum";
  choice.options["reduction"] = reduction;
  Cost cost;
  const int steps = std::max(10, 400 / static_cast<int>(model.bodies().size()));
  for (int repeat = 0; repeat < 9; ++repeat) {
    const auto stepper = make_stepper(model, choice);
    for (int i = 0; i < 5; ++i) stepper->step(h);
    const long before = stepper->evaluations();
    const double start = thread_seconds();
    for (int i = 0; i < steps; ++i) stepper->step(h);
    cost.step = std::min(cost.step, (thread_seconds() - start) / steps);
    cost.evaluations = static_cast<double>(stepper->evaluations() - before) / steps;
  }
  return cost;
}

/// One factorisation of a full matrix of n unknowns.
double measure_dense(int n) {
  DenseLu lu(n);
  double best = 1e9;
  for (int repeat = 0; repeat < 5; ++repeat) {
    for (int i = 0; i < n * n; ++i) lu.matrix()[i] = i % (n + 1) == 0 ? n : 1.0 / (1 + i % 7);
    const double start = thread_seconds();
    lu.factorise();
    best = std::min(best, thread_seconds() - start);
  }
  return best;
}

void print(const std::string& name, const Model& model, double h) {
  const ConstrainedMechanism mechanism = make_rotationless(model, model.topology().loop_constraints);
  const ConstrainedSystem* full = mechanism.system.get();
  const auto reduced = make_null_space(*mechanism.system);
  const Cost without = measure(model, "none", h), with = measure(model, "null-space", h);
  fmt::print("| {} | {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f}, {:.1f} | {:.1f} |\n", name,
             full->unknown_count(), reduced->unknown_count(), 1e6 * without.step, 1e6 * with.step,
             with.step / without.step, without.evaluations, with.evaluations,
             1e6 * measure_dense(full->unknown_count()));
}

}  // namespace
}  // namespace torsor

/// Arguments: model files of loops.
int main(int argc, char** argv) {
  using namespace torsor;
  fmt::print(
      "| model | unknowns | reduced | step [us] | reduced [us] | ratio | evaluations | dense LU [us] |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  const auto chains = [](const char* name, JointType type, int dimension) {
    for (int links : {1, 2, 5, 10, 20, 50, 100}) {
      print(fmt::format("{} {}", links, name), Model(rod_chain(links, type, dimension)), 0.005);
    }
  };
  chains("planar hinges", JointType::revolute, 2);
  chains("hinges", JointType::revolute, 3);
  chains("spherical joints", JointType::spherical, 3);
  for (int i = 1; i < argc; ++i) {
    const Model model = load_model(argv[i]);
    print(model.name(), model, model.simulation().step.value());
  }
}
