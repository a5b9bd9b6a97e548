// Sætran (2018), table 3.3: N rods on ball joints, tilted by 0.1 rad, 10 s at h = 0.01 by the Gauss-Legendre
// method of three stages; and other integrators on the same chains. The thesis' seconds are those of its own
// machine and program, so that ratios say an order of magnitude, and the growth with N says the rest.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

#include "torsor/format/model_reader.h"
#include "torsor/format/model_templates.h"
#include "torsor/simulation/record.h"

namespace torsor {
namespace {

struct Size {
  int rods;
  double published;  ///< [s]; 0: not in the table
};
constexpr Size kSizes[] = {{4, 0.719}, {8, 2.27}, {16, 10.7}, {32, 45.6}, {48, 103}, {64, 204}, {1024, 0}};

Model chain(int rods) {
  ChainTemplate chain;
  chain.links = rods;
  chain.start = ChainTemplate::Start::hanging;
  chain.length = 2;
  chain.side = 0.2;
  chain.mass = 50;
  return parse_model(chain_text(chain), "chain.yaml");
}

struct Run {
  double seconds =
      0;  ///< of the processor, which other programs on the machine disturb less than the clock's
  Ledger ledger;
};

/// The quickest of some runs, ledger included, without records.
Run quickest(const Model& model, const StepperChoice& choice, int runs) {
  Run best;
  for (int i = 0; i < runs; ++i) {
    const auto stepper = make_stepper(model, choice);
    const std::clock_t start = std::clock();
    const Record record = simulate(*stepper, {.step = 0.01, .duration = 10, .record_every = 1000}, {}, false);
    if (record.failure) throw *record.failure;
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (i == 0 || seconds < best.seconds) best = {seconds, record.ledger};
  }
  return best;
}

void print(const char* title, const StepperChoice& choice) {
  fmt::print("\n{}\n{:>6} {:>10} {:>12} {:>8} {:>10} {:>12} {:>12} {:>10}\n", title, "rods", "[s]",
             "published", "ratio", "exponent", "evaluations", "energy [1]", "unit");
  double last = 0;
  int rods_before = 0;
  std::vector<double> logs_of_rods, logs_of_seconds;
  for (const auto& [rods, published] : kSizes) {
    const auto [seconds, ledger] = quickest(chain(rods), choice, rods > 100 ? 2 : 7);
    fmt::print(
        "{:>6} {:>10.4f} {:>12} {:>8} {:>10} {:>12} {:>12.1e} {:>10.1e}\n", rods, seconds,
        published > 0 ? fmt::format("{:g}", published) : "-",
        published > 0 ? fmt::format("{:.0f}", published / seconds) : "-",
        last > 0 ? fmt::format("{:.2f}", std::log(seconds / last) / std::log(1.0 * rods / rods_before)) : "-",
        ledger.evaluations, ledger.energy_max_error / std::abs(ledger.energy_initial),
        ledger.unit_length_max_error.value_or(0));
    last = seconds;
    rods_before = rods;
    logs_of_rods.push_back(std::log(rods));
    logs_of_seconds.push_back(std::log(seconds));
  }
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < logs_of_rods.size(); ++i) {
    n += 1;
    x += logs_of_rods[i];
    y += logs_of_seconds[i];
    xx += logs_of_rods[i] * logs_of_rods[i];
    xy += logs_of_rods[i] * logs_of_seconds[i];
  }
  fmt::print("growth with the number of rods, fitted: {:.3f}\n", (n * xy - x * y) / (n * xx - x * x));
}

}  // namespace
}  // namespace torsor

int main() {
  using torsor::StepperChoice;
  torsor::print("gauss-legendre, 3 stages", StepperChoice{"joint", "gauss-legendre", {{"stages", 3.0}}, 0});
  torsor::print("gauss-legendre, 3 stages, to 1e-9", {"joint", "gauss-legendre", {{"stages", 3.0}}, 1e-9});
  torsor::print("energy-momentum", StepperChoice{"rotationless", "energy-momentum", {}, 0});
  torsor::print("dopri5, to 1e-9", StepperChoice{"joint", "dopri5", {}, 1e-9});
}
