// random_mechanisms [--minutes M] [--first SEED]: random trees in space and in the plane, with and without elements, through every
// method that takes them, for so long. Every run must end, in finite numbers or in an error that says why; books that are claimed to
// balance must. Prints a table of the methods; ends with status 1 where something did not hold. `make soak` runs it.

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

#include "testing/random_elements.h"
#include "testing/random_models.h"
#include "torsor/base/norm.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/simulation/applicable.h"
#include "torsor/simulation/record.h"
#include "torsor/simulation/stepper.h"

namespace torsor {
namespace {

constexpr double kStep = 0.005;
constexpr int kSteps = 40;
constexpr double kBalance = 1e-10;  ///< of the scale, over so few steps
/// Of the largest energy, the least scale, as the ledger's verdict has it: where a mechanism hangs almost at rest and moves
/// 1e-7 of its potential energy, the last digit of that energy is 1e-9 of what moves.
constexpr double kLeastScale = 1e-4;

struct Tally {
  long runs = 0, failed = 0, refused = 0;
  double balance = 0;  ///< the largest of those that are claimed to balance, over the scale
};

ModelDescription mechanism(unsigned seed) {
  const int joints = 1 + static_cast<int>(seed % 7);
  ModelDescription description = seed % 2 == 0 ? random_tree(joints, seed) : random_planar_tree(joints, seed);
  if (seed % 3 != 0) add_every_element(description, seed, seed % 3 == 1 ? Damping::none : Damping::some);
  return description;
}

/// False, with a line that says how to see it again, where a run did not hold.
bool hold(const Model& model, const Applicable& method, unsigned seed, Tally& tally) {
  const std::string name = method.integrator + " in " + method.formulation;
  try {
    const auto stepper = make_stepper(model, {method.formulation, method.integrator, {}, 0});
    const Record record = simulate(*stepper, {.step = kStep, .duration = kStep * kSteps, .record_every = 10});
    ++tally.runs;
    if (record.failure) {
      ++tally.failed;
      return true;
    }
    const Ledger& ledger = record.ledger;
    if (!std::isfinite(ledger.energy_final) || !std::isfinite(ledger.energy_max_residual)) {
      fmt::print("seed {}, {}: not finite\n", seed, name);
      return false;
    }
    if (integrators().at(method.integrator, "integrator").energy != EnergyClaim::exact) return true;
    double size = 0;
    for (const Observation& o : record.observations) {
      size = larger(size, std::abs(o.kinetic) + std::abs(o.gravity) + std::abs(o.elastic));
    }
    const double balance = ledger.energy_max_residual / larger(ledger.energy_scale, kLeastScale * size);
    tally.balance = larger(tally.balance, balance);
    if (balance <= kBalance) return true;
    fmt::print("seed {}, {}: balance {:.2g} of the scale\n", seed, name, balance);
    return false;
  } catch (const ModelError&) {
    ++tally.refused;
    return true;
  } catch (const std::exception& fault) {
    fmt::print("seed {}, {}: {}\n", seed, name, fault.what());
    return false;
  }
}

int soak(double minutes, unsigned first) {
  const auto begin = std::chrono::steady_clock::now();
  std::map<std::string, Tally> tallies;
  long mechanisms = 0, faults = 0;
  for (unsigned seed = first;; ++seed, ++mechanisms) {
    const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - begin;
    if (gone.count() > 60 * minutes) break;
    const Model model(mechanism(seed));
    for (const Applicable& method : applicable_methods(model)) {
      if (!method.reason.empty()) continue;
      faults += !hold(model, method, seed, tallies[method.integrator + " in " + method.formulation]);
    }
  }
  fmt::print("{} random mechanisms from seed {} on, {} steps of {} s\n", mechanisms, first, kSteps, kStep);
  fmt::print(
      "| method | runs | a step failed | refused | balance over the scale |\n| --- | --- | --- | --- | --- "
      "|\n");
  for (const auto& [name, tally] : tallies) {
    fmt::print("| {} | {} | {} | {} | {} |\n", name, tally.runs, tally.failed, tally.refused,
               tally.balance > 0 ? fmt::format("{:.1e}", tally.balance) : "");
  }
  fmt::print("{} faults\n", faults);
  return faults > 0 ? 1 : 0;
}

}  // namespace
}  // namespace torsor

int main(int argc, char** argv) {
  double minutes = 1;
  unsigned first = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string(argv[i]) == "--minutes") minutes = std::atof(argv[i + 1]);
    if (std::string(argv[i]) == "--first") first = static_cast<unsigned>(std::atol(argv[i + 1]));
  }
  return torsor::soak(minutes, first);
}
