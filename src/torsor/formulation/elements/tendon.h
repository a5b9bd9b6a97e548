#pragma once
// Tendons: a law of the length of a path through points.

#include "torsor/formulation/constrained_mechanism.h"
#include "torsor/formulation/elements/element.h"
#include "torsor/formulation/elements/tree_element.h"
#include "torsor/model/tendon_law.h"

namespace torsor {

/// With the unit vectors n = (e_a + e_b) / (s_a + s_b) of segments e of length s, sum n . (e_b - e_a) is
/// l_b - l_a without a quotient of differences: n is the discrete gradient of the length.
template <int D>
struct LengthMeasure {
  LengthMeasure(std::vector<Arm<D>> points, double rest_length, bool damped)
      : path(std::move(points)),
        rest(rest_length),
        has_rate(damped),
        stretches(path.size() - 1),
        pull(path.size()),
        lengthening(path.size()),
        by_place(path.size() * path.size()) {}

  /// A segment at both configurations: from point to point, and its length.
  struct Stretch {
    VecD<D> e_a{}, e_b{};
    double s_a = 0, s_b = 0;
  };
  /// The direction n of a pull, which changes by turning (q - (n_right . q) n) as the vector between its ends
  /// changes by q at b.
  struct Segment {
    VecD<D> n{}, n_right{};
    double turning = 0;
  };

  std::vector<Arm<D>> path;
  double rest;
  bool has_rate;                           ///< whether the law asks for the rate
  std::vector<Stretch> stretches;          ///< of the last set
  std::vector<VecD<D>> pull, lengthening;  ///< scratch, by point
  std::vector<SquareD<D>> by_place;        ///< scratch, by two points

  auto place_in(const Configuration<D>& X) const {
    return [&](std::size_t i) { return value_at(path[i], X); };
  }
  double value(const Configuration<D>& X, std::span<const double> = {}) const {
    double stretch = -rest;
    for_each_segment(path.size(), place_in(X), [&](std::size_t, const VecD<D>& e) { stretch += norm(e); });
    return stretch;
  }
  LawPair set(const PairView<D>& view) {
    double a = -rest, b = -rest, rate = 0;
    for_each_segment(path.size(), place_in(view.X.start), [&](std::size_t i, const VecD<D>& e) {
      stretches[i].e_a = e;
      a += stretches[i].s_a = norm(e);
    });
    for_each_segment(path.size(), place_in(view.X.right), [&](std::size_t i, const VecD<D>& e) {
      stretches[i].e_b = e;
      b += stretches[i].s_b = norm(e);
    });
    if (has_rate) {
      for_each_segment(path.size(), place_in(view.X.velocity), [&](std::size_t i, const VecD<D>& apart) {
        const auto& [e_a, e_b, s_a, s_b] = stretches[i];
        if (s_a + s_b > 0) rate += dot(e_a + e_b, apart) / (s_a + s_b);
      });
    }
    return view.law_pair(a, b, rate);
  }

  Segment discrete(std::size_t i, double kappa) const {
    const auto& [e_a, e_b, s_a, s_b] = stretches[i];
    const double s = s_a + s_b;
    if (s == 0) return {};
    return {(1 / s) * (e_a + e_b), (s_b > 0 ? 1 / s_b : 0.0) * e_b, s_b > 0 ? 2 * kappa / s : 0.0};
  }
  /// Or the gradient of the length on the way from a to b.
  Segment on_way(std::size_t i, double way) const {
    const VecD<D> e = (1 - way) * stretches[i].e_a + way * stretches[i].e_b;
    const double s = norm(e);
    if (s == 0) return {};
    return {(1 / s) * e, (1 / s) * e, way / s};
  }
  double stretch_on_way(double way) const {
    double stretch = -rest;
    for (const Stretch& s : stretches) stretch += norm((1 - way) * s.e_a + way * s.e_b);
    return stretch;
  }
  /// At a point of the path, of all segments that end there.
  VecD<D> direction(std::size_t via) const {
    VecD<D> n{};
    if (via > 0) n += discrete(via - 1, 0.5).n;
    if (via < stretches.size()) n -= discrete(via, 0.5).n;
    return n;
  }

  /// Hands every part of the pull to `use(tension, slope, segment)`: the tension, its derivative by the
  /// lengths that the segments' n_right differentiate, and the directions `segment(i)`.
  template <class Use>
  void for_each_pull(const PairView<D>& view, const TensionLaw& law, const LawEffort& f, Use&& use) const {
    const auto between = [&](std::size_t i) { return discrete(i, view.point.kappa); };
    if (view.point.elastic_rule.empty()) return use(f.effort, f.slope, between);
    if (law.damping > 0) use(f.effort - f.elastic, f.slope - f.elastic_slope, between);
    for (const auto& [way, weight] : view.point.elastic_rule) {
      const double stretch = stretch_on_way(way);
      if (law.tension_only && stretch <= 0) {
        use(0.0, 0.0, between);
        continue;
      }
      use(weight * (law.stiffness * stretch), weight * way * law.stiffness,
          [&, at = way](std::size_t i) { return on_way(i, at); });
    }
  }
  template <class Sink>
  void push(const PairView<D>& view, const TensionLaw& law, const LawEffort& f, Sink&& sink) const {
    for_each_pull(view, law, f, [&](double tension, double, auto&& segment) {
      if (tension == 0) return;
      for (std::size_t i = 0; i < stretches.size(); ++i) {
        const VecD<D> force = (view.point.force_gain * tension) * segment(i).n;
        sink(path[i + 1], force);
        sink(path[i], -force);
      }
    });
  }

  void clear_by_place() { std::fill(by_place.begin(), by_place.end(), SquareD<D>{}); }
  /// For every two points of the path the derivative of the pull at the one by the place of the other: by the
  /// directions of the segments, and by the tension, which all segments share.
  template <class SegmentOf>
  void add_by_place(double tension, double slope, SegmentOf&& segment_of) {
    const std::size_t count = path.size();
    std::fill(pull.begin(), pull.end(), VecD<D>{});
    std::fill(lengthening.begin(), lengthening.end(), VecD<D>{});
    for (std::size_t i = 0; i + 1 < count; ++i) {
      const Segment segment = segment_of(i);
      pull[i] -= segment.n;
      pull[i + 1] += segment.n;
      lengthening[i] -= segment.n_right;
      lengthening[i + 1] += segment.n_right;
      const double factor = tension * segment.turning;
      for (int k = 0; k < D; ++k) {
        for (int l = 0; l < D; ++l) {
          const double turn = factor * ((k == l) - segment.n[k] * segment.n_right[l]);
          by_place[count * i + i][D * k + l] += turn;
          by_place[count * (i + 1) + i + 1][D * k + l] += turn;
          by_place[count * i + i + 1][D * k + l] -= turn;
          by_place[count * (i + 1) + i][D * k + l] -= turn;
        }
      }
    }
    for (std::size_t a = 0; slope != 0 && a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) {
        for (int k = 0; k < D; ++k) {
          const double along = slope * pull[a][k];
          for (int l = 0; l < D; ++l) by_place[count * a + b][D * k + l] += along * lengthening[b][l];
        }
      }
    }
  }
  template <class Sink>
  void add_tangent(const PairView<D>& view, const TensionLaw& law, const LawEffort& f, Sink&& sink) {
    const double sigma = view.point.force_gain;
    bool pulls = false;
    clear_by_place();
    for_each_pull(view, law, f, [&](double tension, double slope, auto&& segment_of) {
      if (tension == 0 && slope == 0) return;
      pulls = true;
      add_by_place(sigma * tension, sigma * slope, segment_of);
    });
    if (!pulls) return;
    hand_over([&](const Arm<D>& on, const Arm<D>& by, const SquareD<D>& H) { sink.arms(on, by, H); });
    if (!sink.kByRate || f.by_rate == 0) return;
    clear_by_place();
    add_by_place(0, f.by_rate, [&](std::size_t i) { return discrete(i, view.point.kappa); });
    hand_over([&](const Arm<D>& on, const Arm<D>& by, const SquareD<D>& H) { sink.arms_by_rate(on, by, H); });
  }
  template <class Use>
  void hand_over(Use&& use) const {
    for (std::size_t a = 0; a < path.size(); ++a) {
      for (std::size_t b = 0; b < path.size(); ++b) use(path[a], path[b], by_place[path.size() * a + b]);
    }
  }
  template <class Use>
  void couple(Use&& use) const {
    for (const Arm<D>& a : path) {
      for (const Arm<D>& b : path) use(a.node, b.node);
    }
  }
};

template <int D>
struct TendonElement : MeasuredElement<D, LengthMeasure<D>, TensionLaw> {
  /// At a state.
  TendonMotion motion(const Configuration<D>& X, const Configuration<D>& velocity) const;
};

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
                         [&](std::size_t i) { return measure.discrete(i, kappa); });
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

/// Between nodes of a tree.
struct TreeTendon {
  static constexpr bool kNeedsPoses = true;
  TendonLaw law;
  int damper = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const TendonState<S> state = tendon_state(law, view.X_W, view.V);
    add_wrenches(law, state.tension, view.X_W, sink.applied);
    sink.book_taken(damper, state.dissipation);
  }
  template <class S>
  S potential(const TreeView<S>& view) const {
    return torsor::potential(law, view.X_W);
  }
};
struct TreeCarriedTendon {
  static constexpr bool kNeedsPoses = true;
  TendonLaw law;
  std::vector<int> carriers;  ///< by point of its path; 0: the chain does not carry it
  int source = -1;
  bool acts = true;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const auto place = [&](std::size_t i) { return act(view.X_W[law.path[i].frame], law.path[i].p); };
    const S tension = elastic_tension(law, view.X_W);
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
