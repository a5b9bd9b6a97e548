#include "torsor/formulation/rotationless/work.h"

#include <algorithm>

#include "torsor/formulation/rotationless/constraints.h"
#include "torsor/formulation/rotationless/coupling.h"
#include "torsor/formulation/rotationless/work_pattern.h"

namespace torsor {
namespace {

template <int D, class S>
[[gnu::always_inline]] inline void collect_at(const RotationlessWork<D, S>& work, int node, std::span<S> r) {
  const NodeForce<D, S>& on = work.forces[node];
  S* out = &r[work.mechanism.offset[node]];
  for (int i = 0; i < D; ++i) out[i] = on.force[i];
  SpinD<D, S> moment = on.moment;
  for (int i = 0; i < D; ++i) moment += moment_of(work.X.left[node].d[i], on.on_directors[i]);
  set_spin<D>(moment, out);
}

/// What a dense border needs besides the matrix.
template <int D>
void make_border(RotationlessWork<D>& work) {
  const std::size_t border = work.kkt.border_size(), loops = work.mechanism.loop_count;
  work.border_rank = BorderRank(loop_units(work.mechanism));
  work.basis.resize(border * border);
  work.scratch.resize(std::max(work.r.size(), loops * loops));
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
      pattern(like.pattern),
      kkt(pattern),
      border_rank({}),
      row_pairs(like.row_pairs.size()),
      r(unknown_count()),
      bare_w(mechanism.coordinate_count()),
      scratch(r.size()) {}

template <int D, class S>
bool RotationlessWork<D, S>::take(const Model& model, int loop_rank,
                                  bool is_same_mechanism) requires std::same_as<S, double> {
  const auto& [external, controlled, fault] = this->input;
  if (pattern.sparse || !outputs.empty() || external || controlled || fault) return false;
  if (!is_same_mechanism) mechanism = RotationlessMechanism<D, S>(model, loop_rank);
  FlowBook booked = make_flow_book(model);
  if (!booked.books_alike(book)) return false;
  book = std::move(booked);
  this->compile(model, mechanism, book);
  if (make_pattern(*this) != pattern) return false;
  this->held.clear();
  forget();
  make_border(*this);
  return true;
}

template <int D, class S>
void RotationlessWork<D, S>::forget() {
  kkt.border_size() > 0 ? void(kkt = BodyKkt<D, S>(pattern)) : kkt.forget();
}

template <int D>
void use_all_blocks(RotationlessWork<D>& work) {
  for (KktPattern::Node& node : work.pattern.nodes) node.loose = false;
  const int ground = work.mechanism.ground;
  for (const PlacedRows<D>& rows : work.mechanism.loop_rows) {
    if (rows.child != ground && rows.parent != ground) {
      work.pattern.couplings.emplace_back(rows.child, rows.parent);
    }
  }
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
  for (int node = 0; node < work.mechanism.ground; ++node) collect_at(work, node, r);
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
  for (int node = 0; node < mechanism.ground; ++node) {
    collect_at(work, node, r);
    set_constraints(mechanism, mechanism.tree_rows[node], work.X.right, point.angles, r);
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

template RotationlessWork<2>::RotationlessWork(const Model&, RotationlessMechanism<2>, FlowBook, SystemInput);
template RotationlessWork<3>::RotationlessWork(const Model&, RotationlessMechanism<3>, FlowBook, SystemInput);
template bool RotationlessWork<2>::take(const Model&, int, bool);
template bool RotationlessWork<3>::take(const Model&, int, bool);
template void RotationlessWork<2>::forget();
template void RotationlessWork<3>::forget();
template void RotationlessWork<2, Pack<4>>::forget();
template void RotationlessWork<3, Pack<4>>::forget();
template void RotationlessWork<2, Pack<8>>::forget();
template void RotationlessWork<3, Pack<8>>::forget();
template void use_all_blocks(RotationlessWork<2>&);
template void use_all_blocks(RotationlessWork<3>&);
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

template RotationlessWork<2, Pack<4>>::RotationlessWork(const RotationlessWork<2>&,
                                                        RotationlessMechanism<2, Pack<4>>);
template RotationlessWork<3, Pack<4>>::RotationlessWork(const RotationlessWork<3>&,
                                                        RotationlessMechanism<3, Pack<4>>);
template ConstrainedPointOf<Pack<4>> state_point(const RotationlessWork<2, Pack<4>>&, double,
                                                 std::span<const Pack<4>>, std::span<const Pack<4>>,
                                                 std::span<const Pack<4>>);
template ConstrainedPointOf<Pack<4>> state_point(const RotationlessWork<3, Pack<4>>&, double,
                                                 std::span<const Pack<4>>, std::span<const Pack<4>>,
                                                 std::span<const Pack<4>>);
template void set_residual(RotationlessWork<2, Pack<4>>&, const ConstrainedPointOf<Pack<4>>&,
                           std::span<const Pack<4>>, std::span<Pack<4>>);
template void set_residual(RotationlessWork<3, Pack<4>>&, const ConstrainedPointOf<Pack<4>>&,
                           std::span<const Pack<4>>, std::span<Pack<4>>);

template RotationlessWork<2, Pack<8>>::RotationlessWork(const RotationlessWork<2>&,
                                                        RotationlessMechanism<2, Pack<8>>);
template RotationlessWork<3, Pack<8>>::RotationlessWork(const RotationlessWork<3>&,
                                                        RotationlessMechanism<3, Pack<8>>);
template ConstrainedPointOf<Pack<8>> state_point(const RotationlessWork<2, Pack<8>>&, double,
                                                 std::span<const Pack<8>>, std::span<const Pack<8>>,
                                                 std::span<const Pack<8>>);
template ConstrainedPointOf<Pack<8>> state_point(const RotationlessWork<3, Pack<8>>&, double,
                                                 std::span<const Pack<8>>, std::span<const Pack<8>>,
                                                 std::span<const Pack<8>>);
template void set_residual(RotationlessWork<2, Pack<8>>&, const ConstrainedPointOf<Pack<8>>&,
                           std::span<const Pack<8>>, std::span<Pack<8>>);
template void set_residual(RotationlessWork<3, Pack<8>>&, const ConstrainedPointOf<Pack<8>>&,
                           std::span<const Pack<8>>, std::span<Pack<8>>);

}  // namespace torsor
