#include "torsor/formulation/rotationless/coupling.h"

namespace torsor {

template <int D, class S>
void push_couplings(RotationlessWork<D, S>& work, std::span<const std::type_identity_t<S>> unknowns) {
  const ForceSink<D, S> sink{work.forces};
  for (const CouplingRow<D, S>& row : work.mechanism.couplings) {
    push_coupling(work.mechanism, row, work.row_pairs, work.X.left, unknowns[row.unknown], sink);
  }
}

template <int D, class S>
S coupling_error(const RotationlessMechanism<D, S>& mechanism, const CouplingRow<D, S>& row,
                 const Configuration<D, S>& X, std::span<const std::type_identity_t<S>> angles) {
  S sum = -row.offset;
  for (const auto& [coordinate, factor, joint] : mechanism.terms_of(row)) {
    sum += factor * value_at(coordinate, X, coordinate.angle < 0 ? S(0.0) : angles[coordinate.angle]);
  }
  return sum;
}

template <int D, class S>
S coupling_rate(const RotationlessMechanism<D, S>& mechanism, const CouplingRow<D, S>& row,
                const Configuration<D, S>& X, const Configuration<D, S>& V) {
  S sum(0.0);
  for (const auto& [coordinate, factor, joint] : mechanism.terms_of(row)) {
    sum += factor * rate_at(coordinate, measured_pair(coordinate, X, X, 0.0, 1.0), X, V);
  }
  return sum;
}

template <int D, class S>
S coupling_acceleration(const RotationlessMechanism<D, S>& mechanism, const CouplingRow<D, S>& row,
                        const MotionPair<D, S>& X, std::span<const std::type_identity_t<S>> angles) {
  S sum(0.0);
  for (const auto& [coordinate, factor, joint] : mechanism.terms_of(row)) {
    sum += factor * coordinate_acceleration(coordinate, X.right, X.velocity, X.w, angles);
  }
  return sum;
}

template <int D, class S>
void put_couplings(RotationlessWork<D, S>& work) {
  const RotationlessMechanism<D, S>& mechanism = work.mechanism;
  for (const CouplingRow<D, S>& row : mechanism.couplings) {
    const auto add = [&](bool left, int node, const S& factor, const Row<D, S>& gradient) {
      if (node == mechanism.ground) return;
      S* out = border_entry(work, left, row.border, node);
      for (int k = 0; k < kWidth<D>; ++k) out[k] += factor * gradient[k];
    };
    const MeasuredPairOf<S>* pair = &work.row_pairs[mechanism.screws.size() + row.first_term];
    for (const auto& [coordinate, factor, joint] : mechanism.terms_of(row)) {
      const PairRow<D, S> left = discrete_gradient(coordinate, *pair, work.X.left);
      const PairRow<D, S> right = end_gradient(coordinate, pair->b, work.X.right);
      add(true, coordinate.child, factor, left.child);
      add(true, coordinate.parent, factor, left.parent);
      add(false, coordinate.child, factor, right.child);
      add(false, coordinate.parent, factor, right.parent);
      ++pair;
    }
  }
}

template <int D, class S>
void add_coupling_tangent(RotationlessWork<D, S>& work, double kappa,
                          std::span<const std::type_identity_t<S>> unknowns) {
  const RotationlessMechanism<D, S>& mechanism = work.mechanism;
  for (const CouplingRow<D, S>& row : mechanism.couplings) {
    const MeasuredPairOf<S>* pair = &work.row_pairs[mechanism.screws.size() + row.first_term];
    for (const auto& [coordinate, factor, joint] : mechanism.terms_of(row)) {
      add_tangent(work.kkt, mechanism.ground, coordinate, *pair++, work.X.left, work.X.right, kappa,
                  factor * unknowns[row.unknown], S(0.0));
    }
  }
}

template void push_couplings(RotationlessWork<2>&, std::span<const double>);
template void push_couplings(RotationlessWork<3>&, std::span<const double>);
template double coupling_error(const RotationlessMechanism<2>&, const CouplingRow<2>&,
                               const Configuration<2>&, std::span<const double>);
template double coupling_error(const RotationlessMechanism<3>&, const CouplingRow<3>&,
                               const Configuration<3>&, std::span<const double>);
template double coupling_rate(const RotationlessMechanism<2>&, const CouplingRow<2>&, const Configuration<2>&,
                              const Configuration<2>&);
template double coupling_rate(const RotationlessMechanism<3>&, const CouplingRow<3>&, const Configuration<3>&,
                              const Configuration<3>&);
template double coupling_acceleration(const RotationlessMechanism<2>&, const CouplingRow<2>&,
                                      const MotionPair<2>&, std::span<const double>);
template double coupling_acceleration(const RotationlessMechanism<3>&, const CouplingRow<3>&,
                                      const MotionPair<3>&, std::span<const double>);
template void put_couplings(RotationlessWork<2>&);
template void put_couplings(RotationlessWork<3>&);
template void add_coupling_tangent(RotationlessWork<2>&, double, std::span<const double>);
template void add_coupling_tangent(RotationlessWork<3>&, double, std::span<const double>);

template void push_couplings(RotationlessWork<2, Pack<4>>&, std::span<const Pack<4>>);
template void push_couplings(RotationlessWork<3, Pack<4>>&, std::span<const Pack<4>>);
template Pack<4> coupling_error(const RotationlessMechanism<2, Pack<4>>&, const CouplingRow<2, Pack<4>>&,
                                const Configuration<2, Pack<4>>&, std::span<const Pack<4>>);
template Pack<4> coupling_error(const RotationlessMechanism<3, Pack<4>>&, const CouplingRow<3, Pack<4>>&,
                                const Configuration<3, Pack<4>>&, std::span<const Pack<4>>);
template Pack<4> coupling_rate(const RotationlessMechanism<2, Pack<4>>&, const CouplingRow<2, Pack<4>>&,
                               const Configuration<2, Pack<4>>&, const Configuration<2, Pack<4>>&);
template Pack<4> coupling_rate(const RotationlessMechanism<3, Pack<4>>&, const CouplingRow<3, Pack<4>>&,
                               const Configuration<3, Pack<4>>&, const Configuration<3, Pack<4>>&);
template void put_couplings(RotationlessWork<2, Pack<4>>&);
template void put_couplings(RotationlessWork<3, Pack<4>>&);
template void add_coupling_tangent(RotationlessWork<2, Pack<4>>&, double, std::span<const Pack<4>>);
template void add_coupling_tangent(RotationlessWork<3, Pack<4>>&, double, std::span<const Pack<4>>);

template void push_couplings(RotationlessWork<2, Pack<8>>&, std::span<const Pack<8>>);
template void push_couplings(RotationlessWork<3, Pack<8>>&, std::span<const Pack<8>>);
template Pack<8> coupling_error(const RotationlessMechanism<2, Pack<8>>&, const CouplingRow<2, Pack<8>>&,
                                const Configuration<2, Pack<8>>&, std::span<const Pack<8>>);
template Pack<8> coupling_error(const RotationlessMechanism<3, Pack<8>>&, const CouplingRow<3, Pack<8>>&,
                                const Configuration<3, Pack<8>>&, std::span<const Pack<8>>);
template Pack<8> coupling_rate(const RotationlessMechanism<2, Pack<8>>&, const CouplingRow<2, Pack<8>>&,
                               const Configuration<2, Pack<8>>&, const Configuration<2, Pack<8>>&);
template Pack<8> coupling_rate(const RotationlessMechanism<3, Pack<8>>&, const CouplingRow<3, Pack<8>>&,
                               const Configuration<3, Pack<8>>&, const Configuration<3, Pack<8>>&);
template void put_couplings(RotationlessWork<2, Pack<8>>&);
template void put_couplings(RotationlessWork<3, Pack<8>>&);
template void add_coupling_tangent(RotationlessWork<2, Pack<8>>&, double, std::span<const Pack<8>>);
template void add_coupling_tangent(RotationlessWork<3, Pack<8>>&, double, std::span<const Pack<8>>);

}  // namespace torsor
