#include "torsor/formulation/rotationless/rotationless.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/base/compensated_sum.h"
#include "torsor/base/norm.h"
#include "torsor/formulation/rotationless/constraints.h"
#include "torsor/formulation/rotationless/coupling.h"
#include "torsor/formulation/rotationless/observer.h"
#include "torsor/formulation/rotationless/weak_form.h"

namespace torsor {
namespace {

constexpr int kCutSearches = 30;
/// Takes rounding out of the lengths and angles of directors, d_i -= (d_j . d_i - delta) d_j / 2, which leaves its
/// second power. `lost`, if any, is what rounding took from them.
template <int D>
void straighten(double* d, double* lost) {
  double gram[D][D];
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j <= i; ++j) {
      double off = i == j ? -1 : 0;
      for (int k = 0; k < D; ++k) off += d[D * i + k] * d[D * j + k];
      for (int k = 0; lost && k < D; ++k)
        off += d[D * i + k] * lost[D * j + k] + lost[D * i + k] * d[D * j + k];
      gram[i][j] = gram[j][i] = off;
    }
  }
  double change[D * D] = {};
  for (int i = 0; i < D; ++i) {
    for (int k = 0; k < D; ++k) {
      for (int j = 0; j < D; ++j) change[D * i + k] -= 0.5 * gram[i][j] * d[D * j + k];
    }
  }
  // Out of the directors themselves, which the next step turns: it does not turn what they lost.
  for (int i = 0; i < D * D; ++i) lost ? add_exactly(change[i], d[i], lost[i]) : void(d[i] += change[i]);
}

}  // namespace

template <int D>
Rotationless<D>::Rotationless(const Model& model, int loop_rank, SystemInput input)
    : work_(model, loop_rank, std::move(input)),
      mechanism_(work_.mechanism),
      counted_(work_.X.start),
      increment_(work_.X.velocity),
      begin_unknowns_(work_.shares.redundant() ? work_.unknown_count() : 0),
      begin_a_(work_.shares.redundant() ? mechanism_.coordinate_count() : 0) {}

template <int D>
void Rotationless<D>::residual(const ConstrainedPoint& point, std::span<const double> unknowns,
                               std::span<double> r) {
  set_residual(work_, point, unknowns, r);
}

template <int D>
bool Rotationless<D>::factorise(const ConstrainedPoint& point, std::span<const double> unknowns) {
  if (!turns_are_short(work_, unknowns)) return false;
  assemble(work_, point, unknowns);
  return work_.kkt.factorise() && work_.kkt.factorise_border();
}

template <int D>
void Rotationless<D>::solve(std::span<double> r) {
  work_.kkt.solve(r.first(work_.kkt.size()), r.subspan(work_.kkt.size()));
}

template <int D>
void Rotationless<D>::add_flows(const ConstrainedPoint& point, std::span<const double> unknowns, double h,
                                std::span<double> z) {
  if (z.empty()) return;
  work_.ElementForces<D>::add_flows(mechanism_, point, work_.servo_efforts(point, unknowns), h,
                                    split_flows(z, work_.book.work_count()));
}

template <int D>
void Rotationless<D>::retract(std::span<const double> x_a, std::span<const double> unknowns,
                              std::span<double> dx, std::span<double> x_b) const {
  for (int node = 0; node < mechanism_.ground; ++node) {
    const double* eta = &unknowns[mechanism_.offset[node]];
    const std::size_t at = static_cast<std::size_t>(kCoordinates<D>) * node;
    for (int i = 0; i < D; ++i) dx[at + i] = eta[i];
    const SpinD<D> omega = spin_of<D>(eta);
    for (int k = 1; k <= D; ++k) {
      VecD<D> d;
      for (int i = 0; i < D; ++i) d[i] = x_a[at + D * k + i];
      const VecD<D> change = cayley_increment(omega, d);
      for (int i = 0; i < D; ++i) dx[at + D * k + i] = change[i];
    }
    for (std::size_t i = at; i < at + kCoordinates<D>; ++i) x_b[i] = x_a[i] + dx[i];
  }
  if (mechanism_.joints.rotors.empty()) return;
  load_configuration(x_a, counted_);
  load_configuration(std::span<const double>(dx), increment_);
  for_each_rotor(mechanism_, [&](const Rotor<D>& rotor, std::size_t at) {
    dx[at] = increment_of(rotor.coordinate, counted_, increment_);
    x_b[at] = x_a[at] + dx[at];
  });
}

template <int D>
void Rotationless<D>::set_increments(std::span<const double> x, std::span<const double> v, double h,
                                     std::span<double> unknowns) const {
  for (int node = 0; node < mechanism_.ground; ++node) {
    const std::size_t at = static_cast<std::size_t>(kCoordinates<D>) * node;
    double* eta = &unknowns[mechanism_.offset[node]];
    for (int i = 0; i < D; ++i) eta[i] = h * v[at + i];
    SpinD<D> omega{};  // half the sum of d x d', in the plane of both directors
    for (int k = 1; k <= D; ++k) {
      VecD<D> d, rate;
      for (int i = 0; i < D; ++i) {
        d[i] = x[at + D * k + i];
        rate[i] = v[at + D * k + i];
      }
      omega += moment_of(d, rate);
    }
    set_spin<D>(0.5 * h * omega, eta);
  }
}

template <int D>
double Rotationless<D>::correct(std::span<const double> step, std::span<double> unknowns) const {
  for (int node = 0; node < mechanism_.ground; ++node) {
    const int at = mechanism_.offset[node];
    const int next = node + 1 < mechanism_.ground ? mechanism_.offset[node + 1] : mechanism_.tree_size;
    double* eta = &unknowns[at];
    const double* change = &step[at];
    for (int i = 0; i < D; ++i) eta[i] -= change[i];
    const SpinD<D> omega = spin_of<D>(eta);
    set_spin<D>(omega - cayley_rate(omega, spin_of<D>(change)), eta);
    for (int i = at + kWidth<D>; i < next; ++i) unknowns[i] -= step[i];
  }
  for (std::size_t i = mechanism_.tree_size; i < unknowns.size(); ++i) unknowns[i] -= step[i];
  drop_idle_multipliers(work_, unknowns);
  return size(step);
}

template <int D>
double Rotationless<D>::size(std::span<const double> unknowns) const {
  LargestAbs lengths, turns;
  for (const int offset : mechanism_.offset) {
    const double* eta = &unknowns[offset];
    for (int i = 0; i < D; ++i) lengths.keep(eta[i]);
    for (int i = D; i < kWidth<D>; ++i) turns.keep(eta[i]);
  }
  if (work_.shares.redundant()) turns.keep(work_.shares.size(unknowns.subspan(work_.servo_unknown(0))));
  return larger(lengths.value() / mechanism_.length, turns.value());
}

template <int D>
double Rotationless<D>::rounding(std::span<const double> x) const {
  LargestAbs farthest;
  farthest.keep(mechanism_.length);
  for (int at = 0; at < mechanism_.first_rotor(); at += kCoordinates<D>) {
    for (int i = 0; i < D; ++i) farthest.keep(x[at + i]);
  }
  return std::numeric_limits<double>::epsilon() * farthest.value() / mechanism_.length;
}

template <int D>
void Rotationless<D>::settle(std::span<double> x, std::span<double> x_lost, std::span<double> angles) const {
  for (int node = 0; node < mechanism_.ground; ++node) {
    const std::size_t first = static_cast<std::size_t>(kCoordinates<D>) * node + D;
    straighten<D>(&x[first], x_lost.empty() ? nullptr : &x_lost[first]);
  }
  if (angles.empty() && mechanism_.joints.rotors.empty()) return;
  load_configuration(x, counted_);
  const auto count = [&](const Measure<D>& measure) {
    if (measure.angle >= 0) angles[measure.angle] = value_at(measure, counted_, angles[measure.angle]);
  };
  for (const auto& coordinates : mechanism_.joints.coordinates) {
    for (const Measure<D>& measure : coordinates) count(measure);
  }
  for (const Measure<D>& measure : mechanism_.joints.body_angles) count(measure);
  for_each_rotor(mechanism_, [&](const Rotor<D>& rotor, std::size_t at) {
    const int angle = rotor.coordinate.angle;
    x[at] = angle >= 0 ? angles[angle] : value_at(rotor.coordinate, counted_, 0.0);
    if (!x_lost.empty()) x_lost[at] = 0;
  });
}

template <int D>
double Rotationless<D>::begin_step(double time, std::span<const double> x, std::span<const double> v,
                                   std::span<const double> angles) {
  if (work_.shares.redundant()) accelerate(time, x, v, angles, begin_unknowns_, begin_a_);
  if (mechanism_.loop_count == 0) return 1;
  const ConstrainedPoint point = state_point(work_, time, x, v, angles);
  work_.X.load(point);
  set_row_pairs(work_, point);
  if (!work_.outputs.empty()) set_efforts(work_, work_.view(point, {}));
  if (!factorise_bare(work_, time)) return 0;
  if (work_.kkt.sparse() || mechanism_.loop_rank == mechanism_.loop_count) {
    return work_.kkt.factorise_border() ? work_.kkt.border_pivot_ratio() : 0;
  }
  keep_rank(work_, mechanism_.loop_rank);
  return mechanism_.loop_rank > 0 ? work_.border_rank.relative_eigenvalue(mechanism_.loop_rank - 1) : 1;
}

template <int D>
bool Rotationless<D>::accelerate(double t, std::span<const double> x, std::span<const double> v,
                                 std::span<const double> angles, std::span<double> unknowns,
                                 std::span<double> a) {
  ConstrainedPoint point = state_point(work_, t, x, v, angles);
  load_configuration(x, work_.X.left);
  load_configuration(v, work_.X.velocity);
  set_bare_accelerations(work_, angles);
  std::fill(unknowns.begin(), unknowns.end(), 0.0);
  point.w = work_.bare_w;
  if (work_.shares.redundant()) {
    work_.X.load(point);
    set_row_pairs(work_, point);
    if (!set_servo_shares(work_, work_.view(point, {}))) return false;
    work_.shares.forget_cuts();
  }
  bool regular = accelerate_once(point, unknowns, a);
  // Which efforts are at a limit is found as Newton's method finds it: the equations are linear but for that.
  for (int i = 0; i < kCutSearches && regular && work_.shares.redundant(); ++i) {
    if (!work_.shares.find_cuts(unknowns.subspan(work_.servo_unknown(0)))) break;
    std::fill(unknowns.begin(), unknowns.end(), 0.0);
    regular = accelerate_once(point, unknowns, a);
  }
  return regular;
}

/// From unknowns that vanish.
template <int D>
bool Rotationless<D>::accelerate_once(const ConstrainedPoint& point, std::span<double> unknowns,
                                      std::span<double> a) {
  const double t = point.time;
  residual(point, unknowns, work_.r);
  const std::span<double> r = work_.r;
  for (const auto* all : {&mechanism_.tree_rows, &mechanism_.loop_rows}) {
    for (const PlacedRows<D>& rows : *all) {
      set_constraint_accelerations(mechanism_, rows, work_.X, point.angles, r);
    }
  }
  for (const CouplingRow<D>& row : mechanism_.couplings) {
    r[row.unknown] = coupling_acceleration(mechanism_, row, work_.X, point.angles);
  }
  for (std::size_t j = 0; j < work_.outputs.size(); ++j) {
    r[work_.servo_unknown(j)] =
        work_.outputs[j].acceleration_error(work_.X.right, work_.X.velocity, work_.X.w, t, point.angles);
  }
  std::fill(a.begin(), a.end(), 0.0);
  if (!factorise_bare(work_, t)) return false;
  bool usable = false;
  const bool regular = factorise_loops(work_, usable);
  if (usable) solve(r);
  if (!work_.kkt.sparse() && mechanism_.loop_rank == mechanism_.loop_count) {
    work_.kkt.set_border_basis({}, work_.kkt.border_size());
  }
  if (!usable) return false;
  for (std::size_t i = 0; i < unknowns.size(); ++i) unknowns[i] = -r[i];
  if (work_.kkt.sparse()) make_multipliers_least(work_, unknowns);
  for (int node = 0; node < mechanism_.ground; ++node) {
    const double* eta = &unknowns[mechanism_.offset[node]];
    const std::size_t at = static_cast<std::size_t>(kCoordinates<D>) * node;
    const SpinD<D> alpha = spin_of<D>(eta);
    for (int i = 0; i < D; ++i) a[at + i] = eta[i];
    for (int k = 0; k < D; ++k) {
      const VecD<D> turn = spun(alpha, work_.X.right[node].d[k]);
      for (int i = 0; i < D; ++i) a[at + D * (k + 1) + i] = turn[i] + work_.bare_w[at + D * (k + 1) + i];
    }
  }
  for_each_rotor(mechanism_, [&](const Rotor<D>& rotor, std::size_t at) {
    a[at] = work_.bare_w[at] + rotor_rate<D>(work_, rotor, unknowns, 1);
  });
  return regular;
}

/// With the twists eta of the bodies, v -> P eta:
///   P^T M (P eta - v) = B mu - G^T nu,   G P eta = 0,   C P eta = y'. (1)
template <int D>
void Rotationless<D>::lead_rates(double t, std::span<const double> x, std::span<const double> angles,
                                 std::span<double> v, std::span<double> v_lost, std::span<double> z) {
  if (work_.outputs.empty()) return;
  const ConstrainedPoint point = state_point(work_, t, x, v, angles);
  work_.X.load(point);
  set_row_pairs(work_, point);
  const PairView<D> view = work_.view(point, {});
  set_efforts(work_, view);
  const std::span<double> r = work_.r;
  set_momenta<D>(work_, v, r);
  work_.X.w = work_.X.velocity;
  double energy = -rotor_energy<D>(mechanism_, v);
  std::fill(work_.X.velocity.begin(), work_.X.velocity.end(), Directors<D>{});
  for (std::size_t j = 0; j < work_.outputs.size(); ++j) {
    r[work_.servo_unknown(j)] = work_.outputs[j].rate_error(work_.X.right, work_.X.velocity, t, angles);
  }
  if (!factorise_bare(work_, t) || !factorise_bare_border(work_)) return;
  solve(r);
  set_rates(work_, r, v);
  load_configuration(v, work_.X.velocity);
  energy += rotor_energy<D>(mechanism_, v);
  const double* lost = v_lost.data();
  for (int node = 0; node < mechanism_.ground; ++node) {
    const auto book = [&](double mass, const VecD<D>& before, VecD<D>& velocity) {
      VecD<D> change = velocity - before;
      velocity = 0.5 * (before + velocity);
      energy += mass * dot(change, velocity);
      for (int i = 0; i < D; ++i) energy -= mass * before[i] * *lost++;
    };
    book(mechanism_.frames.mass[node], work_.X.w[node].phi, work_.X.velocity[node].phi);
    for (int k = 0; k < D; ++k)
      book(mechanism_.frames.E[node][k], work_.X.w[node].d[k], work_.X.velocity[node].d[k]);
  }
  for_each_rotor(mechanism_,
                 [&](const Rotor<D>& rotor, std::size_t at) { energy -= rotor.mass * v[at] * v_lost[at]; });
  std::fill(v_lost.begin(), v_lost.end(), 0.0);
  // What the joints' impulses do, of h^4, is booked with the last of the efforts.
  int flow = 0;
  set_efforts(work_, view);
  work_.for_each_servo_effort([&](const auto& effort) {
    double impulse = 0;
    if (work_.shares.redundant()) {
      for (std::size_t j = 0; j < work_.outputs.size(); ++j) {
        impulse -= work_.shares.slope(effort.servo, static_cast<int>(j)) * r[work_.servo_unknown(j)];
      }
    } else {
      impulse = -r[work_.servo_unknown(effort.servo)];
    }
    const double work = impulse * effort.speed(view);
    z[effort.source] += work;
    energy -= work;
    flow = effort.source;
  });
  z[flow] += energy;
}

template <int D>
std::unique_ptr<WeakForm> Rotationless<D>::make_weak_form(const GalerkinBasis& basis) {
  use_dense_border(work_);
  return std::make_unique<RotationlessWeakForm<D>>(work_, basis);
}

template class Rotationless<2>;
template class Rotationless<3>;

namespace {

template <int D>
ConstrainedMechanism observed(std::unique_ptr<Rotationless<D>> system) {
  RotationlessWork<D>& work = system->work();
  return {std::move(system), std::make_unique<RotationlessObserver<D>>(work),
          std::make_unique<RotationlessServoObserver<D>>(work)};
}

}  // namespace

ConstrainedMechanism make_rotationless(const Model& model, int loop_rank, SystemInput input) {
  if (model.dimension() == 2) {
    return observed(std::make_unique<Rotationless<2>>(model, loop_rank, std::move(input)));
  }
  return observed(std::make_unique<Rotationless<3>>(model, loop_rank, std::move(input)));
}

}  // namespace torsor
