#pragma once
// Laws of one's own (model/own_law.h) on coordinates of joints and on lengths of paths.

#include "torsor/formulation/elements/tendon.h"
#include "torsor/model/own_law.h"

namespace torsor {

template <int D>
using OwnCoordinateLaw = MeasuredElement<D, CoordinateMeasure<D>, FunctionLaw>;
template <int D>
using OwnLengthLaw = MeasuredElement<D, LengthMeasure<D>, FunctionLaw>;

template <int D>
void compile(const ElementContext<D>& context, std::vector<OwnCoordinateLaw<D>>& all) {
  for (const OwnLaw& law : context.model.elements().laws) {
    if (law.tendon) continue;
    all.push_back({{context.mechanism.joints.coordinates[law.joint][law.coordinate]},
                   FunctionLaw(law, context.fault),
                   law.joint,
                   context.book.source(&law),
                   context.book.damper(&law)});
  }
}
template <int D>
void compile(const ElementContext<D>& context, std::vector<OwnLengthLaw<D>>& all) {
  for (const OwnLaw& law : context.model.elements().laws) {
    if (!law.tendon) continue;
    all.push_back({length_of(context, context.model.tendons()[*law.tendon], 0.0, true),
                   FunctionLaw(law, context.fault), -1, context.book.source(&law),
                   context.book.damper(&law)});
  }
}

/// The powers that the ledger books of a force F.
template <class S>
void book_force(const TreeSink<S>& sink, int source, int damper, const S& force, const S& rate) {
  sink.book(source, force * rate);
  sink.book_taken(damper, -force * rate);
}

/// On a rate of a tree.
struct TreeOwnCoordinate {
  static constexpr bool kNeedsPoses = false;
  FunctionLaw law;
  int q = 0, v = 0, source = -1, damper = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const auto state = law.at(view.q[q], view.v[v], view.t);
    sink.effort[v] += state.force - state.elastic;
    book_force(sink, source, damper, state.force, view.v[v]);
  }
  template <class S>
  S potential(const TreeView<S>& view) const {
    return law.potential(view.q[q]);
  }
};

/// Along the path of a tendon.
struct TreeOwnLength {
  static constexpr bool kNeedsPoses = true;
  TreePath path;  ///< alone
  FunctionLaw law;
  int source = -1, damper = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const TendonState<S> tendon = path.state(view);
    const auto state = law.at(tendon.length, tendon.rate, view.t);
    path.pull(view, S(state.elastic - state.force), sink);
    book_force(sink, source, damper, state.force, tendon.rate);
  }
  template <class S>
  S potential(const TreeView<S>& view) const {
    return law.potential(path.stretch(view));
  }
};

inline void compile(const TreeContext& context, std::vector<TreeOwnCoordinate>& all) {
  const Model& model = context.model;
  for (const OwnLaw& law : model.elements().laws) {
    if (law.tendon) continue;
    all.push_back({FunctionLaw(law, context.fault), model.coordinate_offset(law.joint) + law.coordinate,
                   model.rate_offset(law.joint) + law.coordinate, context.book.source(&law),
                   context.book.damper(&law)});
  }
}
inline void compile(const TreeContext& context, std::vector<TreeOwnLength>& all) {
  for (const OwnLaw& law : context.model.elements().laws) {
    if (!law.tendon) continue;
    all.push_back({path_on_tree(context, context.model.tendons()[*law.tendon]),
                   FunctionLaw(law, context.fault), context.book.source(&law), context.book.damper(&law)});
  }
}

}  // namespace torsor
