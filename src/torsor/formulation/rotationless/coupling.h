#pragma once
// Couplings of joint coordinates, sum of c_i theta_i = offset, as rows of the border: along the discrete
// gradients of the coordinates their forces do no work in a step in which the sum does not change.

#include "torsor/formulation/rotationless/work.h"

namespace torsor {

/// Adds the forces of the couplings' multipliers.
template <int D, class Sink>
void push_coupling(const RotationlessMechanism<D>& mechanism, const CouplingRow<D>& row,
                   const std::vector<MeasuredPair>& row_pairs, const Configuration<D>& left, double lambda,
                   Sink&& sink) {
  const MeasuredPair* pair = &row_pairs[mechanism.screws.size() + row.first_term];
  for (const CoupledCoordinate<D>& term : mechanism.terms_of(row)) {
    push_gradient(term.coordinate, *pair++, left, term.factor * lambda, sink);
  }
}
template <int D>
void push_couplings(RotationlessWork<D>& work, std::span<const double> unknowns);

/// The sum minus the offset, its rate and its second derivative, as those of joints in constraints.h.
template <int D>
double coupling_error(const RotationlessMechanism<D>& mechanism, const CouplingRow<D>& row,
                      const Configuration<D>& X, std::span<const double> angles);
template <int D>
double coupling_rate(const RotationlessMechanism<D>& mechanism, const CouplingRow<D>& row,
                     const Configuration<D>& X, const Configuration<D>& V);
template <int D>
double coupling_acceleration(const RotationlessMechanism<D>& mechanism, const CouplingRow<D>& row,
                             const MotionPair<D>& X, std::span<const double> angles);

/// Gradients on the left as columns, at the end as rows; and what follows from gradients that turn.
template <int D>
void put_couplings(RotationlessWork<D>& work);
template <int D>
void add_coupling_tangent(RotationlessWork<D>& work, double kappa, std::span<const double> unknowns);

}  // namespace torsor
