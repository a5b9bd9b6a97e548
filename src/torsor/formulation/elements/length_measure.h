#pragma once
// The length of a path through points and round what it is wrapped on, and its discrete gradient.

#include "torsor/formulation/elements/element.h"
#include "torsor/formulation/elements/wrapped_segment.h"

namespace torsor {

/// With the unit vectors n = (e_a + e_b) / (s_a + s_b) of segments e of length s, sum n . (e_b - e_a) is
/// l_b - l_a without a quotient of differences: n is the discrete gradient of the length.
template <int D>
struct LengthMeasure {
  LengthMeasure(std::vector<Arm<D>> points, Program rest_length, bool damped)
      : path(std::move(points)),
        rest(std::move(rest_length)),
        winds(!rest.is_constant()),
        has_rate(damped),
        rest_a(rest.value(0)),
        rest_b(rest_a),
        stretches(path.size() - 1),
        wrapped(stretches.size(), -1),
        arms(path) {
    size_scratch();
  }
  /// The segment goes round what stands there.
  void wrap(std::size_t segment, const WrapLaw& law, const Arm<D>& centre,
            const std::array<Arm<D>, 3>& axes) {
    WrappedSegment<D> around{law, segment, {segment, segment + 1, arms.size()}};
    arms.push_back(centre);
    for (int k = 0; k < D; ++k) {
      around.arms[3 + k] = arms.size();
      arms.push_back(axes[k]);
    }
    wrapped[segment] = static_cast<int>(wraps.size());
    wraps.push_back(around);
    size_scratch();
  }
  void size_scratch() {
    pull.resize(arms.size());
    lengthening.resize(arms.size());
    by_place.resize(arms.size() * arms.size());
  }

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
  Program rest;
  bool winds;                              ///< whether that changes
  bool has_rate;                           ///< whether the law asks for the rate
  double rest_a = 0, rest_b = 0;           ///< at the ends of the last set
  double straight_a = 0;                   ///< length of the straight segments at a, without the rest
  double rate = 0, rest_rate = 0;          ///< of the length and of the rest, of the last set
  std::vector<Stretch> stretches;          ///< of the last set
  std::vector<int> wrapped;                ///< by segment: index among the wraps; -1: it is straight
  std::vector<Arm<D>> arms;                ///< the path, then centres and axes of wraps
  std::vector<WrappedSegment<D>> wraps;    ///< likewise of the last set
  std::vector<VecD<D>> pull, lengthening;  ///< scratch, by arm
  std::vector<SquareD<D>> by_place;        ///< scratch, by two arms

  auto place_in(const Configuration<D>& X) const {
    return [&](std::size_t i) __attribute__((always_inline)) { return value_at(path[i], X); };
  }
  auto arm_in(const Configuration<D>& X) const {
    return [&](std::size_t i) { return value_at(arms[i], X); };
  }
  double value(const StateView<D>& state) const { return value(state.X, state.time); }
  double value(const Configuration<D>& X, double t = 0) const {
    double stretch = -rest.value(t);
    for_each_segment(path.size(), place_in(X), [&](std::size_t i, const VecD<D>& e) {
      if (wrapped[i] < 0) stretch += norm(e);
    });
    for (const WrappedSegment<D>& wrap : wraps) {
      stretch += wrap.length(wrap.place(arm_in(X)).ends()).value;
    }
    return stretch;
  }
  /// With l0 at both ends of a step, a tension T between the stretches a and b has T (b - a) = U_b - U_a, of
  /// which the bodies have T (l_b - l_a) and the winch -T (l0_b - l0_a).
  void set_rest(const ConstrainedPoint& point) {
    if (!winds) return;
    const Jet end = rest.evaluate(point.end_time);
    const bool step = point.start_time != point.end_time;
    rest_b = end.value;
    rest_a = step ? rest.value(point.start_time) : rest_b;
    rest_rate = step ? (rest_b - rest_a) * point.velocity_gain : end.rate;
  }
  void set_start(const PairView<D>& view) {
    set_rest(view.point);
    straight_a = -rest_a;
    for_each_segment(path.size(), place_in(view.X.start), [&](std::size_t i, const VecD<D>& e) {
      if (wrapped[i] >= 0) return;
      stretches[i].e_a = e;
      straight_a += stretches[i].s_a = norm(e);
    });
  }
  LawPair set(const PairView<D>& view) {
    if (!view.point.same_start) set_start(view);
    double a = straight_a, b = -rest_b;
    rate = 0;
    for_each_segment(path.size(), place_in(view.X.right), [&](std::size_t i, const VecD<D>& e) {
      if (wrapped[i] >= 0) return;
      stretches[i].e_b = e;
      b += stretches[i].s_b = norm(e);
    });
    for (WrappedSegment<D>& wrap : wraps) {
      wrap.set(arm_in(view.X.start), arm_in(view.X.right), view.point.kappa, a, b);
    }
    if (has_rate) {
      for (const WrappedSegment<D>& wrap : wraps) {
        wrap.for_each_gradient(
            [&](std::size_t arm, const VecD<D>& n) { rate += dot(n, value_at(arms[arm], view.X.velocity)); });
      }
      for_each_segment(path.size(), place_in(view.X.velocity), [&](std::size_t i, const VecD<D>& apart) {
        const auto& [e_a, e_b, s_a, s_b] = stretches[i];
        if (s_a + s_b > 0) rate += dot(e_a + e_b, apart) / (s_a + s_b);
      });
    }
    LawPair pair = view.law_pair(a, b, rate - rest_rate);
    pair.rest_rate = rest_rate;
    return pair;
  }

  [[gnu::always_inline]] Segment discrete(std::size_t i, double kappa) const {
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
    double stretch = -((1 - way) * rest_a + way * rest_b);
    for (const Stretch& s : stretches) stretch += norm((1 - way) * s.e_a + way * s.e_b);
    for (const WrappedSegment<D>& wrap : wraps) stretch += wrap.length_on_way(way);
    return stretch;
  }
  /// Hands the discrete gradient of the length to `use(arm, n)`, arm by arm.
  template <class Use>
  void for_each_gradient(Use&& use) const {
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      if (wrapped[i] >= 0) continue;
      const VecD<D> n = discrete(i, 0.5).n;
      use(path[i + 1], n);
      use(path[i], -n);
    }
    for (const WrappedSegment<D>& wrap : wraps) {
      wrap.for_each_gradient([&](std::size_t arm, const VecD<D>& n) { use(arms[arm], n); });
    }
  }
  /// Where a pull is taken: between the ends, or on the way from one to the other.
  struct Between {
    const LengthMeasure& measure;
    double kappa;
    Segment operator()(std::size_t i) const { return measure.discrete(i, kappa); }
    auto around(const WrappedSegment<D>& wrap) const { return wrap.discrete(); }
    auto gradient(const WrappedSegment<D>& wrap) const { return wrap.discrete_gradient(); }
    auto left(const WrappedSegment<D>& wrap) const { return wrap.left(); }
  };
  struct OnWay {
    const LengthMeasure& measure;
    double way;
    Segment operator()(std::size_t i) const { return measure.on_way(i, way); }
    auto around(const WrappedSegment<D>& wrap) const { return wrap.on_way(way); }
    auto gradient(const WrappedSegment<D>& wrap) const { return wrap.length(left(wrap).ends()).gradient; }
    auto left(const WrappedSegment<D>& wrap) const { return wrap.blend(wrap.a, wrap.b, way); }
  };
  /// At a point of the path, of all segments that end there.
  VecD<D> direction(std::size_t via) const {
    VecD<D> n{};
    if (via > 0) n += discrete(via - 1, 0.5).n;
    if (via < stretches.size()) n -= discrete(via, 0.5).n;
    return n;
  }

  /// Hands every part of the pull to `use(tension, slope, segment)`: the tension, its derivative by the
  /// lengths that the segments' n_right differentiate, and the directions `segment(i)`.
  template <class Law, class Use>
  void for_each_pull(const PairView<D>& view, const Law& law, const LawEffort& f, Use&& use) const {
    const Between between{*this, view.point.kappa};
    if (view.point.elastic_rule.empty()) return use(f.effort, f.slope, between);
    if (f.effort != f.elastic) use(f.effort - f.elastic, f.slope - f.elastic_slope, between);
    if constexpr (requires { law.elastic_at(0.0); }) {
      for (const auto& [way, weight] : view.point.elastic_rule) {
        const ElasticAt elastic = law.elastic_at(stretch_on_way(way));
        use(weight * elastic.effort, weight * way * elastic.slope, OnWay{*this, way});
      }
    }
  }
  template <class Law, class Sink>
  void push(const PairView<D>& view, const Law& law, const LawEffort& f, Sink&& sink) const {
    for_each_pull(view, law, f, [&](double tension, double, auto&& segment) {
      if (tension == 0) return;
      const double scaled = view.point.force_gain * tension;
      for (std::size_t i = 0; i < stretches.size(); ++i) {
        if (wrapped[i] >= 0) continue;
        const VecD<D> force = scaled * segment(i).n;
        sink(path[i + 1], force);
        sink(path[i], -force);
      }
      for (const WrappedSegment<D>& wrap : wraps) {
        const auto g = segment.gradient(wrap);
        const auto at = segment.left(wrap);
        for (int i = 0; i < wrap.kArms; ++i) sink(arms[wrap.arms[i]], scaled * at.gradient(g, i));
      }
    });
  }

  void clear_by_place() { std::fill(by_place.begin(), by_place.end(), SquareD<D>{}); }
  /// For every two arms the derivative of the pull at the one by the place of the other: by the directions of
  /// the segments, and by the tension, which all segments share.
  template <class SegmentOf>
  void add_by_place(double tension, double slope, SegmentOf&& segment_of) {
    const std::size_t count = arms.size();
    std::fill(pull.begin(), pull.end(), VecD<D>{});
    std::fill(lengthening.begin(), lengthening.end(), VecD<D>{});
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      if (wrapped[i] >= 0) continue;
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
    for (const WrappedSegment<D>& wrap : wraps) {
      const auto around = segment_of.around(wrap);
      for (int i = 0; i < wrap.kArms; ++i) {
        pull[wrap.arms[i]] += around.left.gradient(around.g, i);
        lengthening[wrap.arms[i]] += around.right.gradient(around.g_right, i);
      }
      wrap.add_by_place(around, tension, [&](std::size_t on, std::size_t by, const SquareD<D>& H) {
        for (int k = 0; k < D * D; ++k) by_place[count * on + by][k] += H[k];
      });
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
  template <class Law, class Sink>
  void add_tangent(const PairView<D>& view, const Law& law, const LawEffort& f, Sink&& sink) {
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
    add_by_place(0, f.by_rate, Between{*this, view.point.kappa});
    hand_over([&](const Arm<D>& on, const Arm<D>& by, const SquareD<D>& H) { sink.arms_by_rate(on, by, H); });
  }
  template <class Use>
  void hand_over(Use&& use) const {
    for (std::size_t a = 0; a < arms.size(); ++a) {
      for (std::size_t b = 0; b < arms.size(); ++b) use(arms[a], arms[b], by_place[arms.size() * a + b]);
    }
  }
  template <class Use>
  void couple(Use&& use) const {
    for (const Arm<D>& a : arms) {
      for (const Arm<D>& b : arms) use(a.node, b.node);
    }
  }
};

/// Of the path of a tendon, counted from a rest length; `damped`: with its rate.
template <int D>
LengthMeasure<D> length_of(const ElementContext<D>& context, const Tendon& tendon, const Program& rest,
                           bool damped);

}  // namespace torsor
