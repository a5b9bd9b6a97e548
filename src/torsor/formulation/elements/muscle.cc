#include "torsor/formulation/elements/muscle.h"

namespace torsor {

MuscleLaw excited_muscle(const Model& model, std::size_t tendon, const HeldEfforts* held) {
  std::vector<MuscleLaw::Input> inputs;
  for (std::size_t c = 0; held && c < held->size(); ++c) {
    for (const Controller::Excited& excited : model.controllers()[c].excites) {
      if (excited.tendon == static_cast<int>(tendon) && !(*held)[c].empty())
        inputs.push_back({(*held)[c].data(), excited.factor});
    }
  }
  return MuscleLaw(*model.tendons()[tendon].muscle, std::move(inputs));
}

template <int D>
void compile(const ElementContext<D>& context, std::vector<MuscleElement<D>>& all) {
  for (std::size_t i = 0; i < context.model.tendons().size(); ++i) {
    const Tendon& tendon = context.model.tendons()[i];
    if (!tendon.muscle) continue;
    all.push_back({length_of(context, tendon, 0.0, true), excited_muscle(context.model, i, context.held),
                   context.book.state(&tendon), context.book.source(&tendon), context.book.damper(&tendon)});
  }
}

void compile(const TreeContext& context, std::vector<TreeMuscle>& all) {
  for (std::size_t i = 0; i < context.model.tendons().size(); ++i) {
    const Tendon& tendon = context.model.tendons()[i];
    if (!tendon.muscle) continue;
    all.push_back({law_on_tree(context, tendon), excited_muscle(context.model, i, context.held),
                   context.book.state(&tendon), context.book.source(&tendon), context.book.damper(&tendon)});
  }
}

TreeMuscle::Found TreeMuscle::find(double t, double length, double rate, const ElementStates& states) const {
  const LawPair at{length, length, rate, t, 1, 0};
  const std::span<const double> z = states.z;
  Found found{};
  double a = z.empty() ? law.start_activation(t) : z[state];
  const auto base = [&](int i) {
    return z[i] + (states.begin_rates.empty() ? 0 : states.gain * states.begin_rates[i]);
  };
  if (!z.empty() && states.gain > 0) {
    a = law.implicit_activation(base(state), states.gain, t);
    found.activation_rate = (a - base(state)) / states.gain;
  } else if (!z.empty() && states.step > 0) {
    const double end = law.activation_after(a, states.begin, states.begin + states.step);
    found.activation_rate = (end - a) / states.step;
    a = law.activation_after(a, states.begin, t);
  } else {
    found.activation_rate = law.activation_rate(law.excitation(t), a);
  }
  if (!law.has_share()) {
    found.effort = law.between(at, a);
  } else if (z.empty()) {
    found.effort = law.resting(length, a);
  } else if (states.gain > 0) {
    found.effort = law.implicit(length, a, base(state + 1), states.gain);
  } else {
    found.effort = law.at(length, a, z[state + 1]);
  }
  return found;
}

void TreeMuscle::start(const TreeView<double>& view, std::span<double> z) const {
  z[state] = law.start_activation(view.t);
  if (!law.has_share()) return;
  z[state + 1] = law.start_share(path.state(view).length, z[state]);
}

template void compile(const ElementContext<2>&, std::vector<MuscleElement<2>>&);
template void compile(const ElementContext<3>&, std::vector<MuscleElement<3>>&);

}  // namespace torsor
