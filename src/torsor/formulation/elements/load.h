#pragma once
// Forces at points and moments on bodies, by programs, along world axes or axes fixed on the body.

#include "torsor/formulation/elements/element.h"
#include "torsor/formulation/elements/tree_element.h"

namespace torsor {

template <int D, class S = double>
struct LoadElement {
  bool is_force;
  Arm<D, S> at;                   ///< of a force; of a moment only the node counts
  std::array<Arm<D, S>, 3> axes;  ///< along which the components count
  std::array<ProgramOf<S>, 3> components;
  int source;

  /// The force, or in space the moment; in the plane a moment is the component along z.
  VecD<D, S> vector(const PairView<D, S>& view) const {
    VecD<D, S> sum{};
    for (int i = 0; i < 3; ++i) sum += components[i].value(view.point.time) * lever(axes[i], view.X.left);
    return sum;
  }
  SpinD<D, S> moment(const PairView<D, S>& view) const {
    if constexpr (D == 2) {
      return components[2].value(view.point.time);
    } else {
      return vector(view);
    }
  }

  template <class Sink>
  void push(const PairView<D, S>& view, Sink&& sink) const {
    if (is_force) return sink(at, -(view.point.force_gain * vector(view)));
    sink.turn(at.node, -(view.point.force_gain * moment(view)));
  }
  template <class Sink>
  void add_tangent(const PairView<D, S>& view, Sink&& sink) const {
    if (axes[0].node == view.mechanism.ground) return;
    for (int i = 0; i < 3; ++i) {
      const S change = -view.point.force_gain * view.point.kappa * components[i].value(view.point.time);
      if (is_force) {
        sink.arms(at, axes[i], change);
      } else if constexpr (D == 3) {
        sink.spin(at.node, view.mechanism.ground, at.node, -change * hat(lever(axes[i], view.X.right)),
                  Mat3<S>{});
      }
    }
  }
  void add_flows(const PairView<D, S>& view, double h, const FlowsOf<S>& flows) const {
    flows.work[source] += h * (is_force ? dot(vector(view), value_at(at, view.X.velocity))
                                        : along(moment(view), view.spin(at.node)));
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.is_force, s.at, s.axes, s.components, s.source);
  }
};

template <int D>
void compile(const ElementContext<D>& context, std::vector<LoadElement<D>>& all);

/// On a node of a tree.
template <class P>
struct TreeLoadOf {
  static constexpr bool kNeedsPoses = true;
  Load::Kind kind = Load::Kind::force;
  int node = 0;
  Vec3<P> p_N;   ///< where the force acts
  Mat3<P> R_NB;  ///< axes of the body, for loads given in them
  bool in_body_axes = false;
  std::array<ProgramOf<P>, 3> components;
  int source = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const auto component = [&](int i) { return along(components[i], view.t).value; };
    const Vec3<S> value{component(0), component(1), component(2)};
    const Vec3<S> in_node = in_body_axes ? R_NB * value : transpose_times(view.X_W[node].R, value);
    const Wrench<S> F =
        kind == Load::Kind::moment ? Wrench<S>{in_node, {}} : Wrench<S>{cross(p_N, in_node), in_node};
    sink.applied[node] += F;
    sink.book(source, dot(view.V[node], F));
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.kind, s.node, s.p_N, s.R_NB, s.in_body_axes, s.components, s.source);
  }
};
using TreeLoad = TreeLoadOf<double>;
void compile(const TreeContext& context, std::vector<TreeLoad>& all);

}  // namespace torsor
