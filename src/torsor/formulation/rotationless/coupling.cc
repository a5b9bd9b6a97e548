#include "torsor/formulation/rotationless/coupling.h"

namespace torsor {

template <int D>
void push_couplings(RotationlessWork<D>& work, std::span<const double> unknowns) {
  const ForceSink<D> sink{work.forces};
  for (const CouplingRow<D>& row : work.mechanism.couplings) {
    push_coupling(work.mechanism, row, work.row_pairs, work.X.left, unknowns[row.unknown], sink);
  }
}

template <int D>
double coupling_error(const RotationlessMechanism<D>& mechanism, const CouplingRow<D>& row,
                      const Configuration<D>& X, std::span<const double> angles) {
  double sum = -row.offset;
  for (const auto& [coordinate, factor, joint] : mechanism.terms_of(row)) {
    sum += factor * value_at(coordinate, X, coordinate.angle < 0 ? 0 : angles[coordinate.angle]);
  }
  return sum;
}

template <int D>
double coupling_rate(const RotationlessMechanism<D>& mechanism, const CouplingRow<D>& row,
                     const Configuration<D>& X, const Configuration<D>& V) {
  double sum = 0;
  for (const auto& [coordinate, factor, joint] : mechanism.terms_of(row)) {
    sum += factor * rate_at(coordinate, measured_pair(coordinate, X, X, 0.0, 1.0), X, V);
  }
  return sum;
}

template <int D>
double coupling_acceleration(const RotationlessMechanism<D>& mechanism, const CouplingRow<D>& row,
                             const MotionPair<D>& X, std::span<const double> angles) {
  double sum = 0;
  for (const auto& [coordinate, factor, joint] : mechanism.terms_of(row)) {
    sum += factor * coordinate_acceleration(coordinate, X.right, X.velocity, X.w, angles);
  }
  return sum;
}

template <int D>
void put_couplings(RotationlessWork<D>& work) {
  const RotationlessMechanism<D>& mechanism = work.mechanism;
  for (const CouplingRow<D>& row : mechanism.couplings) {
    const auto add = [&](bool left, int node, double factor, const Row<D>& gradient) {
      if (node == mechanism.ground) return;
      double* out = border_entry(work, left, row.border, node);
      for (int k = 0; k < kWidth<D>; ++k) out[k] += factor * gradient[k];
    };
    const MeasuredPair* pair = &work.row_pairs[mechanism.screws.size() + row.first_term];
    for (const auto& [coordinate, factor, joint] : mechanism.terms_of(row)) {
      const PairRow<D> left = discrete_gradient(coordinate, *pair, work.X.left);
      const PairRow<D> right = end_gradient(coordinate, pair->b, work.X.right);
      add(true, coordinate.child, factor, left.child);
      add(true, coordinate.parent, factor, left.parent);
      add(false, coordinate.child, factor, right.child);
      add(false, coordinate.parent, factor, right.parent);
      ++pair;
    }
  }
}

template <int D>
void add_coupling_tangent(RotationlessWork<D>& work, double kappa, std::span<const double> unknowns) {
  const RotationlessMechanism<D>& mechanism = work.mechanism;
  for (const CouplingRow<D>& row : mechanism.couplings) {
    const MeasuredPair* pair = &work.row_pairs[mechanism.screws.size() + row.first_term];
    for (const auto& [coordinate, factor, joint] : mechanism.terms_of(row)) {
      add_tangent(work.kkt, mechanism.ground, coordinate, *pair++, work.X.left, work.X.right, kappa,
                  factor * unknowns[row.unknown], 0.0);
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

}  // namespace torsor
