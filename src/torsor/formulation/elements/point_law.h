#pragma once
// Laws of one's own at points (model/point_law.h).

#include "torsor/formulation/elements/element.h"
#include "torsor/formulation/elements/tree_element.h"
#include "torsor/model/point_law.h"

namespace torsor {

/// A point moves with x linearly: the force on it along its way is one on x along dx, and does the same work.
template <int D>
struct PointLawElement {
  Arm<D> place;
  PointFunctionLaw law;
  int source, damper;
  PointEffort found{};  ///< by the last push

  static Vec3<double> spatial(const VecD<D>& a) {
    if constexpr (D == 2) {
      return {a.x, a.y, 0};
    } else {
      return a;
    }
  }
  static SquareD<D> square(double factor, const Mat3<double>& M) {
    if constexpr (D == 2) {
      return {factor * M.xx, factor * M.xy, factor * M.yx, factor * M.yy};
    } else {
      return {factor * M.xx, factor * M.xy, factor * M.xz, factor * M.yx, factor * M.yy,
              factor * M.yz, factor * M.zx, factor * M.zy, factor * M.zz};
    }
  }
  PointEffort between(const PairView<D>& view) const {
    return law.between({spatial(value_at(place, view.X.start)), spatial(value_at(place, view.X.right)),
                        spatial(value_at(place, view.X.velocity)), view.point.time, view.point.kappa,
                        view.point.velocity_gain});
  }
  template <class Sink>
  void push(const PairView<D>& view, Sink&& sink) {
    found = between(view);
    VecD<D> force;
    for (int i = 0; i < D; ++i) force[i] = view.point.force_gain * found.effort[i];
    sink(place, force);
  }
  template <class Sink>
  void add_tangent(const PairView<D>& view, Sink&& sink) const {
    sink.arms(place, place, square(view.point.force_gain, found.slope));
    sink.arms_by_rate(place, place, square(1, found.by_velocity));
  }
  void add_flows(const PairView<D>& view, double h, const Flows& flows) const {
    if (source < 0 && damper < 0) return;
    const PointEffort f = between(view);
    if (source >= 0) flows.work[source] += h * f.work;
    if (damper >= 0) flows.taken[damper] += h * f.taken;
  }
  double potential(const StateView<D>& state) const {
    return law.potential(spatial(value_at(place, state.X)));
  }
};

template <int D>
void compile(const ElementContext<D>& context, std::vector<PointLawElement<D>>& all) {
  for (const PointLaw& law : context.model.elements().point_laws) {
    all.push_back({context.mechanism.frames.point(law.at.body, law.at.p_B), law.function(context.fault),
                   context.book.source(&law), context.book.damper(&law)});
  }
}

/// On a node of a tree.
struct TreePointLaw {
  static constexpr bool kNeedsPoses = true;
  int node = 0;
  Vec3<double> p_N;
  PointFunctionLaw law;
  bool planar = false;
  int source = -1, damper = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const Pose<S>& X = view.X_W[node];
    const Twist<S>& V = view.V[node];
    const Vec3<S> place = act(X, p_N), velocity = X.R * (V.linear + cross(V.angular, p_N));
    const auto state = law.at(place, velocity, view.t);
    Vec3<S> force = state.force - state.elastic;
    if (planar) force.z = S(0.0);  // or it would be among the reactions
    sink.applied[node] += wrench_on<S>(X, place, force);
    const S power = dot(state.force, velocity);
    sink.book(source, power);
    sink.book_taken(damper, -power);
  }
  template <class S>
  S potential(const TreeView<S>& view) const {
    return law.potential(act(view.X_W[node], p_N));
  }
};

inline void compile(const TreeContext& context, std::vector<TreePointLaw>& all) {
  for (const PointLaw& law : context.model.elements().point_laws) {
    all.push_back({context.node(law.at.body), context.in_node(law.at), law.function(context.fault),
                   context.model.dimension() == 2, context.book.source(&law), context.book.damper(&law)});
  }
}

}  // namespace torsor
