#pragma once
// Tendons: a law of the length of a path through points.

#include "torsor/formulation/constrained_mechanism.h"
#include "torsor/formulation/elements/length_measure.h"
#include "torsor/formulation/elements/tree_path.h"

namespace torsor {

template <int D, class S = double>
using TendonElement = MeasuredElement<D, LengthMeasure<D, S>, DrivenTensionOf<S>, S>;
/// At a state.
template <int D, class S>
TendonMotionOf<S> tendon_motion(const TendonElement<D, S>& tendon, double t, const Configuration<D, S>& X,
                                const Configuration<D, S>& velocity,
                                std::span<const std::type_identity_t<S>> angles);

/// The pull of a tendon, compensated by the joints of a chain: on the bodies of the chain that carry its points.
template <int D>
struct CarriedTendon {
  LengthMeasure<D> measure;
  TensionLaw law;
  std::vector<int> carriers;  ///< by point of the path; the ground: the chain does not carry it
  int source;
  bool acts;  ///< else its work alone counts
  LawEffort found{};

  VecD<D> place(std::size_t via, const Configuration<D>& X) const { return value_at(measure.path[via], X); }
  /// The elastic part of what the tendon adds to the left side there.
  VecD<D> pull(std::size_t via) const { return found.elastic * measure.direction(via); }
  template <class Use>
  void for_each_carried(const PairView<D>& view, Use&& use) const {
    for (std::size_t via = 0; via < carriers.size(); ++via) {
      if (carriers[via] != view.mechanism.ground) use(via, carriers[via], place(via, view.X.left));
    }
  }

  template <class Sink>
  void push(const PairView<D>& view, Sink&& sink) {
    if (!acts) return;
    found = law.between(measure.set(view));
    for_each_carried(view, [&](std::size_t via, int carrier, const VecD<D>& at) {
      const VecD<D> force = -view.point.force_gain * pull(via);
      sink.force(carrier, force);
      sink.turn(carrier, moment_of(at - view.X.left[carrier].phi, force));
    });
  }
  template <class Sink>
  void add_tangent(const PairView<D>& view, Sink&& sink) {
    if (!acts || (found.elastic == 0 && found.elastic_slope == 0)) return;
    const double sigma = -view.point.force_gain, kappa = view.point.kappa;
    measure.clear_by_place();
    measure.add_by_place(sigma * found.elastic, sigma * found.elastic_slope,
                         typename LengthMeasure<D>::Between{measure, kappa});
    for_each_carried(view, [&](std::size_t a, int carrier, const VecD<D>& at) {
      sink.carried_lever(carrier, measure.path[a], (kappa * sigma) * pull(a));
      for (std::size_t b = 0; b < carriers.size(); ++b) {
        sink.carried(carrier, at - view.X.left[carrier].phi, measure.path[b],
                     measure.by_place[carriers.size() * a + b]);
      }
    });
  }
  void add_flows(const PairView<D>& view, double h, const Flows& flows) {
    found = law.between(measure.set(view));
    for_each_carried(view, [&](std::size_t via, int carrier, const VecD<D>& at) {
      flows.work[source] += h * carried_power(view, carrier, at, pull(via));
    });
  }
  template <class Use>
  void couple(Use&& use) const {
    if (!acts) return;
    for (const Arm<D>& via : measure.path) {
      for (int carrier : carriers) use(carrier, via.node);
    }
  }
};

template <int D>
void compile(const ElementContext<D>& context, std::vector<TendonElement<D>>& all);
template <int D>
void compile(const ElementContext<D>& context, std::vector<CarriedTendon<D>>& all);

/// On a tree.
template <class P>
struct TreeTendonOf {
  static constexpr bool kNeedsPoses = true;
  TreePathOf<P> path;
  int source = -1, damper = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const TendonState<S> state = path.state(view);
    path.pull(view, state.tension, sink);
    sink.book(source, state.work);
    sink.book_taken(damper, state.dissipation);
  }
  template <class S>
  S potential(const TreeView<S>& view) const {
    return path.potential(view);
  }
  /// Of joints: the diagonal alone, with which iterations shrink in every direction, if not at once.
  void add_stiffness(std::span<double> K, std::span<double> C) const {
    for (const auto& term : path.terms) {
      K[term.v] += path.law.stiffness * term.factor * term.factor;
      C[term.v] += path.law.damping * term.factor * term.factor;
    }
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.path, s.source, s.damper);
  }
};
using TreeTendon = TreeTendonOf<double>;
struct TreeCarriedTendon {
  static constexpr bool kNeedsPoses = true;
  TendonLaw law;
  std::vector<int> carriers;  ///< by point of its path; 0: the chain does not carry it
  int source = -1;
  bool acts = true;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const auto place = [&](std::size_t i) { return act(view.X_W[law.path[i].frame], law.path[i].p); };
    const S tension = elastic_tension(law, view.X_W, view.t);
    for_each_segment(law.path.size(), place, [&](std::size_t i, const Vec3<S>& d) {
      const Vec3<S> pull = tension * unit_or_zero(d);
      if (carriers[i] != 0) bear<S>(view, sink, carriers[i], place(i), -pull, source, acts);
      if (carriers[i + 1] != 0) bear<S>(view, sink, carriers[i + 1], place(i + 1), pull, source, acts);
    });
  }
};
void compile(const TreeContext& context, std::vector<TreeTendon>& all);
void compile(const TreeContext& context, std::vector<TreeCarriedTendon>& all);

}  // namespace torsor
