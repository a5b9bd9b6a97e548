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

/// Exponent of the growth of seconds with rods, by least squares of logarithms.
double growth(const std::vector<double>& seconds) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const double log_rods = std::log(kSizes[i].rods), log_seconds = std::log(seconds[i]);
    n += 1;
    x += log_rods;
    y += log_seconds;
    xx += log_rods * log_rods;
    xy += log_rods * log_seconds;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace
}  // namespace torsor

int main() {
  using namespace torsor;
  const StepperChoice methods[] = {{"joint", "gauss-legendre", {{"stages", 3.0}}, 0},
                                   {"joint", "gauss-legendre", {{"stages", 3.0}}, 1e-9},
                                   {"rotationless", "energy-momentum", {}, 0},
                                   {"joint", "dopri5", {}, 1e-9}};
  fmt::print(
      "| rods | published [s] | Gauss-Legendre 3, to rounding [s] | ratio | to 1e-9 [s] | energy-momentum "
      "[s] | "
      "dopri5, 1e-9 [s] | energy error of energy-momentum |\n");
  fmt::print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  std::vector<double> seconds[std::size(methods)];
  for (const auto& [rods, published] : kSizes) {
    const Model model = chain(rods);
    double energy = 0;
    for (std::size_t k = 0; k < std::size(methods); ++k) {
      fmt::print(stderr, "\r{:<40}", fmt::format("{} rods, {}", rods, methods[k].integrator));
      const Run run = quickest(model, methods[k], rods > 100 ? 2 : 7);
      seconds[k].push_back(run.seconds);
      if (methods[k].integrator == "energy-momentum")
        energy = run.ledger.energy_max_error / std::abs(run.ledger.energy_initial);
    }
    fmt::print("| {} | {} | {:.3g} | {} | {:.3g} | {:.3g} | {:.3g} | {:.0e} |\n", rods,
               published > 0 ? fmt::format("{:g}", published) : "-", seconds[0].back(),
               published > 0 ? fmt::format("{:.0f}", published / seconds[0].back()) : "-", seconds[1].back(),
               seconds[2].back(), seconds[3].back(), energy);
  }
  fmt::print(stderr, "\r{:<40}\r", "");
  fmt::print("| growth, fitted | 2.1 | {:.2f} | | {:.2f} | {:.2f} | {:.2f} | |\n", growth(seconds[0]),
             growth(seconds[1]), growth(seconds[2]), growth(seconds[3]));
}
