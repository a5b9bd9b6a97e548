#include "bench/forms.h"

#include <fmt/format.h>

#include <memory>

#include "bench/agreement.h"
#include "bench/models.h"
#include "bench/states.h"
#include "torsor/tree/inverse_dynamics.hpp"
#include "torsor/tree/reference/inverse_dynamics_forms.hpp"
#include "torsor/tree/tree.h"

namespace torsor {

// Compiled in tree/, with the flags that are timed there; only Counted is instantiated here.
extern template struct InverseDynamicsWorkspace<double>;
extern template void inverse_dynamics<double>(const Tree&, InverseDynamicsWorkspace<double>&,
                                              std::span<const double>, std::span<const double>,
                                              std::span<const double>, std::span<const Wrench<double>>,
                                              std::span<double>);
extern template struct InverseDynamicsFormWorkspace<double>;
extern template void inverse_dynamics_in<Representation::spatial, double>(
    const Tree&, InverseDynamicsFormWorkspace<double>&, std::span<const double>, std::span<const double>,
    std::span<const double>, std::span<const Wrench<double>>, std::span<double>);
extern template void inverse_dynamics_in<Representation::hybrid, double>(
    const Tree&, InverseDynamicsFormWorkspace<double>&, std::span<const double>, std::span<const double>,
    std::span<const double>, std::span<const Wrench<double>>, std::span<double>);
extern template void inverse_dynamics_in<Representation::mixed, double>(
    const Tree&, InverseDynamicsFormWorkspace<double>&, std::span<const double>, std::span<const double>,
    std::span<const double>, std::span<const Wrench<double>>, std::span<double>);

namespace bench {
namespace {

constexpr int kStates = 16;

template <class S>
struct FormBench {
  FormBench(const Model& model, const States& s)
      : tree(make_tree(model)), body(tree), other(tree), effort(tree.rate_count) {
    for (int i = 0; i < s.size(); ++i) {
      q.emplace_back(s.q[i].begin(), s.q[i].end());
      qd.emplace_back(s.qd[i].begin(), s.qd[i].end());
      qdd.emplace_back(s.qdd[i].begin(), s.qdd[i].end());
    }
  }

  Tree tree;
  InverseDynamicsWorkspace<S> body;
  InverseDynamicsFormWorkspace<S> other;
  std::vector<std::vector<S>> q, qd, qdd;
  std::vector<S> effort;

  template <Representation form>
  void evaluate_in(int i) {
    inverse_dynamics_in<form, S>(tree, other, q[i], qd[i], qdd[i], {}, effort);
  }
  void evaluate(Representation form, int i) {
    switch (form) {
      case Representation::body:
        return inverse_dynamics<S>(tree, body, q[i], qd[i], qdd[i], {}, effort);
      case Representation::spatial:
        return evaluate_in<Representation::spatial>(i);
      case Representation::hybrid:
        return evaluate_in<Representation::hybrid>(i);
      case Representation::mixed:
        return evaluate_in<Representation::mixed>(i);
    }
  }
};

Contender contender(const std::shared_ptr<FormBench<double>>& bench, Representation form) {
  const auto run = [=](int calls) {
    for (int i = 0; calls > 0; --calls) {
      bench->evaluate(form, i);
      keep_results();
      i = (i + 1) % kStates;
    }
  };
  const auto result = [=](int i) {
    bench->evaluate(form, i);
    return Blocks{bench->effort};
  };
  return {"torsor", name_of(form), Algorithm::inverse_dynamics, 1, run, result};
}

}  // namespace

std::vector<FormRow> measure_forms(const TimingOptions& timing) {
  std::vector<FormRow> rows;
  for (const int joints : {7, 64}) {
    const Model model(revolute_chain(joints, Axes::principal));
    const States states = random_states(model, kStates);
    const auto timed = std::make_shared<FormBench<double>>(model, states);
    FormBench<Counted> counted(model, states);
    std::vector<Contender> contenders;
    for (const Representation form : kRepresentations) contenders.push_back(contender(timed, form));
    const std::vector<double> times = nanoseconds_per_state(contenders, timing);
    for (std::size_t k = 0; k < contenders.size(); ++k) {
      Counted::operations = {};
      counted.evaluate(kRepresentations[k], 0);
      rows.push_back(
          {kRepresentations[k], joints, Counted::operations, times[k],
           errors(std::vector{contenders[0], contenders[k]}, Algorithm::inverse_dynamics, states).ours});
    }
  }
  return rows;
}

void print_forms(const std::vector<FormRow>& rows) {
  constexpr auto kLine = "| {:<8} | {:>6} | {:>15} | {:>9} | {:>7} | {:>9} | {:>10} |\n";
  fmt::print("\nForms of RNEA: operations and nanoseconds a joint\n\n");
  fmt::print(kLine, "form", "joints", "multiplications", "additions", "time", "to body", "difference");
  fmt::print("| --- |{:}\n", fmt::join(std::vector<std::string>(6, " ---: |"), ""));
  double body = 0;
  for (const FormRow& row : rows) {
    if (row.form == Representation::body) body = row.nanoseconds;
    const double n = row.joints;
    fmt::print(kLine, name_of(row.form), row.joints,
               fmt::format("{:.1f}", static_cast<double>(row.operations.multiplications) / n),
               fmt::format("{:.1f}", static_cast<double>(row.operations.additions) / n),
               fmt::format("{:.1f}", row.nanoseconds / n), fmt::format("{:.2f}", row.nanoseconds / body),
               fmt::format("{:.0e}", row.error));
  }
}

}  // namespace bench
}  // namespace torsor
