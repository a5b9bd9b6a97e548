#pragma once
// The constraints of joints: their forces on the left, their values and second derivatives, their gradients
// and tangent.

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
void set_constraints(const RotationlessMechanism<D, S>& mechanism, const PlacedRows<D, S>& rows,
                     const Configuration<D, S>& X, std::span<const std::type_identity_t<S>> angles,
                     std::span<std::type_identity_t<S>> r);
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
                  const Configuration<D, S>& X, const Configuration<D, S>& V);

}  // namespace torsor
