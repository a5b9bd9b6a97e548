#pragma once
// Couplings of joint coordinates, sum of c_i theta_i = offset, as rows of the border: along the discrete
// gradients of the coordinates their forces do no work in a step in which the sum does not change.

#include "torsor/formulation/rotationless/work.h"

namespace torsor {

/// Adds the forces of the couplings' multipliers.
template <int D, class S, class Sink>
void push_coupling(const RotationlessMechanism<D, S>& mechanism, const CouplingRow<D, S>& row,
                   const std::vector<MeasuredPairOf<S>>& row_pairs, const Configuration<D, S>& left,
                   const std::type_identity_t<S>& lambda, Sink&& sink) {
  const MeasuredPairOf<S>* pair = &row_pairs[mechanism.screws.size() + row.first_term];
  for (const CoupledCoordinate<D, S>& term : mechanism.terms_of(row)) {
    push_gradient(term.coordinate, *pair++, left, term.factor * lambda, sink);
  }
}
template <int D, class S>
void push_couplings(RotationlessWork<D, S>& work, std::span<const std::type_identity_t<S>> unknowns);

/// The sum minus the offset, its rate and its second derivative, as those of joints in constraints.h.
template <int D, class S>
S coupling_error(const RotationlessMechanism<D, S>& mechanism, const CouplingRow<D, S>& row,
                 const Configuration<D, S>& X, std::span<const std::type_identity_t<S>> angles);
template <int D, class S>
S coupling_rate(const RotationlessMechanism<D, S>& mechanism, const CouplingRow<D, S>& row,
                const Configuration<D, S>& X, const Configuration<D, S>& V);
template <int D, class S>
S coupling_acceleration(const RotationlessMechanism<D, S>& mechanism, const CouplingRow<D, S>& row,
                        const MotionPair<D, S>& X, std::span<const std::type_identity_t<S>> angles);

/// Gradients on the left as columns, at the end as rows; and what follows from gradients that turn.
template <int D, class S>
void put_couplings(RotationlessWork<D, S>& work);
template <int D, class S>
void add_coupling_tangent(RotationlessWork<D, S>& work, double kappa,
                          std::span<const std::type_identity_t<S>> unknowns);

}  // namespace torsor
