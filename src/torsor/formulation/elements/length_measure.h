#pragma once
// The length of a path through points and round what it is wrapped on, and its discrete gradient; or a sum of
// coordinates in its place.

#include "torsor/formulation/elements/coordinate_sum.h"
#include "torsor/formulation/elements/wrapped_segment.h"

namespace torsor {

/// With the unit vectors n = (e_a + e_b) / (s_a + s_b) of segments e of length s, sum n . (e_b - e_a) is
/// l_b - l_a without a quotient of differences: n is the discrete gradient of the length.
template <int D, class S = double>
struct LengthMeasure {
  static constexpr bool kPlain = std::same_as<S, double>;

  LengthMeasure() = default;  ///< to be filled lane by lane
  LengthMeasure(std::vector<Arm<D, S>> points, Program rest_length,
                bool damped) requires std::same_as<S, double> : path(std::move(points)),
                                                                rest(std::move(rest_length)),
                                                                winds(!rest.is_constant()),
                                                                has_rate(damped),
                                                                rest_a(rest.value(0)),
                                                                rest_b(rest_a),
                                                                stretches(path.empty() ? 0 : path.size() - 1),
                                                                wrapped(stretches.size(), -1),
                                                                arms(path) {
    size_scratch();
  }
  /// The segment goes round what stands there.
  void wrap(std::size_t segment, const WrapLaw& law, const Arm<D, S>& centre,
            const std::array<Arm<D, S>, 3>& axes) requires std::same_as<S, double> {
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
    stretches.resize(path.empty() ? 0 : path.size() - 1);
    pull.resize(arms.size());
    lengthening.resize(arms.size());
    by_place.resize(arms.size() * arms.size());
  }

  /// A segment at both configurations: from point to point, and its length.
  struct Stretch {
    VecD<D, S> e_a{}, e_b{};
    S s_a{}, s_b{};
  };
  /// The direction n of a pull, which changes by turning (q - (n_right . q) n) as the vector between its ends
  /// changes by q at b.
  struct Segment {
    VecD<D, S> n{}, n_right{};
    S turning{};
  };

  std::vector<Arm<D, S>> path;
  ProgramOf<S> rest;
  bool winds = false;                         ///< whether that changes
  bool has_rate = false;                      ///< whether the law asks for the rate
  S rest_a{}, rest_b{};                       ///< at the ends of the last set
  S straight_a{};                             ///< length of the straight segments at a, without the rest
  S rate{}, rest_rate{};                      ///< of the length and of the rest, of the last set
  std::vector<Stretch> stretches;             ///< of the last set
  std::vector<int> wrapped;                   ///< by segment: index among the wraps; -1: it is straight
  std::vector<Arm<D, S>> arms;                ///< the path, then centres and axes of wraps
  std::vector<WrappedSegment<D>> wraps;       ///< likewise of the last set; plain numbers alone have them
  CoordinateSum<D> sum;                       ///< of a tendon of joints, whose path is empty; likewise
  std::vector<VecD<D, S>> pull, lengthening;  ///< scratch, by arm
  std::vector<SquareD<D, S>> by_place;        ///< scratch, by two arms

  auto place_in(const Configuration<D, S>& X) const {
    return [&](std::size_t i) __attribute__((always_inline)) { return value_at(path[i], X); };
  }
  auto arm_in(const Configuration<D, S>& X) const {
    return [&](std::size_t i) { return value_at(arms[i], X); };
  }
  S value(const StateView<D, S>& state) const { return value(state.X, state.angles, state.time); }
  S value(const Configuration<D, S>& X, std::span<const S> angles, double t = 0) const {
    S stretch = -rest.value(t);
    if constexpr (kPlain) stretch += sum.value(X, angles);
    for_each_segment(path.size(), place_in(X), [&](std::size_t i, const VecD<D, S>& e) {
      if (wrapped[i] < 0) stretch += norm(e);
    });
    if constexpr (kPlain) {
      for (const WrappedSegment<D>& wrap : wraps) {
        stretch += wrap.length(wrap.place(arm_in(X)).ends()).value;
      }
    }
    return stretch;
  }
  /// With l0 at both ends of a step, a tension T between the stretches a and b has T (b - a) = U_b - U_a, of
  /// which the bodies have T (l_b - l_a) and the winch -T (l0_b - l0_a).
  void set_rest(const ConstrainedPointOf<S>& point) {
    if (!winds) return;
    const JetOf<S> end = rest.evaluate(point.end_time);
    const bool step = point.start_time != point.end_time;
    rest_b = end.value;
    rest_a = step ? rest.value(point.start_time) : rest_b;
    rest_rate = step ? (rest_b - rest_a) * point.velocity_gain : end.rate;
  }
  void set_start(const PairView<D, S>& view) {
    set_rest(view.point);
    straight_a = -rest_a;
    for_each_segment(path.size(), place_in(view.X.start), [&](std::size_t i, const VecD<D, S>& e) {
      if (wrapped[i] >= 0) return;
      stretches[i].e_a = e;
      straight_a += stretches[i].s_a = norm(e);
    });
  }
  LawPairOf<S> set(const PairView<D, S>& view) {
    if (!view.point.same_start) set_start(view);
    S a = straight_a, b = -rest_b;
    rate = S(0.0);
    for_each_segment(path.size(), place_in(view.X.right), [&](std::size_t i, const VecD<D, S>& e) {
      if (wrapped[i] >= 0) return;
      stretches[i].e_b = e;
      b += stretches[i].s_b = norm(e);
    });
    if constexpr (kPlain) {
      for (WrappedSegment<D>& wrap : wraps) {
        wrap.set(arm_in(view.X.start), arm_in(view.X.right), view.point.kappa, a, b);
      }
    }
    if (has_rate) {
      if constexpr (kPlain) {
        for (const WrappedSegment<D>& wrap : wraps) {
          wrap.for_each_gradient([&](std::size_t arm, const VecD<D, S>& n) {
            rate += dot(n, value_at(arms[arm], view.X.velocity));
          });
        }
      }
      for_each_segment(path.size(), place_in(view.X.velocity), [&](std::size_t i, const VecD<D, S>& apart) {
        const auto& [e_a, e_b, s_a, s_b] = stretches[i];
        if (may_skip(!(s_a + s_b > 0.0))) return;
        const S part = dot(e_a + e_b, apart) / (s_a + s_b);
        rate += select(s_a + s_b > 0.0, part, S(0.0));
      });
    }
    if constexpr (kPlain) sum.set(view, a, b, rate);
    LawPairOf<S> pair = view.law_pair(a, b, rate - rest_rate);
    pair.rest_rate = rest_rate;
    return pair;
  }

  [[gnu::always_inline]] Segment discrete(std::size_t i, double kappa) const {
    const auto& [e_a, e_b, s_a, s_b] = stretches[i];
    const S s = s_a + s_b;
    if (may_skip(s == 0.0)) return {};
    const S per_length = select(s == 0.0, S(0.0), 1 / s), per_end = select(s_b > 0.0, 1 / s_b, S(0.0));
    return {per_length * (e_a + e_b), per_end * e_b, select(s_b > 0.0, 2 * kappa / s, S(0.0))};
  }
  /// Or the gradient of the length on the way from a to b.
  Segment on_way(std::size_t i, double way) const {
    const VecD<D, S> e = (1 - way) * stretches[i].e_a + way * stretches[i].e_b;
    const S s = norm(e);
    if (may_skip(s == 0.0)) return {};
    const S per_length = select(s == 0.0, S(0.0), 1 / s);
    return {per_length * e, per_length * e, way * per_length};
  }
  S stretch_on_way(double way) const {
    S stretch = -((1 - way) * rest_a + way * rest_b);
    for (const Stretch& s : stretches) stretch += norm((1 - way) * s.e_a + way * s.e_b);
    if constexpr (kPlain) {
      for (const WrappedSegment<D>& wrap : wraps) stretch += wrap.length_on_way(way);
    }
    return stretch;
  }
  /// Hands the discrete gradient of the length to `use(arm, n)`, arm by arm.
  template <class Use>
  void for_each_gradient(Use&& use) const {
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      if (wrapped[i] >= 0) continue;
      const VecD<D, S> n = discrete(i, 0.5).n;
      use(path[i + 1], n);
      use(path[i], -n);
    }
    if constexpr (kPlain) {
      for (const WrappedSegment<D>& wrap : wraps) {
        wrap.for_each_gradient([&](std::size_t arm, const VecD<D, S>& n) { use(arms[arm], n); });
      }
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
  VecD<D, S> direction(std::size_t via) const {
    VecD<D, S> n{};
    if (via > 0) n += discrete(via - 1, 0.5).n;
    if (via < stretches.size()) n -= discrete(via, 0.5).n;
    return n;
  }

  /// Hands every part of the pull to `use(tension, slope, segment)`: the tension, its derivative by the
  /// lengths that the segments' n_right differentiate, and the directions `segment(i)`.
  template <class Law, class Use>
  void for_each_pull(const PairView<D, S>& view, const Law& law, const LawEffortOf<S>& f, Use&& use) const {
    const Between between{*this, view.point.kappa};
    if (view.point.elastic_rule.empty()) return use(f.effort, f.slope, between);
    if (!may_skip(f.effort == f.elastic)) use(f.effort - f.elastic, f.slope - f.elastic_slope, between);
    if constexpr (requires { law.elastic_at(S(0.0)); }) {
      for (const auto& [way, weight] : view.point.elastic_rule) {
        const ElasticAtOf<S> elastic = law.elastic_at(stretch_on_way(way));
        use(weight * elastic.effort, weight * way * elastic.slope, OnWay{*this, way});
      }
    }
  }
  template <class Law, class Sink>
  void push(const PairView<D, S>& view, const Law& law, const LawEffortOf<S>& f, Sink&& sink) const {
    if constexpr (kPlain) {
      if (!sum.empty()) return sum.push(view, view.point.force_gain * f.effort, sink);
    }
    for_each_pull(view, law, f, [&](const S& tension, const S&, auto&& segment) {
      if (may_skip(tension == 0.0)) return;
      const S scaled = view.point.force_gain * tension;
      for (std::size_t i = 0; i < stretches.size(); ++i) {
        if (wrapped[i] >= 0) continue;
        const VecD<D, S> force = scaled * segment(i).n;
        sink(path[i + 1], force);
        sink(path[i], -force);
      }
      if constexpr (kPlain) {
        for (const WrappedSegment<D>& wrap : wraps) {
          const auto g = segment.gradient(wrap);
          const auto at = segment.left(wrap);
          for (int i = 0; i < wrap.kArms; ++i) sink(arms[wrap.arms[i]], scaled * at.gradient(g, i));
        }
      }
    });
  }

  void clear_by_place() { std::fill(by_place.begin(), by_place.end(), SquareD<D, S>{}); }
  /// For every two arms the derivative of the pull at the one by the place of the other: by the directions of
  /// the segments, and by the tension, which all segments share.
  template <class SegmentOf>
  void add_by_place(const S& tension, const S& slope, SegmentOf&& segment_of) {
    const std::size_t count = arms.size();
    std::fill(pull.begin(), pull.end(), VecD<D, S>{});
    std::fill(lengthening.begin(), lengthening.end(), VecD<D, S>{});
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      if (wrapped[i] >= 0) continue;
      const Segment segment = segment_of(i);
      pull[i] -= segment.n;
      pull[i + 1] += segment.n;
      lengthening[i] -= segment.n_right;
      lengthening[i + 1] += segment.n_right;
      const S factor = tension * segment.turning;
      for (int k = 0; k < D; ++k) {
        for (int l = 0; l < D; ++l) {
          const S turn = factor * ((k == l ? 1.0 : 0.0) - segment.n[k] * segment.n_right[l]);
          by_place[count * i + i][D * k + l] += turn;
          by_place[count * (i + 1) + i + 1][D * k + l] += turn;
          by_place[count * i + i + 1][D * k + l] -= turn;
          by_place[count * (i + 1) + i][D * k + l] -= turn;
        }
      }
    }
    if constexpr (kPlain) {
      for (const WrappedSegment<D>& wrap : wraps) {
        const auto around = segment_of.around(wrap);
        for (int i = 0; i < wrap.kArms; ++i) {
          pull[wrap.arms[i]] += around.left.gradient(around.g, i);
          lengthening[wrap.arms[i]] += around.right.gradient(around.g_right, i);
        }
        wrap.add_by_place(around, tension, [&](std::size_t on, std::size_t by, const SquareD<D, S>& H) {
          for (int k = 0; k < D * D; ++k) by_place[count * on + by][k] += H[k];
        });
      }
    }
    for (std::size_t a = 0; !may_skip(slope == 0.0) && a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) {
        for (int k = 0; k < D; ++k) {
          const S along = slope * pull[a][k];
          for (int l = 0; l < D; ++l) by_place[count * a + b][D * k + l] += along * lengthening[b][l];
        }
      }
    }
  }
  template <class Law, class Sink>
  void add_tangent(const PairView<D, S>& view, const Law& law, const LawEffortOf<S>& f, Sink&& sink) {
    const double sigma = view.point.force_gain;
    if constexpr (kPlain) {
      if (!sum.empty()) return sum.add_tangent(sigma * f.effort, sigma * f.slope, f.by_rate, sink);
    }
    bool pulls = false;
    clear_by_place();
    for_each_pull(view, law, f, [&](const S& tension, const S& slope, auto&& segment_of) {
      if (may_skip(tension == 0.0) && may_skip(slope == 0.0)) return;
      pulls = true;
      add_by_place(sigma * tension, sigma * slope, segment_of);
    });
    if (!pulls) return;
    hand_over(
        [&](const Arm<D, S>& on, const Arm<D, S>& by, const SquareD<D, S>& H) { sink.arms(on, by, H); });
    if (!sink.kByRate || may_skip(f.by_rate == 0.0)) return;
    clear_by_place();
    add_by_place(S(0.0), f.by_rate, Between{*this, view.point.kappa});
    hand_over([&](const Arm<D, S>& on, const Arm<D, S>& by, const SquareD<D, S>& H) {
      sink.arms_by_rate(on, by, H);
    });
  }
  template <class Use>
  void hand_over(Use&& use) const {
    for (std::size_t a = 0; a < arms.size(); ++a) {
      for (std::size_t b = 0; b < arms.size(); ++b) use(arms[a], arms[b], by_place[arms.size() * a + b]);
    }
  }
  template <class Use>
  void couple(Use&& use) const {
    for (const Arm<D, S>& a : arms) {
      for (const Arm<D, S>& b : arms) use(a.node, b.node);
    }
    sum.couple(use);
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.path, s.rest, s.winds, s.has_rate, s.rest_a, s.rest_b, s.wrapped, s.arms);
  }
};

/// Of the path of a tendon, counted from a rest length; `damped`: with its rate.
template <int D>
LengthMeasure<D> length_of(const ElementContext<D>& context, const Tendon& tendon, const Program& rest,
                           bool damped);

}  // namespace torsor
