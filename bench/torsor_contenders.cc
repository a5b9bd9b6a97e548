#include <memory>
#include <span>

#include "bench/contender.h"
#include "torsor/base/pack_math.h"
#include "torsor/tree/forward_dynamics.h"
#include "torsor/tree/forward_dynamics_derivatives.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/inverse_dynamics_derivatives.h"
#include "torsor/tree/mass_matrix.h"
#include "torsor/tree/scalars.h"
#include "torsor/tree/tree.h"

namespace torsor::bench {
namespace {

template <class S>
constexpr int kWidth = S::size;
template <>
constexpr int kWidth<double> = 1;

/// States side by side in lanes: entry b of the result holds states b * width and following.
template <class S>
std::vector<std::vector<S>> packed(const std::vector<std::vector<double>>& states) {
  std::vector<std::vector<S>> packs(states.size() / kWidth<S>, std::vector<S>(states[0].size()));
  for (std::size_t i = 0; i < packs.size() * kWidth<S>; ++i) {
    for (std::size_t k = 0; k < states[i].size(); ++k)
      lane(packs[i / kWidth<S>][k], static_cast<int>(i % kWidth<S>)) = states[i][k];
  }
  return packs;
}

template <class S>
struct Bench {
  Bench(const Model& model, const States& states)
      : tree(make_tree(model)),
        inverse(tree),
        forward(tree),
        mass(tree),
        q(packed<S>(states.q)),
        qd(packed<S>(states.qd)),
        qdd(packed<S>(states.qdd)),
        effort(packed<S>(states.effort)),
        output(tree.rate_count),
        M(static_cast<std::size_t>(tree.rate_count) * tree.rate_count) {}

  Tree tree;
  InverseDynamicsWorkspace<S> inverse;
  ForwardDynamicsWorkspace<S> forward;
  MassMatrixWorkspace<S> mass;
  std::vector<std::vector<S>> q, qd, qdd, effort;
  std::vector<S> output, M;

  void evaluate(Algorithm algorithm, std::size_t i) {
    switch (algorithm) {
      case Algorithm::inverse_dynamics:
        return inverse_dynamics<S>(tree, inverse, q[i], qd[i], qdd[i], {}, output);
      case Algorithm::forward_dynamics:
        return forward_dynamics<S>(tree, forward, q[i], qd[i], effort[i], {}, output);
      case Algorithm::mass_matrix:
        return mass_matrix<S>(tree, mass, q[i], M);
      default:
        return;  // of one state at a time: DerivativesBench
    }
  }
};

template <class S>
void add_contenders(const Model& model, const States& states, std::vector<Contender>& all) {
  const auto bench = std::make_shared<Bench<S>>(model, states);
  for (Algorithm algorithm :
       {Algorithm::inverse_dynamics, Algorithm::forward_dynamics, Algorithm::mass_matrix}) {
    const auto run = [=](int calls) {
      for (std::size_t i = 0; calls > 0; --calls) {
        bench->evaluate(algorithm, i);
        keep_results();
        if (++i == bench->q.size()) i = 0;
      }
    };
    const auto result = [=](int state) {
      bench->evaluate(algorithm, state / kWidth<S>);
      std::vector<double> values;
      for (const S& x : algorithm == Algorithm::mass_matrix ? bench->M : bench->output)
        values.push_back(lane(x, state % kWidth<S>));
      return Blocks{values};
    };
    const std::string variant = kWidth<S> == 1 ? "one" : "pack" + std::to_string(kWidth<S>);
    all.push_back({"torsor", variant, algorithm, kWidth<S>, run, result});
  }
}

struct DerivativesBench {
  DerivativesBench(const Model& model, const States& s)
      : tree(make_tree(model)),
        inverse(tree),
        forward(tree),
        states(s),
        output(tree.rate_count),
        by_q(static_cast<std::size_t>(tree.rate_count) * tree.rate_count),
        by_qd(by_q),
        by_effort(by_q) {}

  Tree tree;
  InverseDynamicsDerivativesWorkspace<double> inverse;
  ForwardDynamicsDerivativesWorkspace forward;
  States states;
  std::vector<double> output, by_q, by_qd, by_effort;

  void evaluate(Algorithm algorithm, std::size_t i) {
    if (algorithm == Algorithm::inverse_dynamics_derivatives)
      inverse_dynamics_derivatives<double>(tree, inverse, states.q[i], states.qd[i], states.qdd[i], output,
                                           by_q, by_qd);
    else
      forward_dynamics_derivatives(tree, forward, states.q[i], states.qd[i], states.effort[i], output, by_q,
                                   by_qd, by_effort);
  }
};

void add_derivatives(const Model& model, const States& states, std::vector<Contender>& all) {
  const auto bench = std::make_shared<DerivativesBench>(model, states);
  for (Algorithm algorithm :
       {Algorithm::inverse_dynamics_derivatives, Algorithm::forward_dynamics_derivatives}) {
    const auto run = [=](int calls) {
      for (int i = 0; calls > 0; --calls) {
        bench->evaluate(algorithm, i);
        keep_results();
        if (++i == bench->states.size()) i = 0;
      }
    };
    const auto result = [=](int state) {
      bench->evaluate(algorithm, state);
      Blocks blocks{bench->by_q, bench->by_qd};
      if (algorithm == Algorithm::forward_dynamics_derivatives) blocks.push_back(bench->by_effort);
      return blocks;
    };
    all.push_back({"torsor", "one", algorithm, 1, run, result});
  }
}

}  // namespace

std::vector<Contender> torsor_contenders(const Model& model, const States& states) {
  std::vector<Contender> all;
  add_contenders<double>(model, states, all);
  add_contenders<Pack4>(model, states, all);
  add_contenders<Pack8>(model, states, all);
  if (states.qd[0].size() <= kMostRatesOfDerivatives) add_derivatives(model, states, all);
  return all;
}

}  // namespace torsor::bench
