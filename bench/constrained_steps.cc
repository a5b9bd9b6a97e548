// What a step of the energy-momentum scheme costs: chains of 10 to 10000 bodies on spherical joints and on
// hinges, and a planar four-bar as a user runs it. Prints tables; ratios within this run are what counts.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>
#include <vector>

#include "torsor/simulation/record.h"
#include "torsor/simulation/stepper.h"

namespace torsor {
namespace {

/// Of this thread: others on the machine do not count.
double seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Rods of 1 m and 1 kg end to end, stretched out horizontally, let go with a slow spin.
ModelDescription chain(int links, JointType type) {
  ModelDescription d;
  d.name = "chain";
  d.gravity = {0, 0, -9.81};
  for (int i = 0; i < links; ++i) {
    Body body;
    body.name = fmt::format("rod{}", i);
    body.mass = 1;
    body.com = {0.5, 0, 0};
    body.inertia = {0.002, 0.085, 0.085, 0, 0, 0};
    d.bodies.push_back(body);
    Joint joint;
    joint.name = fmt::format("joint{}", i);
    joint.type = type;
    joint.parent = i - 1;
    joint.child = i;
    if (has_axis(type) && i % 2) joint.axis = {0, 1, 0};
    if (i > 0) joint.in_parent.position = {1, 0, 0};
    d.joints.push_back(joint);
  }
  return d;
}

struct Cost {
  double step = 0;       ///< [s]
  double iteration = 0;  ///< [s]
};

/// The least of some repetitions of a few steps.
Cost measure(int links, JointType type) {
  const Model model(chain(links, type));
  StepperChoice choice;
  choice.formulation = "rotationless";
  choice.integrator = "energy-momentum";
  const auto stepper = make_stepper(model, choice);
  const int steps = std::max(5, 20000 / links);
  for (int i = 0; i < 5; ++i) stepper->step(0.01);
  Cost best{1e9, 1e9};
  for (int repeat = 0; repeat < 5; ++repeat) {
    const long before = stepper->evaluations();
    const double start = seconds();
    for (int i = 0; i < steps; ++i) stepper->step(0.01);
    const double elapsed = seconds() - start;
    best.step = std::min(best.step, elapsed / steps);
    best.iteration = std::min(best.iteration, elapsed / static_cast<double>(stepper->evaluations() - before));
  }
  return best;
}

void print_chains(const char* name, JointType type) {
  double last_step = 0;
  int last = 0;
  for (int links : {10, 100, 1000, 10000}) {
    const Cost cost = measure(links, type);
    fmt::print(
        "| {} | {} | {:.2f} | {:.3f} | {:.3f} | {} |\n", last ? "" : name, links, 1e6 * cost.step,
        1e6 * cost.step / links, 1e6 * cost.iteration / links,
        last ? fmt::format("{:.2f}", std::log(cost.step / last_step) / std::log(double(links) / last)) : "-");
    last_step = cost.step;
    last = links;
  }
}

ModelDescription four_bar() {
  ModelDescription d;
  d.name = "four-bar";
  d.dimension = 2;
  d.gravity = {0, -9.81, 0};
  const double length[3] = {0.5, 1.5, 1.0}, mass[3] = {1, 3, 2};
  for (int i = 0; i < 3; ++i) {
    Body body;
    body.name = fmt::format("rod{}", i);
    body.mass = mass[i];
    body.com = {0.5 * length[i], 0, 0};
    const double J = mass[i] * length[i] * length[i] / 12;
    body.inertia = {J / 2, J / 2, J, 0, 0, 0};
    d.bodies.push_back(body);
  }
  const auto pin = [&](const char* name, int parent, int child, double at, double on_child) {
    Joint joint;
    joint.name = name;
    joint.parent = parent;
    joint.child = child;
    joint.in_parent.position = {at, 0, 0};
    joint.in_child.position = {on_child, 0, 0};
    d.joints.push_back(joint);
  };
  pin("drive", kWorld, 0, 0, 0);
  pin("crank_pin", 0, 1, 0.5, 0);
  pin("pivot", kWorld, 2, 1.5, 0);
  pin("rocker_pin", 1, 2, 1.5, 1.0);
  d.initial.joints = {{"drive", {1.5708}}, {"crank_pin", {-1.3}}, {"pivot", {1.57}}, {"rocker_pin", {1.3}}};
  d.initial.rates = {{"drive", {2}}};
  d.initial.assemble = true;
  return d;
}

void print_four_bar() {
  const Model model(four_bar());
  double best = 1e9;
  Ledger ledger;
  for (int repeat = 0; repeat < 5; ++repeat) {
    StepperChoice choice;
    choice.formulation = "rotationless";
    choice.integrator = "energy-momentum";
    const auto stepper = make_stepper(model, choice);
    const double start = seconds();
    ledger = simulate(*stepper, {.step = 0.01, .duration = 20}).ledger;
    best = std::min(best, seconds() - start);
  }
  fmt::print(
      "\nPlanar four-bar, 20 s at h = 0.01, with ledger and all records: {:.1f} ms; energy error {:.0e} J of "
      "{:.1f} J, loop {:.0e} m.\n",
      1e3 * best, ledger.energy_max_error, ledger.energy_scale, ledger.position_max.value_or(0));
}

}  // namespace
}  // namespace torsor

int main() {
  fmt::print("| chain | bodies | step [us] | us a body | us a body and iteration | exponent |\n");
  fmt::print("| --- | ---: | ---: | ---: | ---: | ---: |\n");
  torsor::print_chains("spherical joints", torsor::JointType::spherical);
  torsor::print_chains("hinges", torsor::JointType::revolute);
  torsor::print_four_bar();
}
