#include "torsor/formulation/rotationless/step.h"

#include <cmath>
#include <limits>

#include "torsor/base/compensated_sum.h"
#include "torsor/base/pack_math.h"
#include "torsor/formulation/rotationless/constraints.h"
#include "torsor/formulation/rotationless/near_angle.h"

namespace torsor {
namespace {

/// Takes rounding out of the lengths and angles of directors, d_i -= (d_j . d_i - delta) d_j / 2, which leaves its
/// second power. `lost`, if any, is what rounding took from them.
template <int D, class S>
void straighten(S* d, S* lost) {
  S gram[D][D];
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j <= i; ++j) {
      S off = i == j ? -1.0 : 0.0;
      for (int k = 0; k < D; ++k) off += d[D * i + k] * d[D * j + k];
      for (int k = 0; lost && k < D; ++k)
        off += d[D * i + k] * lost[D * j + k] + lost[D * i + k] * d[D * j + k];
      gram[i][j] = gram[j][i] = off;
    }
  }
  S change[D * D] = {};
  for (int i = 0; i < D; ++i) {
    for (int k = 0; k < D; ++k) {
      for (int j = 0; j < D; ++j) change[D * i + k] -= 0.5 * gram[i][j] * d[D * j + k];
    }
  }
  // Out of the directors themselves, which the next step turns: it does not turn what they lost.
  for (int i = 0; i < D * D; ++i) lost ? add_exactly(change[i], d[i], lost[i]) : void(d[i] += change[i]);
}

/// Of those that count turns.
template <int D, class S, class Use>
void for_each_angle(const RotationlessMechanism<D, S>& mechanism, Use&& use) {
  const auto pass_on = [&](const Measure<D, S>& measure) {
    if (measure.angle >= 0) use(measure);
  };
  for (const auto& coordinates : mechanism.joints.coordinates) {
    for (const Measure<D, S>& measure : coordinates) pass_on(measure);
  }
  for (const Measure<D, S>& measure : mechanism.joints.body_angles) pass_on(measure);
}

}  // namespace

template <int D, class S>
RotationlessStep<D, S>::RotationlessStep(RotationlessWork<D, S>& work)
    : work_(work),
      mechanism_(work.mechanism),
      body_turns_(mechanism_.ground + 1, S(0.0)),
      counted_(work.X.start),
      increment_(work.X.velocity) {
  take_mechanism();
}

template <int D, class S>
void RotationlessStep<D, S>::take_mechanism() {
  if constexpr (D == 2) {
    turns_.clear();
    for_each_angle(mechanism_, [&](const Measure<D, S>& measure) { turns_.push_back(make_turn(measure)); });
  }
}

template <int D, class S>
typename RotationlessStep<D, S>::Turn RotationlessStep<D, S>::make_turn(const Measure<D, S>& measure) {
  constexpr double kTurn = 0.5;  // [rad]
  Configuration<D, S>& X = counted_;
  X[measure.child] = X[measure.parent] = ground_directors<D, S>();
  const S zero = value_at(measure, X, S(0.0));
  const bool child_moves = measure.child != mechanism_.ground;
  for (VecD<D, S>& d : X[child_moves ? measure.child : measure.parent].d) {
    const VecD<D, S> before = d;
    d[0] = std::cos(kTurn) * before[0] - std::sin(kTurn) * before[1];
    d[1] = std::sin(kTurn) * before[0] + std::cos(kTurn) * before[1];
  }
  const S slope = (value_at(measure, X, zero) - zero) / (child_moves ? kTurn : -kTurn);
  return {measure.angle, measure.child, measure.parent, slope, zero};
}

template <int D, class S>
void RotationlessStep<D, S>::count_turns(std::span<const S> x, std::span<S> angles) const {
  for (int node = 0; node < mechanism_.ground; ++node) {
    const std::size_t first = static_cast<std::size_t>(kCoordinates<D>) * node + D;
    body_turns_[node] = near_atan2(x[first + 1], x[first]);
  }
  for (const Turn& turn : turns_) {
    const S near = turn.slope * (body_turns_[turn.child] - body_turns_[turn.parent]) + turn.zero;
    angles[turn.angle] = counted_on(near, angles[turn.angle]);
  }
}

template <int D, class S>
void RotationlessStep<D, S>::residual(const ConstrainedPointOf<S>& point, std::span<const S> unknowns,
                                      std::span<S> r) {
  set_residual(work_, point, unknowns, r);
}

template <int D, class S>
MaskOf<S> RotationlessStep<D, S>::factorise(const ConstrainedPointOf<S>& point, std::span<const S> unknowns,
                                            std::span<S> r) {
  const MaskOf<S> are_short = turns_are_short(work_, unknowns);
  if (!any(are_short)) return are_short;
  const std::span<S> nodes = r.empty() ? r : r.first(work_.kkt.size()),
                     border = r.empty() ? r : r.subspan(work_.kkt.size());
  MaskOf<S> regular = are_short & assemble_and_factorise(work_, point, unknowns, nodes, border);
  if (any(regular)) regular = regular & work_.kkt.factorise_border();
  if (any(regular) && !r.empty()) work_.kkt.solve_reduced(nodes, border);
  return regular;
}

template <int D, class S>
void RotationlessStep<D, S>::solve(std::span<S> r) {
  work_.kkt.solve(r.first(work_.kkt.size()), r.subspan(work_.kkt.size()));
}

template <int D, class S>
void RotationlessStep<D, S>::add_flows(const ConstrainedPointOf<S>& point, std::span<const S> unknowns,
                                       double h, std::span<S> z) {
  if (z.empty()) return;
  work_.ElementForces<D, S>::add_flows(mechanism_, point, work_.servo_efforts(point, unknowns), h,
                                       split_flows(z, work_.book.work_count()));
}

template <int D, class S>
void RotationlessStep<D, S>::retract(std::span<const S> x_a, std::span<const S> unknowns, std::span<S> dx,
                                     std::span<S> x_b) const {
  for (int node = 0; node < mechanism_.ground; ++node) {
    const S* eta = &unknowns[mechanism_.offset[node]];
    const std::size_t at = static_cast<std::size_t>(kCoordinates<D>) * node;
    for (int i = 0; i < D; ++i) dx[at + i] = eta[i];
    const SpinD<D, S> omega = spin_of<D>(eta);
    for (int k = 1; k <= D; ++k) {
      VecD<D, S> d;
      for (int i = 0; i < D; ++i) d[i] = x_a[at + D * k + i];
      const VecD<D, S> change = cayley_increment(omega, d);
      for (int i = 0; i < D; ++i) dx[at + D * k + i] = change[i];
    }
    for (std::size_t i = at; i < at + kCoordinates<D>; ++i) x_b[i] = x_a[i] + dx[i];
  }
  if (mechanism_.joints.rotors.empty()) return;
  load_configuration<D, S>(x_a, counted_);
  load_configuration<D, S>(dx, increment_);
  for_each_rotor(mechanism_, [&](const Rotor<D, S>& rotor, std::size_t at) {
    dx[at] = increment_of(rotor.coordinate, counted_, increment_);
    x_b[at] = x_a[at] + dx[at];
  });
}

template <int D, class S>
void RotationlessStep<D, S>::set_increments(std::span<const S> x, std::span<const S> v, double h,
                                            std::span<S> unknowns) const {
  for (int node = 0; node < mechanism_.ground; ++node) {
    const std::size_t at = static_cast<std::size_t>(kCoordinates<D>) * node;
    S* eta = &unknowns[mechanism_.offset[node]];
    for (int i = 0; i < D; ++i) eta[i] = h * v[at + i];
    SpinD<D, S> omega{};  // half the sum of d x d', in the plane of both directors
    for (int k = 1; k <= D; ++k) {
      VecD<D, S> d, rate;
      for (int i = 0; i < D; ++i) {
        d[i] = x[at + D * k + i];
        rate[i] = v[at + D * k + i];
      }
      omega += moment_of(d, rate);
    }
    set_spin<D>(0.5 * h * omega, eta);
  }
}

template <int D, class S>
void RotationlessStep<D, S>::drop_idle(std::span<S> unknowns) const {
  if constexpr (kPlain) drop_idle_multipliers(work_, unknowns);
}

template <int D, class S>
void RotationlessStep<D, S>::correct(std::span<const S> step, std::span<S> unknowns) const {
  for (int node = 0; node < mechanism_.ground; ++node) {
    const int at = mechanism_.offset[node];
    const int next = node + 1 < mechanism_.ground ? mechanism_.offset[node + 1] : mechanism_.tree_size;
    S* eta = &unknowns[at];
    const S* change = &step[at];
    for (int i = 0; i < D; ++i) eta[i] -= change[i];
    const SpinD<D, S> omega = spin_of<D>(eta);
    set_spin<D>(omega - cayley_rate(omega, spin_of<D>(change)), eta);
    for (int i = at + kWidth<D>; i < next; ++i) unknowns[i] -= step[i];
  }
  for (std::size_t i = mechanism_.tree_size; i < unknowns.size(); ++i) unknowns[i] -= step[i];
  drop_idle(unknowns);
}

template <int D, class S>
S RotationlessStep<D, S>::size(std::span<const S> unknowns) const {
  LargestAbsOf<S> each[kWidth<D>];  // by component, so that none waits for another's comparison
  for (const int offset : mechanism_.offset) {
    const S* eta = &unknowns[offset];
    for (int i = 0; i < kWidth<D>; ++i) each[i].keep(eta[i]);
  }
  LargestAbsOf<S> lengths, turns;
  for (int i = 0; i < kWidth<D>; ++i) (i < D ? lengths : turns).keep(each[i].value());
  if constexpr (kPlain) {
    if (work_.shares.redundant()) turns.keep(work_.shares.size(unknowns.subspan(work_.servo_unknown(0))));
  }
  return larger(S(lengths.value() / mechanism_.length), S(turns.value()));
}

template <int D, class S>
std::vector<S> RotationlessStep<D, S>::weights() const {
  std::vector<S> weights(unknown_count(), S(0.0));
  for (const int offset : mechanism_.offset) {
    for (int i = 0; i < kWidth<D>; ++i) weights[offset + i] = i < D ? S(1.0 / mechanism_.length) : S(1.0);
  }
  return weights;
}

template <int D, class S>
S RotationlessStep<D, S>::rounding(std::span<const S> x) const {
  LargestAbsOf<S> farthest;
  farthest.keep(mechanism_.length);
  for (int at = 0; at < mechanism_.first_rotor(); at += kCoordinates<D>) {
    for (int i = 0; i < D; ++i) farthest.keep(x[at + i]);
  }
  return std::numeric_limits<double>::epsilon() * farthest.value() / mechanism_.length;
}

template <int D, class S>
S RotationlessStep<D, S>::kinetic_energy(std::span<const S> v) const {
  S twice(0.0);
  Directors<D, S> velocity;
  for (int node = 0; node < mechanism_.ground; ++node) {
    load_body<D, S>(v, node, velocity);
    twice += twice_kinetic_energy(mechanism_.frames, node, velocity);
  }
  return 0.5 * twice + rotor_energy<D>(mechanism_, v);
}

template <int D, class S>
void RotationlessStep<D, S>::settle(std::span<S> x, std::span<S> x_lost, std::span<S> angles) const {
  for (int node = 0; node < mechanism_.ground; ++node) {
    const std::size_t first = static_cast<std::size_t>(kCoordinates<D>) * node + D;
    straighten<D, S>(&x[first], x_lost.empty() ? nullptr : &x_lost[first]);
  }
  if (angles.empty() && mechanism_.joints.rotors.empty()) return;
  if constexpr (D == 2) {
    count_turns(x, angles);
    if (mechanism_.joints.rotors.empty()) return;
  }
  load_configuration<D, S>(x, counted_);
  if constexpr (D == 3) {
    for_each_angle(mechanism_, [&](const Measure<D, S>& measure) {
      angles[measure.angle] = near_value_at(measure, counted_, angles[measure.angle]);
    });
  }
  for_each_rotor(mechanism_, [&](const Rotor<D, S>& rotor, std::size_t at) {
    const int angle = rotor.coordinate.angle;
    x[at] = value_at(rotor.coordinate, counted_, angle >= 0 ? angles[angle] : S(0.0));
    if (!x_lost.empty()) x_lost[at] = 0.0;
  });
}

template <int D, class S>
S RotationlessStep<D, S>::watch_loops(double time, std::span<const S> x, std::span<const S> v,
                                      std::span<const S> angles) {
  const ConstrainedPointOf<S> point = state_point(work_, time, x, v, angles);
  work_.X.load(point);
  set_row_pairs(work_, point);
  const MaskOf<S> regular = factorise_bare(work_, time, ServoSide::efforts, ServoSide::outputs);
  const MaskOf<S> whole = work_.kkt.factorise_border();
  return select(MaskOf<S>(regular & whole), S(work_.kkt.border_pivot_ratio()), S(0.0));
}

template class RotationlessStep<2>;
template class RotationlessStep<3>;
template class RotationlessStep<2, Pack<4>>;
template class RotationlessStep<2, Pack<8>>;
template class RotationlessStep<3, Pack<4>>;
template class RotationlessStep<3, Pack<8>>;

}  // namespace torsor
