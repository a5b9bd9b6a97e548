#pragma once
// Stops and friction of tendons: laws of the length of a path.

#include "torsor/formulation/elements/joint_limits.h"
#include "torsor/formulation/elements/tendon.h"

namespace torsor {

/// At one bound of the length.
template <int D, class S = double>
using LengthStop = MeasuredElement<D, LengthMeasure<D, S>, StopLawOf<S>, S>;
template <int D, class S = double>
using LengthFriction = MeasuredElement<D, LengthMeasure<D, S>, FrictionLawOf<S>, S>;

template <int D>
void compile(const ElementContext<D>& context, std::vector<LengthStop<D>>& all) {
  for (const JointStop& stop : context.model.elements().stops) {
    if (!stop.tendon) continue;
    for_each_bound(stop, [&](int, const StopLaw& law) {
      all.push_back({length_of(context, context.model.tendons()[*stop.tendon], 0.0, law.damping > 0), law, -1,
                     -1, context.book.damper(&stop)});
    });
  }
}
template <int D>
void compile(const ElementContext<D>& context, std::vector<LengthFriction<D>>& all) {
  for (const JointFriction& friction : context.model.elements().friction) {
    if (!friction.tendon || friction.laws[0].vanishes()) continue;
    all.push_back({length_of(context, context.model.tendons()[*friction.tendon], 0.0, true), friction.laws[0],
                   -1, -1, context.book.damper(&friction)});
  }
}

/// Along a path on a tree.
struct TreeLengthStop {
  static constexpr bool kNeedsPoses = true;
  TreePath path;
  StopLaw law;
  int damper = -1;
  std::optional<bool> held{};  ///< as of TreeStop

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const TendonState<S> state = path.state(view);
    const StopPush<S> push = law.at(state.length, state.rate, held);
    path.pull(view, push.effort, sink);
    sink.book_taken(damper, push.taken);
  }
  template <class S>
  S potential(const TreeView<S>& view) const {
    return law.potential(path.stretch(view));
  }
};
template <class P>
struct TreeLengthFrictionOf {
  static constexpr bool kNeedsPoses = true;
  TreePathOf<P> path;
  FrictionLawOf<P> law;
  int damper = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const S rate = path.state(view).rate, effort = law.effort(rate);
    path.pull(view, effort, sink);
    sink.book_taken(damper, effort * rate);
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.path, s.law, s.damper);
  }
};
using TreeLengthFriction = TreeLengthFrictionOf<double>;

inline void compile(const TreeContext& context, std::vector<TreeLengthStop>& all) {
  for (const JointStop& stop : context.model.elements().stops) {
    if (!stop.tendon) continue;
    for_each_bound(stop, [&](int, const StopLaw& law) {
      all.push_back(
          {path_on_tree(context, context.model.tendons()[*stop.tendon]), law, context.book.damper(&stop)});
    });
  }
}
inline void compile(const TreeContext& context, std::vector<TreeLengthFriction>& all) {
  for (const JointFriction& friction : context.model.elements().friction) {
    if (!friction.tendon || friction.laws[0].vanishes()) continue;
    all.push_back({path_on_tree(context, context.model.tendons()[*friction.tendon]), friction.laws[0],
                   context.book.damper(&friction)});
  }
}

}  // namespace torsor
