// The recursions, instantiated with a number that counts.

#include "experiments/measures.h"
#include "experiments/screw_measures.h"
#include "torsor/base/counted.h"
#include "torsor/tree/inverse_dynamics.hpp"
#include "torsor/tree/reference/inverse_dynamics_forms.hpp"
#include "torsor/tree/tree.h"

namespace torsor {
namespace {

struct CountedState {
  explicit CountedState(const Tree& tree)
      : q(tree.coordinate_count, 0.3), qd(tree.rate_count, 0.2), qdd(tree.rate_count, 0.1), effort(qd) {}
  std::vector<Counted> q, qd, qdd, effort;
};

template <Representation form>
void evaluate_in(const Tree& tree, CountedState& s) {
  InverseDynamicsFormWorkspace<Counted> workspace(tree);
  Counted::operations = {};
  inverse_dynamics_in<form, Counted>(tree, workspace, s.q, s.qd, s.qdd, {}, s.effort);
}

void evaluate(Representation form, const Tree& tree, CountedState& s) {
  switch (form) {
    case Representation::body: {
      InverseDynamicsWorkspace<Counted> workspace(tree);
      Counted::operations = {};
      return inverse_dynamics<Counted>(tree, workspace, s.q, s.qd, s.qdd, {}, s.effort);
    }
    case Representation::spatial:
      return evaluate_in<Representation::spatial>(tree, s);
    case Representation::hybrid:
      return evaluate_in<Representation::hybrid>(tree, s);
    case Representation::mixed:
      return evaluate_in<Representation::mixed>(tree, s);
  }
}

}  // namespace

Measure operations_per_joint(int run, Representation form) {
  return [=](Outcomes all) {
    const Tree tree = make_tree(*finished(all, run).model);
    CountedState state(tree);
    evaluate(form, tree, state);
    const Operations& counted = Counted::operations;
    return static_cast<double>(counted.multiplications + counted.additions) / tree.rate_count;
  };
}

}  // namespace torsor
