#include "torsor/formulation/rotationless/work.h"

#include <algorithm>
#include <cmath>

#include "torsor/formulation/rotationless/chart_sink.h"
#include "torsor/formulation/rotationless/constraints.h"
#include "torsor/formulation/rotationless/coupling.h"
#include "torsor/formulation/rotationless/work_pattern.h"

namespace torsor {
namespace {

constexpr double kLongestTurn = 1.6;  ///< of a body in a step [rad]
constexpr double kSingular = 1e-13;   ///< below it, a pivot of the loops over the largest is rounding
constexpr double kShift = 1e-6;  ///< of TreeKkt::make_least over what a body of the mean mass makes of a row

/// What a dense border needs besides the matrix.
template <int D>
void make_border(RotationlessWork<D>& work) {
  const std::size_t border = work.kkt.border_size(), loops = work.mechanism.loop_count;
  work.border_rank = BorderRank(loop_units(work.mechanism));
  work.basis.resize(border * border);
  work.scratch.resize(std::max(work.r.size(), loops * loops));
}

/// Without the bodies that a loop joins by a point alone: of these the matrix has nothing but the border.
KktPattern without_loose_couplings(KktPattern pattern) {
  std::erase_if(pattern.couplings,
                [&](const std::pair<int, int>& pair) { return !pattern.is_stiff(pair.first, pair.second); });
  return pattern;
}

}  // namespace

template <int D, class S>
RotationlessWork<D, S>::RotationlessWork(const Model& model, RotationlessMechanism<D, S> made,
                                         FlowBook booked, SystemInput inputs) requires std::same_as<S, double>
    : ElementForces<D, S>(model, made, booked, std::move(inputs)),
      mechanism(std::move(made)),
      book(std::move(booked)),
      outputs(make_servo_outputs(model, mechanism)),
      shares(model),
      pattern(make_pattern(*this)),
      kkt(pattern),
      border_rank({}),
      row_pairs(mechanism.screws.size() + mechanism.terms.size()),
      r(unknown_count()),
      bare_w(mechanism.coordinate_count()),
      scratch(r.size()) {
  if (!pattern.sparse) make_border(*this);
}

template <int D, class S>
RotationlessWork<D, S>::RotationlessWork(
    const RotationlessWork<D>& like, RotationlessMechanism<D, S> packed) requires(!std::same_as<S, double>)
    : ElementForces<D, S>(packed.ground),
      mechanism(std::move(packed)),
      book(like.book),
      shares(like.shares),
      pattern(without_loose_couplings(like.pattern)),
      kkt(pattern),
      border_rank({}),
      row_pairs(like.row_pairs.size()),
      r(unknown_count()),
      bare_w(mechanism.coordinate_count()),
      scratch(r.size()) {}

template <int D>
void use_dense_border(RotationlessWork<D>& work) {
  if (!work.pattern.sparse) return;
  work.pattern.sparse = false;
  work.kkt = BodyKkt<D>(work.pattern);
  make_border(work);
}

template <int D, class S>
ConstrainedPointOf<S> state_point(const RotationlessWork<D, S>& work, double t,
                                  std::span<const std::type_identity_t<S>> x,
                                  std::span<const std::type_identity_t<S>> v,
                                  std::span<const std::type_identity_t<S>> angles) {
  ConstrainedPointOf<S> point;
  point.time = point.start_time = point.end_time = t;
  point.x_a = point.x_b = x;
  point.angles = angles;
  point.velocity = v;
  point.w = work.bare_w;
  point.kappa = 1;
  point.force_gain = 1;
  point.z = work.held;
  return point;
}

template <int D, class S>
void push_elements(RotationlessWork<D, S>& work, const ConstrainedPointOf<S>& point,
                   std::span<const std::type_identity_t<S>> unknowns) {
  work.push_all(work.mechanism, point, work.servo_efforts(point, unknowns));
}

template <int D, class S>
void collect(const RotationlessWork<D, S>& work, std::span<std::type_identity_t<S>> r) {
  for (int node = 0; node < work.mechanism.ground; ++node) {
    const NodeForce<D, S>& on = work.forces[node];
    S* out = &r[work.mechanism.offset[node]];
    for (int i = 0; i < D; ++i) out[i] = on.force[i];
    SpinD<D, S> moment = on.moment;
    for (int i = 0; i < D; ++i) moment += moment_of(work.X.left[node].d[i], on.on_directors[i]);
    set_spin<D>(moment, out);
  }
}

template <int D, class S>
void set_residual(RotationlessWork<D, S>& work, const ConstrainedPointOf<S>& point,
                  std::span<const std::type_identity_t<S>> unknowns, std::span<std::type_identity_t<S>> r) {
  const RotationlessMechanism<D, S>& mechanism = work.mechanism;
  push_elements(work, point, unknowns);
  set_row_pairs(work, point);
  push_constraints<D, S>(work, mechanism.tree_rows, unknowns);
  push_constraints<D, S>(work, mechanism.loop_rows, unknowns);
  push_couplings(work, unknowns);
  collect(work, r);
  for (const PlacedRows<D, S>& rows : mechanism.tree_rows) {
    set_constraints(mechanism, rows, work.X.right, point.angles, r);
  }
  for (const PlacedRows<D, S>& rows : mechanism.loop_rows) {
    set_constraints(mechanism, rows, work.X.right, point.angles, r);
  }
  for (const CouplingRow<D, S>& row : mechanism.couplings) {
    r[row.unknown] = coupling_error(mechanism, row, work.X.right, point.angles);
  }
  if constexpr (std::same_as<S, double>) {
    for (std::size_t j = 0; j < work.outputs.size(); ++j) {
      r[work.servo_unknown(j)] = work.outputs[j].error(work.X.right, point.end_time, point.angles);
    }
  }
}

namespace {

/// The gradient of a rotor's coordinate at the state that is loaded.
template <int D, class S>
PairRow<D, S> rotor_gradient(const RotationlessWork<D, S>& work, const Rotor<D, S>& rotor) {
  const Configuration<D, S>& X = work.X.right;
  return end_gradient(rotor.coordinate, value_at(rotor.coordinate, X, S(0.0)), X);
}

/// Of a state.
template <int D, class S>
void add_rotors(RotationlessWork<D, S>& work) {
  for (const Rotor<D, S>& rotor : work.mechanism.joints.rotors) {
    const PairRow<D, S> right = rotor_gradient(work, rotor);
    PairRow<D, S> left;
    add_scaled(rotor.mass, right, left);
    add_outer(work.kkt, work.mechanism.ground, rotor.coordinate.child, rotor.coordinate.parent, left, right);
  }
}

/// Inertia, and with `turning` what follows from levers on the left that turn: for a force f_i on a director,
/// kappa (y x d_i) x f_i.
template <int D, class S>
void add_bodies(RotationlessWork<D, S>& work, double kappa, bool turning) {
  const NodeFrames<D, S>& frames = work.mechanism.frames;
  for (int node = 0; node < frames.ground; ++node) {
    const BlockViewOf<S> block = work.kkt.pivot(node);
    for (int i = 0; i < D; ++i) block(i, i) += frames.mass[node];
    const auto &l = work.X.left[node].d, &r = work.X.right[node].d;
    S trace(0.0);
    for (int k = 0; k < D; ++k) {
      const S E = frames.E[node][k];
      const VecD<D, S> force = (turning ? kappa : 0.0) * work.forces[node].on_directors[k];
      trace += E * dot(l[k], r[k]) - dot(r[k], force);
      if constexpr (D == 3) {
        const Vec3<S> row = force - E * l[k];
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) block(3 + i, 3 + j) += r[k][i] * row[j];
        }
      }
    }
    for (int i = D; i < kWidth<D>; ++i) block(i, i) += trace;
  }
}

template <int D>
void put_servos(RotationlessWork<D>& work, double t, ServoSide what, bool left) {
  const int ground = work.mechanism.ground;
  const double sign = left ? -1 : 1;
  const auto put = [&](int servo, int node, const Row<D>& from, double share) {
    if (node == ground) return;
    double* out = border_entry(work, left, work.mechanism.loop_count + servo, node);
    for (int k = 0; k < kWidth<D>; ++k) out[k] += sign * share * from[k];
  };
  if (what == ServoSide::efforts) {
    work.for_each_servo_effort([&](const auto& effort) {
      effort.for_each_row(work.X.left, [&](int node, const Row<D>& row) {
        if (!work.shares.redundant()) return put(effort.servo, node, row, 1);
        for (int j = 0; j < work.shares.output_count(); ++j) {
          if (work.shares.has(effort.servo, j)) put(j, node, row, work.shares.slope(effort.servo, j));
        }
      });
    });
    return;
  }
  for (std::size_t j = 0; j < work.outputs.size(); ++j) {
    const PairRow<D> row = work.outputs[j].gradient(work.X.right, t);
    put(static_cast<int>(j), work.outputs[j].child(), row.child, 1);
    put(static_cast<int>(j), work.outputs[j].parent(ground), row.parent, 1);
  }
}

}  // namespace

template <int D, class S>
S* border_entry(RotationlessWork<D, S>& work, bool left, int row, int node) {
  const std::vector<int>& bodies = work.pattern.border[row];
  const int k = static_cast<int>(std::find(bodies.begin(), bodies.end(), node) - bodies.begin());
  return left ? work.kkt.border_left(row, k) : work.kkt.border_right(row, k);
}

/// As Cayley vectors. At half a turn levers on the left vanish, and with them every equation of moments:
/// unbounded vectors solve any step, and near it increments seem to converge while moments do not (a free chain
/// lost a third of its energy with a bound of 3 rad).
template <int D, class S>
MaskOf<S> turns_are_short(const RotationlessWork<D, S>& work,
                          std::span<const std::type_identity_t<S>> unknowns) {
  const double longest = 2 * std::tan(0.5 * kLongestTurn);
  MaskOf<S> are_short = all_lanes<S>();
  for (const int offset : work.mechanism.offset) {
    const S* eta = &unknowns[offset];
    S square(0.0);
    for (int i = D; i < kWidth<D>; ++i) square += eta[i] * eta[i];
    are_short = are_short & (square <= longest * longest);
  }
  return are_short;
}

template <int D, class S>
void assemble(RotationlessWork<D, S>& work, const ConstrainedPointOf<S>& point,
              std::span<const std::type_identity_t<S>> unknowns) {
  work.kkt.clear();
  add_bodies(work, point.kappa, true);
  for (const auto* all : {&work.mechanism.tree_rows, &work.mechanism.loop_rows}) {
    put_rows<D, S>(work, *all);
    add_constraint_tangent<D, S>(work, *all, point.kappa, unknowns);
  }
  put_couplings(work);
  add_coupling_tangent(work, point.kappa, unknowns);
  const PairView<D, S> view = work.view(point, unknowns);
  const ChartSink<D, S> sink{work.kkt, view};
  for_each_element(work.elements, [&](auto& element) {
    if constexpr (requires { element.add_tangent(view, sink); }) element.add_tangent(view, sink);
  });
  if constexpr (std::same_as<S, double>) {
    put_servos(work, point.end_time, ServoSide::efforts, true);
    put_servos(work, point.end_time, ServoSide::outputs, false);
  }
}

template <int D, class S>
void assemble_bare(RotationlessWork<D, S>& work) {
  work.kkt.clear();
  add_bodies(work, 1, false);
  add_rotors(work);
  put_rows<D, S>(work, work.mechanism.tree_rows);
  put_rows<D, S>(work, work.mechanism.loop_rows);
  put_couplings(work);
}

template <int D>
void set_efforts(RotationlessWork<D>& work, const PairView<D>& view) {
  for (Effort<D>& effort : std::get<std::vector<Effort<D>>>(work.elements)) effort.set(view);
  for (TendonEffort<D>& effort : std::get<std::vector<TendonEffort<D>>>(work.elements)) effort.set(view);
}

template <int D>
bool set_servo_shares(RotationlessWork<D>& work, const PairView<D>& view) {
  if (!work.shares.redundant()) return true;
  set_efforts(work, view);
  assemble_bare(work);
  for (int row = work.mechanism.loop_count; row < work.kkt.border_size(); ++row) {
    work.kkt.corner(row, row) = 1;
  }
  if (!work.kkt.factorise_bare() || !factorise_bare_border(work)) return false;
  const std::span<double> r = work.r;
  for (std::size_t j = 0; j < work.outputs.size(); ++j) {
    std::fill(r.begin(), r.end(), 0.0);
    const auto add = [&](int node, const Row<D>& row) {
      if (node == work.mechanism.ground) return;
      for (int k = 0; k < kWidth<D>; ++k) r[work.mechanism.offset[node] + k] += row[k];
    };
    const PairRow<D> row = work.outputs[j].gradient(work.X.right, view.point.end_time);
    add(work.outputs[j].child(), row.child);
    add(work.outputs[j].parent(work.mechanism.ground), row.parent);
    work.kkt.solve(r.first(work.kkt.size()), r.subspan(work.kkt.size()));
    work.for_each_servo_effort([&](const auto& effort) {
      const int output = static_cast<int>(j);
      if (!work.shares.is_shared(effort.servo) || !work.shares.has(effort.servo, output)) return;
      double share = 0;
      effort.for_each_row(work.X.left, [&](int node, const Row<D>& on) {
        if (node == work.mechanism.ground) return;
        for (int k = 0; k < kWidth<D>; ++k) share += on[k] * r[work.mechanism.offset[node] + k];
      });
      work.shares.set(effort.servo, output, share);
    });
  }
  return true;
}

template <int D, class S>
MaskOf<S> factorise_bare(RotationlessWork<D, S>& work, [[maybe_unused]] double t,
                         [[maybe_unused]] ServoSide left, [[maybe_unused]] ServoSide right) {
  assemble_bare(work);
  if constexpr (std::same_as<S, double>) {
    put_servos(work, t, left, true);
    put_servos(work, t, right, false);
  }
  return work.kkt.factorise_bare();
}

template <int D>
bool factorise_bare_border(RotationlessWork<D>& work) {
  if (!work.kkt.sparse() && work.mechanism.loop_rank < work.mechanism.loop_count) {
    keep_rank(work, work.mechanism.loop_rank);
  }
  return work.kkt.factorise_border();
}

template <int D>
int keep_rank(RotationlessWork<D>& work, int loop_rank) {
  const int loops = work.mechanism.loop_count, border = work.kkt.border_size(), servos = border - loops;
  for (int i = 0; i < loops; ++i) {
    for (int j = 0; j < loops; ++j) work.scratch[i * loops + j] = work.kkt.schur()[i * border + j];
  }
  work.border_rank.decompose(std::span(work.scratch).first(loops * loops), -1);
  if (loop_rank < 0) loop_rank = work.border_rank.rank(kSingular);
  const std::span<const double> independent = work.border_rank.basis(loop_rank);
  const int rank = loop_rank + servos;
  std::fill(work.basis.begin(), work.basis.end(), 0.0);
  for (int i = 0; i < loops; ++i) {
    for (int j = 0; j < loop_rank; ++j) work.basis[i * rank + j] = independent[i * loop_rank + j];
  }
  for (int i = 0; i < servos; ++i) work.basis[(loops + i) * rank + loop_rank + i] = 1;
  work.kkt.set_border_basis(std::span(work.basis).first(static_cast<std::size_t>(border) * rank), rank);
  return loop_rank;
}

template <int D>
bool factorise_loops(RotationlessWork<D>& work, bool& usable) {
  usable = factorise_bare_border(work);
  if (usable && work.kkt.border_pivot_ratio() > kSingular) return true;
  if (work.kkt.sparse()) {
    usable = work.kkt.factorise_what_is_independent();
    return false;
  }
  const int rank = keep_rank(work, -1);
  usable = work.kkt.factorise_border();
  return usable && rank == work.mechanism.loop_rank;
}

template <int D>
void drop_idle_multipliers(const RotationlessWork<D>& work, std::span<double> unknowns) {
  const int loops = work.mechanism.loop_count, rank = work.mechanism.loop_rank;
  if (rank == loops) return;
  const std::size_t nodes = unknowns.size() - work.kkt.border_size();
  if (work.kkt.sparse()) return work.kkt.sparse()->drop_idle(unknowns.first(nodes), unknowns.subspan(nodes));
  work.border_rank.remove_null(unknowns.subspan(nodes, loops), rank);
}

template <int D>
void make_multipliers_least(RotationlessWork<D>& work, std::span<double> unknowns) {
  const NodeFrames<D>& frames = work.mechanism.frames;
  const double length = work.mechanism.length;
  double mass = 0;
  for (int node = 0; node < frames.ground; ++node) mass += frames.mass[node] / frames.ground;
  const std::size_t nodes = work.kkt.size();
  work.kkt.make_least(kShift / (mass * length * length), unknowns.first(nodes), unknowns.subspan(nodes));
}

template <int D>
void set_bare_accelerations(RotationlessWork<D>& work, std::span<const double> angles) {
  // d'' = alpha x d + Omega x d': the second part is known.
  for (int node = 0; node < work.mechanism.ground; ++node) {
    const SpinD<D> spin = spin_rate(work.X.left[node], work.X.velocity[node]);
    double* out = &work.bare_w[static_cast<std::size_t>(kCoordinates<D>) * node];
    std::fill_n(out, D, 0.0);
    for (int k = 0; k < D; ++k) {
      const VecD<D> bend = spun(spin, work.X.velocity[node].d[k]);
      for (int i = 0; i < D; ++i) out[D * (k + 1) + i] = bend[i];
    }
  }
  if (work.mechanism.joints.rotors.empty()) return;
  load_configuration(work.bare_w, work.X.w);
  for_each_rotor(work.mechanism, [&](const Rotor<D>& rotor, std::size_t at) {
    work.bare_w[at] =
        coordinate_acceleration(rotor.coordinate, work.X.left, work.X.velocity, work.X.w, angles);
  });
}

template <int D>
double rotor_rate(const RotationlessWork<D>& work, const Rotor<D>& rotor, std::span<const double> eta,
                  double sign) {
  const PairRow<D> gradient = rotor_gradient(work, rotor);
  double rate = 0;
  const auto add = [&](int node, const Row<D>& row) {
    if (node == work.mechanism.ground) return;
    for (int i = 0; i < kWidth<D>; ++i) rate += sign * row[i] * eta[work.mechanism.offset[node] + i];
  };
  add(rotor.coordinate.child, gradient.child);
  add(rotor.coordinate.parent, gradient.parent);
  return rate;
}

template <int D>
void set_momenta(RotationlessWork<D>& work, std::span<const double> v, std::span<double> r) {
  const NodeFrames<D>& frames = work.mechanism.frames;
  std::fill(r.begin(), r.end(), 0.0);
  for (int node = 0; node < frames.ground; ++node) {
    NodeForce<D>& on = work.forces[node];
    const Directors<D>& velocity = work.X.velocity[node];
    on.force = -frames.mass[node] * velocity.phi;
    for (int k = 0; k < D; ++k) on.on_directors[k] = -frames.E[node][k] * velocity.d[k];
    on.moment = SpinD<D>{};
  }
  for_each_rotor(work.mechanism, [&](const Rotor<D>& rotor, std::size_t at) {
    const MeasuredPair pair = measured_pair(rotor.coordinate, work.X.left, work.X.left, 0.0, 1.0);
    push_gradient(rotor.coordinate, pair, work.X.left, -rotor.mass * v[at], ForceSink<D>{work.forces});
  });
  collect(work, r);
}

template <int D>
void set_rates(const RotationlessWork<D>& work, std::span<const double> r, std::span<double> v) {
  for (int node = 0; node < work.mechanism.ground; ++node) {
    const double* eta = &r[work.mechanism.offset[node]];
    double* out = &v[static_cast<std::size_t>(kCoordinates<D>) * node];
    for (int i = 0; i < D; ++i) *out++ = -eta[i];
    const SpinD<D> turn = spin_of<D>(eta);
    for (int k = 0; k < D; ++k) {
      const VecD<D> rate = -1.0 * spun(turn, work.X.right[node].d[k]);
      for (int i = 0; i < D; ++i) *out++ = rate[i];
    }
  }
  for_each_rotor(work.mechanism,
                 [&](const Rotor<D>& rotor, std::size_t at) { v[at] = rotor_rate(work, rotor, r, -1); });
}

template RotationlessWork<2>::RotationlessWork(const Model&, RotationlessMechanism<2>, FlowBook, SystemInput);
template RotationlessWork<3>::RotationlessWork(const Model&, RotationlessMechanism<3>, FlowBook, SystemInput);
template void use_dense_border(RotationlessWork<2>&);
template void use_dense_border(RotationlessWork<3>&);
template ConstrainedPoint state_point(const RotationlessWork<2>&, double, std::span<const double>,
                                      std::span<const double>, std::span<const double>);
template ConstrainedPoint state_point(const RotationlessWork<3>&, double, std::span<const double>,
                                      std::span<const double>, std::span<const double>);
template void push_elements(RotationlessWork<2>&, const ConstrainedPoint&, std::span<const double>);
template void push_elements(RotationlessWork<3>&, const ConstrainedPoint&, std::span<const double>);
template void collect(const RotationlessWork<2>&, std::span<double>);
template void collect(const RotationlessWork<3>&, std::span<double>);
template void set_residual(RotationlessWork<2>&, const ConstrainedPoint&, std::span<const double>,
                           std::span<double>);
template void set_residual(RotationlessWork<3>&, const ConstrainedPoint&, std::span<const double>,
                           std::span<double>);
template void assemble(RotationlessWork<2>&, const ConstrainedPoint&, std::span<const double>);
template void assemble(RotationlessWork<3>&, const ConstrainedPoint&, std::span<const double>);
template bool turns_are_short(const RotationlessWork<2>&, std::span<const double>);
template bool turns_are_short(const RotationlessWork<3>&, std::span<const double>);
template double* border_entry(RotationlessWork<2>&, bool, int, int);
template double* border_entry(RotationlessWork<3>&, bool, int, int);
template void assemble_bare(RotationlessWork<2>&);
template void assemble_bare(RotationlessWork<3>&);
template bool set_servo_shares(RotationlessWork<2>&, const PairView<2>&);
template bool set_servo_shares(RotationlessWork<3>&, const PairView<3>&);
template void set_efforts(RotationlessWork<2>&, const PairView<2>&);
template void set_efforts(RotationlessWork<3>&, const PairView<3>&);
template bool factorise_bare(RotationlessWork<2>&, double, ServoSide, ServoSide);
template bool factorise_bare(RotationlessWork<3>&, double, ServoSide, ServoSide);
template bool factorise_bare_border(RotationlessWork<2>&);
template bool factorise_bare_border(RotationlessWork<3>&);
template int keep_rank(RotationlessWork<2>&, int);
template bool factorise_loops(RotationlessWork<2>&, bool&);
template int keep_rank(RotationlessWork<3>&, int);
template bool factorise_loops(RotationlessWork<3>&, bool&);
template void drop_idle_multipliers(const RotationlessWork<2>&, std::span<double>);
template void drop_idle_multipliers(const RotationlessWork<3>&, std::span<double>);
template void make_multipliers_least(RotationlessWork<2>&, std::span<double>);
template void make_multipliers_least(RotationlessWork<3>&, std::span<double>);
template void set_bare_accelerations(RotationlessWork<2>&, std::span<const double>);
template void set_bare_accelerations(RotationlessWork<3>&, std::span<const double>);
template double rotor_rate(const RotationlessWork<2>&, const Rotor<2>&, std::span<const double>, double);
template double rotor_rate(const RotationlessWork<3>&, const Rotor<3>&, std::span<const double>, double);
template void set_momenta(RotationlessWork<2>&, std::span<const double>, std::span<double>);
template void set_momenta(RotationlessWork<3>&, std::span<const double>, std::span<double>);
template void set_rates(const RotationlessWork<2>&, std::span<const double>, std::span<double>);
template void set_rates(const RotationlessWork<3>&, std::span<const double>, std::span<double>);

using P = StepPack;
template RotationlessWork<2, P>::RotationlessWork(const RotationlessWork<2>&, RotationlessMechanism<2, P>);
template RotationlessWork<3, P>::RotationlessWork(const RotationlessWork<3>&, RotationlessMechanism<3, P>);
template ConstrainedPointOf<P> state_point(const RotationlessWork<2, P>&, double, std::span<const P>,
                                           std::span<const P>, std::span<const P>);
template ConstrainedPointOf<P> state_point(const RotationlessWork<3, P>&, double, std::span<const P>,
                                           std::span<const P>, std::span<const P>);
template void set_residual(RotationlessWork<2, P>&, const ConstrainedPointOf<P>&, std::span<const P>,
                           std::span<P>);
template void set_residual(RotationlessWork<3, P>&, const ConstrainedPointOf<P>&, std::span<const P>,
                           std::span<P>);
template void assemble(RotationlessWork<2, P>&, const ConstrainedPointOf<P>&, std::span<const P>);
template void assemble(RotationlessWork<3, P>&, const ConstrainedPointOf<P>&, std::span<const P>);
template P::Mask turns_are_short(const RotationlessWork<2, P>&, std::span<const P>);
template P::Mask turns_are_short(const RotationlessWork<3, P>&, std::span<const P>);
template P* border_entry(RotationlessWork<2, P>&, bool, int, int);
template P* border_entry(RotationlessWork<3, P>&, bool, int, int);
template P::Mask factorise_bare(RotationlessWork<2, P>&, double, ServoSide, ServoSide);
template P::Mask factorise_bare(RotationlessWork<3, P>&, double, ServoSide, ServoSide);

}  // namespace torsor
