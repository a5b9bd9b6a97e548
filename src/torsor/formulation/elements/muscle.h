#pragma once
// Muscles: a law of the length of a tendon's path with states of its own, the activation and, where a tendon in
// series is elastic, the share of the length that is left for the fibres.

#include "torsor/formulation/elements/tendon.h"
#include "torsor/model/muscle_law.h"

namespace torsor {

/// The law of the muscle of a tendon, with the controllers that excite it and hold what they sampled.
MuscleLaw excited_muscle(const Model& model, std::size_t tendon, const HeldEfforts* held);

/// The activation follows its excitation by itself, between the begin of a step and any time in it. The share
/// at the end of a step is found with the lengths at both its ends, for every guess of them anew: what a step
/// leaves in z is what its solution says, and a step that is tried again begins with the same.
template <int D>
struct MuscleElement {
  LengthMeasure<D> measure;
  MuscleLaw law;
  int state = -1, source = -1, damper = -1;
  MuscleEffort found{};  ///< by the last push
  struct Followed {
    double from = -1, begin = 0, end = 0, input = 0, value = 0;
  } followed{};  ///< the last activation, which many guesses of a step ask for

  double activation(const ConstrainedPoint& point, double time) {
    if (point.z.empty()) return law.start_activation(time);
    const double from = point.z[state];
    if (point.step == 0) return from;
    const double input = law.input();
    if (followed.from != from || followed.begin != point.begin || followed.end != time ||
        followed.input != input) {
      followed = {from, point.begin, time, input, law.activation_after(from, point.begin, time)};
    }
    return followed.value;
  }
  MuscleEffort effort(const PairView<D>& view) {
    const ConstrainedPoint& point = view.point;
    const LawPair length = measure.set(view);
    const double a = activation(point, point.time);
    if (!law.has_share()) return law.between(length, a);
    const double share = point.z.empty() ? law.start_share(length.b, a) : point.z[state + 1];
    return point.step > 0 ? law.between(length, a, share, point.step) : law.at(length.b, a, share);
  }
  /// What the measure of a tendon asks for, with discrete gradients throughout.
  static LawEffort law_effort(const MuscleEffort& f) {
    LawEffort effort;
    effort.effort = f.tension;
    effort.slope = f.by_length;
    effort.by_rate = f.by_rate;
    return effort;
  }
  template <class Use>
  void with_gradients(const PairView<D>& view, Use&& use) const {
    ConstrainedPoint point = view.point;
    point.elastic_rule = {};
    use(PairView<D>{point, view.mechanism, view.X, view.servo_efforts});
  }

  template <class Sink>
  void push(const PairView<D>& view, Sink&& sink) {
    found = effort(view);
    with_gradients(
        view, [&](const PairView<D>& pair) { measure.push(pair, TensionLaw{}, law_effort(found), sink); });
  }
  template <class Sink>
  void add_tangent(const PairView<D>& view, Sink&& sink) {
    with_gradients(view, [&](const PairView<D>& pair) {
      measure.add_tangent(pair, TensionLaw{}, law_effort(found), sink);
    });
  }
  void add_flows(const PairView<D>& view, double h, const Flows& flows) {
    const ConstrainedPoint& point = view.point;
    const MuscleEffort f = effort(view);
    flows.work[source] += h * f.work;
    flows.taken[damper] += h * f.taken;
    if (point.z.empty() || point.step == 0) return;
    const double begin = point.z[state];
    const double end = law.activation_after(begin, point.begin, point.begin + point.step);
    flows.z[state] += h / point.step * (end - begin);
    if (law.has_share()) flows.z[state + 1] += h * f.share_rate;
  }
  double potential(const StateView<D>& at) const {
    const double length = measure.value(at.X, at.angles, 0);
    if (!law.has_share()) return law.potential(length, 0);
    return law.potential(length,
                         at.z.empty() ? law.start_share(length, law.start_activation(0)) : at.z[state + 1]);
  }
  void start(const StateView<D>& at, std::span<double> z) const {
    z[state] = law.start_activation(at.time);
    if (law.has_share()) z[state + 1] = law.start_share(measure.value(at.X, at.angles, 0), z[state]);
  }
  template <class Use>
  void couple(Use&& use) const {
    measure.couple(use);
  }
};

template <int D>
void compile(const ElementContext<D>& context, std::vector<MuscleElement<D>>& all);

/// On a tree.
struct TreeMuscle {
  static constexpr bool kNeedsPoses = true;
  TreePath path;
  MuscleLaw law;
  int state = -1, source = -1, damper = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const TendonState<S> tendon = path.state(view);
    const double length = value_of(tendon.length), rate = value_of(tendon.rate);
    const Found found = find(value_of(view.t), length, rate, view.states);
    const MuscleEffort& f = found.effort;
    const S tension = f.tension + f.by_length * (tendon.length - length) + f.by_rate * (tendon.rate - rate);
    path.pull(view, tension, sink);
    sink.book(source, S(f.work));
    sink.book_taken(damper, S(f.taken));
    if (sink.rates.empty()) return;
    sink.rates[state] = S(found.activation_rate);
    if (law.has_share()) sink.rates[state + 1] = S(f.share_rate);
  }
  template <class S>
  S potential(const TreeView<S>& view) const {
    const S own = path.state(view).length;
    const double length = value_of(own);
    const double share = !law.has_share() ? 0
                         : view.states.z.empty()
                             ? law.start_share(length, law.start_activation(value_of(view.t)))
                             : view.states.z[state + 1];
    return law.potential(length, share) + law.elastic_tension(length, share) * (own - length);
  }
  void start(const TreeView<double>& view, std::span<double> z) const;

  struct Found {
    double activation_rate;
    MuscleEffort effort;
  };
  Found find(double t, double length, double rate, const ElementStates& states) const;
};
void compile(const TreeContext& context, std::vector<TreeMuscle>& all);

}  // namespace torsor
