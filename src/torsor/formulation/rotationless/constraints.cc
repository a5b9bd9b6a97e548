#include "torsor/formulation/rotationless/constraints.h"

#include <algorithm>
#include <cmath>

namespace torsor {

template <int D, class S>
void set_row_pairs(const PairView<D, S>& view, std::vector<MeasuredPairOf<S>>& row_pairs) {
  MeasuredPairOf<S>* pair = row_pairs.data();
  for (const Screw<D, S>& screw : view.mechanism.screws) *pair++ = view.measured(screw.angle);
  for (const CoupledCoordinate<D, S>& term : view.mechanism.terms) *pair++ = view.measured(term.coordinate);
}

template <int D, class S>
void push_constraints(RotationlessWork<D, S>& work,
                      std::type_identity_t<std::span<const PlacedRows<D, S>>> all,
                      std::span<const std::type_identity_t<S>> unknowns) {
  const ForceSink<D, S> sink{work.forces};
  for (const PlacedRows<D, S>& rows : all) {
    push_rows(work.mechanism, rows, work.row_pairs, work.X.left, unknowns, sink);
  }
}

template <int D, class S>
void set_constraint_accelerations(const RotationlessMechanism<D, S>& mechanism, const PlacedRows<D, S>& rows,
                                  const MotionPair<D, S>& X, std::span<const std::type_identity_t<S>> angles,
                                  std::span<std::type_identity_t<S>> r) {
  S* g = r.data() + rows.unknown;
  const auto second = [&](const Product<D, S>& product) {
    return rate_at(product, X.right, X.w) + 2 * curvature(product, X.velocity);
  };
  if (rows.coincident) {
    const VecD<D, S> gap = value_at(rows.child_point, X.w) + value_at(rows.parent_point, X.w);
    for (int i = 0; i < D; ++i) *g++ = gap[i];
  }
  for (const Product<D, S>& product : mechanism.products_of(rows)) *g++ = second(product);
  if (rows.screw >= 0) {
    const Screw<D, S>& screw = mechanism.screws[rows.screw];
    *g = second(screw.advance) -
         screw.pitch * coordinate_acceleration(screw.angle, X.right, X.velocity, X.w, angles);
  }
}

namespace {

/// add_force of t times the unit vector along axis i.
template <int D, class S>
[[gnu::always_inline]] inline Row<D, S> unit_force(double t, const VecD<D, S>& c, int i) {
  Row<D, S> row{};
  row[i] = t;
  if constexpr (D == 2) {
    row[2] = i == 0 ? -c.y : c.x;
  } else {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    row[3 + j] = c[k];
    row[3 + k] = -c[j];
  }
  return row;
}

/// One joint's gradients, row by row, to `put(row, left, right)`.
template <int D, class S, class Put>
void for_each_gradient(const RotationlessWork<D, S>& work, const PlacedRows<D, S>& rows, Put&& put) {
  const Configuration<D, S>&left_X = work.X.left, &right_X = work.X.right;
  int row = 0;
  if (rows.coincident) {
    const VecD<D, S> c_l = lever(rows.child_point, left_X), c_r = lever(rows.child_point, right_X);
    const VecD<D, S> p_l = lever(rows.parent_point, left_X), p_r = lever(rows.parent_point, right_X);
#pragma GCC unroll 3
    for (int i = 0; i < D; ++i) {  // unrolled, rows go into the matrix without a stay in memory
      put(row++, PairRow<D, S>{unit_force<D, S>(1, c_l, i), unit_force<D, S>(-1, p_l, i)},
          PairRow<D, S>{unit_force<D, S>(1, c_r, i), unit_force<D, S>(-1, p_r, i)});
    }
  }
  for (const Product<D, S>& product : work.mechanism.products_of(rows)) {
    PairRow<D, S> left, right;
    add_gradient(product, left_X, 1.0, left);
    add_gradient(product, right_X, 1.0, right);
    put(row++, left, right);
  }
  if (rows.screw < 0) return;
  const Screw<D, S>& screw = work.mechanism.screws[rows.screw];
  const MeasuredPairOf<S>& pair = work.row_pairs[rows.screw];
  PairRow<D, S> left, right;
  add_gradient(screw.advance, left_X, 1.0, left);
  add_gradient(screw.advance, right_X, 1.0, right);
  add_scaled(-screw.pitch, discrete_gradient(screw.angle, pair, left_X), left);
  add_scaled(-screw.pitch, end_gradient(screw.angle, pair.b, right_X), right);
  put(row, left, right);
}

}  // namespace

template <int D, class S>
void put_rows(RotationlessWork<D, S>& work, std::type_identity_t<std::span<const PlacedRows<D, S>>> all) {
  constexpr int W = kWidth<D>;
  const int ground = work.mechanism.ground;
  for (const PlacedRows<D, S>& rows : all) {
    const int c = rows.child, p = rows.parent;
    const bool on_tree = rows.border < 0;
    for_each_gradient(work, rows, [&](int row, const PairRow<D, S>& left, const PairRow<D, S>& right) {
      if (!on_tree) {
        const int at = rows.border + row;
        if (c != ground) std::copy_n(left.child.begin(), W, border_entry(work, true, at, c));
        if (c != ground) std::copy_n(right.child.begin(), W, border_entry(work, false, at, c));
        if (p != ground) std::copy_n(left.parent.begin(), W, border_entry(work, true, at, p));
        if (p != ground) std::copy_n(right.parent.begin(), W, border_entry(work, false, at, p));
        return;
      }
      work.kkt.set_row(c, row, left.child.data(), right.child.data(), left.parent.data(),
                       right.parent.data());
    });
  }
}

template <int D, class S>
void add_constraint_tangent(RotationlessWork<D, S>& work,
                            std::type_identity_t<std::span<const PlacedRows<D, S>>> all, double kappa,
                            std::span<const std::type_identity_t<S>> unknowns) {
  const int ground = work.mechanism.ground;
  for (const PlacedRows<D, S>& rows : all) {
    const S* lambda = unknowns.data() + rows.unknown + (rows.coincident ? D : 0);
    for (const Product<D, S>& product : work.mechanism.products_of(rows)) {
      add_tangent(work.kkt, ground, product, work.X.left, work.X.right, kappa * *lambda++);
    }
    if (rows.screw < 0) continue;
    const Screw<D, S>& screw = work.mechanism.screws[rows.screw];
    add_tangent(work.kkt, ground, screw.advance, work.X.left, work.X.right, kappa * *lambda);
    add_tangent(work.kkt, ground, screw.angle, work.row_pairs[rows.screw], work.X.left, work.X.right, kappa,
                -screw.pitch * *lambda, S(0.0));
  }
}

template void set_row_pairs(const PairView<2>&, std::vector<MeasuredPair>&);
template void set_row_pairs(const PairView<3>&, std::vector<MeasuredPair>&);
template void push_constraints(RotationlessWork<2>&, std::span<const PlacedRows<2>>, std::span<const double>);
template void push_constraints(RotationlessWork<3>&, std::span<const PlacedRows<3>>, std::span<const double>);
template void set_constraint_accelerations(const RotationlessMechanism<2>&, const PlacedRows<2>&,
                                           const MotionPair<2>&, std::span<const double>, std::span<double>);
template void set_constraint_accelerations(const RotationlessMechanism<3>&, const PlacedRows<3>&,
                                           const MotionPair<3>&, std::span<const double>, std::span<double>);
template void put_rows(RotationlessWork<2>&, std::span<const PlacedRows<2>>);
template void put_rows(RotationlessWork<3>&, std::span<const PlacedRows<3>>);
template void add_constraint_tangent(RotationlessWork<2>&, std::span<const PlacedRows<2>>, double,
                                     std::span<const double>);
template void add_constraint_tangent(RotationlessWork<3>&, std::span<const PlacedRows<3>>, double,
                                     std::span<const double>);

template void set_row_pairs(const PairView<2, Pack<4>>&, std::vector<MeasuredPairOf<Pack<4>>>&);
template void set_row_pairs(const PairView<3, Pack<4>>&, std::vector<MeasuredPairOf<Pack<4>>>&);
template void push_constraints(RotationlessWork<2, Pack<4>>&, std::span<const PlacedRows<2, Pack<4>>>,
                               std::span<const Pack<4>>);
template void push_constraints(RotationlessWork<3, Pack<4>>&, std::span<const PlacedRows<3, Pack<4>>>,
                               std::span<const Pack<4>>);
template void put_rows(RotationlessWork<2, Pack<4>>&, std::span<const PlacedRows<2, Pack<4>>>);
template void put_rows(RotationlessWork<3, Pack<4>>&, std::span<const PlacedRows<3, Pack<4>>>);
template void add_constraint_tangent(RotationlessWork<2, Pack<4>>&, std::span<const PlacedRows<2, Pack<4>>>,
                                     double, std::span<const Pack<4>>);
template void add_constraint_tangent(RotationlessWork<3, Pack<4>>&, std::span<const PlacedRows<3, Pack<4>>>,
                                     double, std::span<const Pack<4>>);

template void set_row_pairs(const PairView<2, Pack<8>>&, std::vector<MeasuredPairOf<Pack<8>>>&);
template void set_row_pairs(const PairView<3, Pack<8>>&, std::vector<MeasuredPairOf<Pack<8>>>&);
template void push_constraints(RotationlessWork<2, Pack<8>>&, std::span<const PlacedRows<2, Pack<8>>>,
                               std::span<const Pack<8>>);
template void push_constraints(RotationlessWork<3, Pack<8>>&, std::span<const PlacedRows<3, Pack<8>>>,
                               std::span<const Pack<8>>);
template void put_rows(RotationlessWork<2, Pack<8>>&, std::span<const PlacedRows<2, Pack<8>>>);
template void put_rows(RotationlessWork<3, Pack<8>>&, std::span<const PlacedRows<3, Pack<8>>>);
template void add_constraint_tangent(RotationlessWork<2, Pack<8>>&, std::span<const PlacedRows<2, Pack<8>>>,
                                     double, std::span<const Pack<8>>);
template void add_constraint_tangent(RotationlessWork<3, Pack<8>>&, std::span<const PlacedRows<3, Pack<8>>>,
                                     double, std::span<const Pack<8>>);

}  // namespace torsor
