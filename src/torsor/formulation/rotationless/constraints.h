#pragma once
// The constraints of joints: their forces on the left, their values and second derivatives, their gradients
// and tangent.

#include "torsor/base/norm.h"
#include "torsor/formulation/rotationless/work.h"

namespace torsor {

/// At the pair that is loaded.
template <int D, class S>
void set_row_pairs(const PairView<D, S>& view, std::vector<MeasuredPairOf<S>>& row_pairs);
template <int D, class S>
void set_row_pairs(RotationlessWork<D, S>& work, const ConstrainedPointOf<S>& point) {
  set_row_pairs(work.view(point, {}), work.row_pairs);
}
/// Adds G^T lambda to the forces.
template <int D, class S>
void push_constraints(RotationlessWork<D, S>& work,
                      std::type_identity_t<std::span<const PlacedRows<D, S>>> all,
                      std::span<const std::type_identity_t<S>> unknowns);
/// Hands the forces of one joint's multipliers to `sink(arm, force)`.
template <int D, class S, class Sink>
void push_rows(const RotationlessMechanism<D, S>& mechanism, const PlacedRows<D, S>& rows,
               const std::vector<MeasuredPairOf<S>>& row_pairs, const Configuration<D, S>& left,
               std::span<const std::type_identity_t<S>> unknowns, Sink&& sink) {
  const S* lambda = unknowns.data() + rows.unknown;
  if (rows.coincident) {
    VecD<D, S> force;
    for (int i = 0; i < D; ++i) force[i] = *lambda++;
    sink(rows.child_point, force);
    sink(rows.parent_point, force);
  }
  for (const Product<D, S>& product : mechanism.products_of(rows))
    push_gradient(product, left, *lambda++, sink);
  if (rows.screw < 0) return;
  const Screw<D, S>& screw = mechanism.screws[rows.screw];
  push_gradient(screw.advance, left, *lambda, sink);
  push_gradient(screw.angle, row_pairs[rows.screw], left, -screw.pitch * *lambda, sink);
}

/// Values at X, into the rows of r.
template <int D, class S>
[[gnu::always_inline]] inline void set_constraints(const RotationlessMechanism<D, S>& mechanism,
                                                   const PlacedRows<D, S>& rows, const Configuration<D, S>& X,
                                                   std::span<const std::type_identity_t<S>> angles,
                                                   std::span<std::type_identity_t<S>> r) {
  S* g = r.data() + rows.unknown;
  if (rows.coincident) {
    // Centres of mass first: far from the origin their difference is exact, where points would be rounded to what the
    // distance leaves, and large multipliers do work against that.
    const Arm<D, S>&child = rows.child_point, &parent = rows.parent_point;
    const VecD<D, S> gap =
        (child.t * X[child.node].phi + parent.t * X[parent.node].phi) + (lever(child, X) + lever(parent, X));
    for (int i = 0; i < D; ++i) *g++ = gap[i];
  }
  for (const Product<D, S>& product : mechanism.products_of(rows)) *g++ = value_at(product, X);
  if (rows.screw >= 0) {
    const Screw<D, S>& screw = mechanism.screws[rows.screw];
    *g = value_at(screw.advance, X) - screw.pitch * value_at(screw.angle, X, angles[screw.angle.angle]);
  }
}
/// Second derivatives along the velocities and the accelerations w that the increments do not give.
template <int D, class S>
void set_constraint_accelerations(const RotationlessMechanism<D, S>& mechanism, const PlacedRows<D, S>& rows,
                                  const MotionPair<D, S>& X, std::span<const std::type_identity_t<S>> angles,
                                  std::span<std::type_identity_t<S>> r);
/// Gradients on the left as columns, at the end as rows.
template <int D, class S>
void put_rows(RotationlessWork<D, S>& work, std::type_identity_t<std::span<const PlacedRows<D, S>>> all);
template <int D, class S>
void add_constraint_tangent(RotationlessWork<D, S>& work,
                            std::type_identity_t<std::span<const PlacedRows<D, S>>> all, double kappa,
                            std::span<const std::type_identity_t<S>> unknowns);
/// The largest rate of a constraint.
template <int D, class S>
S constraint_rate(const RotationlessMechanism<D, S>& mechanism, const PlacedRows<D, S>& rows,
                  const Configuration<D, S>& X, const Configuration<D, S>& V) {
  LargestAbsOf<S> largest;
  const auto book = [&](const S& rate) { largest.keep(rate); };
  if (rows.coincident) book(norm(value_at(rows.child_point, V) + value_at(rows.parent_point, V)));
  for (const Product<D, S>& product : mechanism.products_of(rows)) book(rate_at(product, X, V));
  if (rows.screw >= 0) {
    const Screw<D, S>& screw = mechanism.screws[rows.screw];
    const MeasuredPairOf<S> pair = measured_pair(screw.angle, X, X, 0.0, 1.0);
    book(rate_at(screw.advance, X, V) - screw.pitch * rate_at(screw.angle, pair, X, V));
  }
  return largest.value();
}

}  // namespace torsor
