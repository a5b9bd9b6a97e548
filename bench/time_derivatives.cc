#include "bench/time_derivatives.h"

#include <fmt/format.h>

#include <memory>

#include "bench/agreement.h"
#include "bench/models.h"
#include "bench/states.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/time_derivatives.h"
#include "torsor/tree/tree.h"

namespace torsor::bench {
namespace {

constexpr int kStates = 16;

struct Bench {
  Bench(const Model& model, const States& s)
      : tree(make_tree(model)), plain(tree), rates(tree), states(s), Q(tree.rate_count), Q1(Q), Q2(Q) {}

  Tree tree;
  InverseDynamicsWorkspace<double> plain;
  InverseDynamicsRatesWorkspace rates;
  States states;
  std::vector<double> Q, Q1, Q2;

  /// The next states lend their accelerations for the higher derivatives: any numbers serve.
  void evaluate_with_derivatives(int i) {
    inverse_dynamics_rates(tree, rates, states.q[i], states.qd[i], states.qdd[i],
                           states.qdd[(i + 1) % kStates], states.qdd[(i + 2) % kStates], Q, Q1, Q2);
  }
  void evaluate_plain(int i) {
    inverse_dynamics<double>(tree, plain, states.q[i], states.qd[i], states.qdd[i], {}, Q);
  }
};

template <class Evaluate>
Contender contender(const std::shared_ptr<Bench>& bench, const std::string& variant, Evaluate evaluate) {
  const auto run = [=](int calls) {
    for (int i = 0; calls > 0; --calls) {
      evaluate(*bench, i);
      keep_results();
      i = (i + 1) % kStates;
    }
  };
  const auto result = [=](int i) {
    evaluate(*bench, i);
    return Blocks{bench->Q};
  };
  return {"torsor", variant, Algorithm::inverse_dynamics, 1, run, result};
}

}  // namespace

std::vector<TimeDerivativesRow> measure_time_derivatives(const TimingOptions& timing) {
  std::vector<TimeDerivativesRow> rows;
  for (const Mechanism& mechanism : mechanisms()) {
    if (mechanism.joints > 64) continue;
    const Model model(mechanism.description);
    const States states = random_states(model, kStates);
    const auto bench = std::make_shared<Bench>(model, states);
    const std::vector<Contender> contenders{
        contender(bench, "plain", [](Bench& b, int i) { b.evaluate_plain(i); }),
        contender(bench, "derivatives", [](Bench& b, int i) { b.evaluate_with_derivatives(i); })};
    const std::vector<double> times = nanoseconds_per_state(contenders, timing);
    rows.push_back({mechanism.family, mechanism.joints, times[0], times[1],
                    errors(contenders, Algorithm::inverse_dynamics, states).ours});
  }
  return rows;
}

void print_time_derivatives(const std::vector<TimeDerivativesRow>& rows) {
  constexpr auto kLine = "| {:<13} | {:>8} | {:>12} | {:>5} | {:>10} |\n";
  fmt::print("\nTime derivatives of RNEA: nanoseconds per state\n\n");
  fmt::print(kLine, "mechanism", "Q", "Q, Q' and Q''", "ratio", "difference");
  fmt::print("| --- |{:}\n", fmt::join(std::vector<std::string>(4, " ---: |"), ""));
  for (const TimeDerivativesRow& row : rows)
    fmt::print(kLine, fmt::format("{} {}", row.family, row.joints), fmt::format("{:.0f}", row.plain),
               fmt::format("{:.0f}", row.with_derivatives),
               fmt::format("{:.2f}", row.with_derivatives / row.plain), fmt::format("{:.0e}", row.error));
}

}  // namespace torsor::bench
