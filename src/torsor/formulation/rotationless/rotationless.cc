#include "torsor/formulation/rotationless/rotationless.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/base/compensated_sum.h"
#include "torsor/base/norm.h"
#include "torsor/formulation/rotationless/balance.h"
#include "torsor/formulation/rotationless/constraints.h"
#include "torsor/formulation/rotationless/coupling.h"
#include "torsor/formulation/rotationless/observer.h"
#include "torsor/formulation/rotationless/weak_form.h"
#include "torsor/model/alike.h"
#include "torsor/model/free_parts.h"
#include "torsor/model/symmetry.h"

namespace torsor {
namespace {

constexpr int kCutSearches = 30;

template <int D>
std::vector<FreeAxis> make_free_axes(const Model& model, const RotationlessMechanism<D>& mechanism) {
  std::vector<FreeAxis> axes;
  const double cell = std::exp2(std::ceil(std::log2(4 * mechanism.length)));
  for (const std::vector<int>& bodies : free_parts(model)) {
    for (int i = 0; i < D; ++i) {
      axes.push_back({{}, cell});
      for (const int body : bodies)
        axes.back().coordinates.push_back(kCoordinates<D> * mechanism.frames.node(body) + i);
    }
  }
  return axes;
}

template <int D>
bool may_scale_rates(const Model& model, const RotationlessWork<D>& work) {
  if (work.mechanism.loop_count == 0 || !work.outputs.empty()) return false;
  const ConservedMomenta kept = conserved_momenta(model);
  return kept.linear.empty() && kept.angular.empty();
}

}  // namespace

template <int D>
Rotationless<D>::Rotationless(const Model& model, int loop_rank, SystemInput input)
    : work_(model, loop_rank, std::move(input)),
      mechanism_(work_.mechanism),
      step_(work_),
      free_axes_(make_free_axes(model, mechanism_)),
      may_scale_rates_(torsor::may_scale_rates(model, work_)),
      begin_unknowns_(work_.shares.redundant() ? work_.unknown_count() : 0),
      begin_a_(work_.shares.redundant() ? mechanism_.coordinate_count() : 0) {}

template <int D>
bool Rotationless<D>::take(const Model& model, const Model& before, int loop_rank) {
  const bool is_same_mechanism = mechanism_.loop_count == 0 && move_alike(model, before);
  if (!work_.take(model, loop_rank, is_same_mechanism)) return false;
  if (!is_same_mechanism) step_.take_mechanism();
  free_axes_ = make_free_axes(model, mechanism_);
  may_scale_rates_ = torsor::may_scale_rates(model, work_);
  return true;
}

template <int D>
double Rotationless<D>::begin_step(double time, std::span<const double> x, std::span<const double> v,
                                   std::span<const double> angles) {
  if (work_.shares.redundant()) accelerate(time, x, v, angles, begin_unknowns_, begin_a_);
  if (mechanism_.loop_count == 0) return 1;
  const bool all_independent = mechanism_.loop_rank == mechanism_.loop_count;
  if (all_independent && work_.outputs.empty() && !work_.kkt.sparse()) {
    return step_.watch_loops(time, x, v, angles);
  }
  const ConstrainedPoint point = state_point(work_, time, x, v, angles);
  work_.X.load(point);
  set_row_pairs(work_, point);
  if (!work_.outputs.empty()) set_efforts(work_, work_.view(point, {}));
  if (!factorise_bare(work_, time)) return 0;
  if (work_.kkt.sparse() || all_independent) {
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
double Rotationless<D>::balance(double time, std::span<const double> x, std::span<const double> v,
                                std::span<const double> angles, std::span<const double> z) {
  load_configuration(x, work_.X.right);
  load_configuration(v, work_.X.velocity);
  const EnergyPartsOf<double> parts = loaded_energies(work_, time, v, angles);
  double kept = parts.kinetic + parts.gravity + parts.elastic;
  for (const double work : z.first(work_.book.sources.size())) kept -= work;
  for (const double taken : z.subspan(work_.book.work_count(), work_.book.dampers.size())) kept += taken;
  return kept;
}

template <int D>
std::unique_ptr<WeakForm> Rotationless<D>::make_weak_form(const GalerkinBasis& basis) {
  use_all_blocks(work_);
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

bool take_model(ConstrainedSystem& system, const Model& model, const Model& before, int loop_rank) {
  if (auto* planar = dynamic_cast<Rotationless<2>*>(&system)) return planar->take(model, before, loop_rank);
  auto* spatial = dynamic_cast<Rotationless<3>*>(&system);
  return spatial && spatial->take(model, before, loop_rank);
}

}  // namespace torsor
