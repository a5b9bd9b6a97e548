#pragma once
// Stops and friction in joints: laws of one coordinate each.

#include "torsor/formulation/elements/element.h"
#include "torsor/formulation/elements/tree_element.h"

namespace torsor {

/// At one bound of a coordinate.
template <int D, class S = double>
using CoordinateStop = MeasuredElement<D, CoordinateMeasure<D, S>, StopLawOf<S>, S>;
template <int D, class S = double>
using CoordinateFriction = MeasuredElement<D, CoordinateMeasure<D, S>, FrictionLawOf<S>, S>;

/// Hands every bound of a stop to `use(coordinate, law)`.
template <class Use>
void for_each_bound(const JointStop& stop, Use&& use) {
  for (std::size_t i = 0; i < stop.ranges.size(); ++i) {
    const JointStop::Range& range = stop.ranges[i];
    for (const auto& [bound, side] : {std::pair(range.lower, -1.0), {range.upper, 1.0}}) {
      if (std::isfinite(bound))
        use(static_cast<int>(i), StopLaw{bound, side, range.stiffness, range.damping});
    }
  }
}

template <int D>
void compile(const ElementContext<D>& context, std::vector<CoordinateStop<D>>& all) {
  for (const JointStop& stop : context.model.elements().stops) {
    if (stop.tendon) continue;
    const auto& coordinates = context.mechanism.joints.coordinates[stop.joint];
    for_each_bound(stop, [&](int i, const StopLaw& law) {
      all.push_back({{coordinates[i]}, law, stop.joint, -1, context.book.damper(&stop)});
    });
  }
}

template <int D>
void compile(const ElementContext<D>& context, std::vector<CoordinateFriction<D>>& all) {
  for (const JointFriction& friction : context.model.elements().friction) {
    if (friction.tendon) continue;
    const auto& coordinates = context.mechanism.joints.coordinates[friction.joint];
    for (std::size_t i = 0; i < friction.laws.size(); ++i) {
      if (friction.laws[i].vanishes()) continue;
      all.push_back({{coordinates[i]}, friction.laws[i], friction.joint, -1, context.book.damper(&friction)});
    }
  }
}

/// On a rate of a tree.
struct TreeStop {
  static constexpr bool kNeedsPoses = false;
  StopLaw law;
  int q = 0, v = 0, damper = -1;
  /// While an integrator holds it, whether it touches, whatever the overshoot: then forces are smooth.
  std::optional<bool> held{};

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const StopPush<S> push = law.at(view.q[q], view.v[v], held);
    sink.effort[v] -= push.effort;
    sink.book_taken(damper, push.taken);
  }
  template <class S>
  S potential(const TreeView<S>& view) const {
    return law.potential(view.q[q]);
  }
};
template <class P>
struct TreeFrictionOf {
  static constexpr bool kNeedsPoses = false;
  FrictionLawOf<P> law;
  int v = 0, damper = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const S effort = law.effort(view.v[v]);
    sink.effort[v] -= effort;
    sink.book_taken(damper, effort * view.v[v]);
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.law, s.v, s.damper);
  }
};
using TreeFriction = TreeFrictionOf<double>;

inline void compile(const TreeContext& context, std::vector<TreeStop>& all) {
  const Model& model = context.model;
  for (const JointStop& stop : model.elements().stops) {
    if (stop.tendon) continue;
    for_each_bound(stop, [&](int i, const StopLaw& law) {
      all.push_back({law, model.coordinate_offset(stop.joint) + i, model.rate_offset(stop.joint) + i,
                     context.book.damper(&stop)});
    });
  }
}
inline void compile(const TreeContext& context, std::vector<TreeFriction>& all) {
  for (const JointFriction& friction : context.model.elements().friction) {
    if (friction.tendon) continue;
    for (std::size_t i = 0; i < friction.laws.size(); ++i) {
      if (friction.laws[i].vanishes()) continue;
      all.push_back({friction.laws[i], context.model.rate_offset(friction.joint) + static_cast<int>(i),
                     context.book.damper(&friction)});
    }
  }
}

}  // namespace torsor
