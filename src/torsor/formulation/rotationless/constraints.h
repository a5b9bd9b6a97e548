#pragma once
// The constraints of joints: their forces on the left, their values and second derivatives, their gradients
// and tangent.

#include "torsor/formulation/rotationless/work.h"

namespace torsor {

/// At the pair that is loaded.
template <int D>
void set_row_pairs(const PairView<D>& view, std::vector<MeasuredPair>& row_pairs);
template <int D>
void set_row_pairs(RotationlessWork<D>& work, const ConstrainedPoint& point) {
  set_row_pairs(work.view(point, {}), work.row_pairs);
}
/// Adds G^T lambda to the forces.
template <int D>
void push_constraints(RotationlessWork<D>& work, std::span<const PlacedRows<D>> all,
                      std::span<const double> unknowns);
/// Hands the forces of one joint's multipliers to `sink(arm, force)`.
template <int D, class Sink>
void push_rows(const RotationlessMechanism<D>& mechanism, const PlacedRows<D>& rows,
               const std::vector<MeasuredPair>& row_pairs, const Configuration<D>& left,
               std::span<const double> unknowns, Sink&& sink) {
  const double* lambda = unknowns.data() + rows.unknown;
  if (rows.coincident) {
    VecD<D> force;
    for (int i = 0; i < D; ++i) force[i] = *lambda++;
    sink(rows.child_point, force);
    sink(rows.parent_point, force);
  }
  for (const Product<D>& product : mechanism.products_of(rows)) push_gradient(product, left, *lambda++, sink);
  if (rows.screw < 0) return;
  const Screw<D>& screw = mechanism.screws[rows.screw];
  push_gradient(screw.advance, left, *lambda, sink);
  push_gradient(screw.angle, row_pairs[rows.screw], left, -screw.pitch * *lambda, sink);
}

/// Values at X, into the rows of r.
template <int D>
void set_constraints(const RotationlessMechanism<D>& mechanism, const PlacedRows<D>& rows,
                     const Configuration<D>& X, std::span<const double> angles, std::span<double> r);
/// Second derivatives along the velocities and the accelerations w that the increments do not give.
template <int D>
void set_constraint_accelerations(const RotationlessMechanism<D>& mechanism, const PlacedRows<D>& rows,
                                  const MotionPair<D>& X, std::span<const double> angles,
                                  std::span<double> r);
/// Gradients on the left as columns, at the end as rows.
template <int D>
void put_rows(RotationlessWork<D>& work, std::span<const PlacedRows<D>> all);
template <int D>
void add_constraint_tangent(RotationlessWork<D>& work, std::span<const PlacedRows<D>> all, double kappa,
                            std::span<const double> unknowns);
/// The largest rate of a constraint.
template <int D>
double constraint_rate(const RotationlessMechanism<D>& mechanism, const PlacedRows<D>& rows,
                       const Configuration<D>& X, const Configuration<D>& V);

}  // namespace torsor
