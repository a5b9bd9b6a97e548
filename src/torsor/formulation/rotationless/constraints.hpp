#pragma once
// The constraints of joints: their forces on the left, their values and second derivatives, their gradients
// and tangent.

#include <algorithm>
#include <cmath>

#include "torsor/formulation/rotationless/rotationless.h"

namespace torsor {

template <int D>
void Rotationless<D>::push_constraints(const PlacedRows& rows, const ConstrainedPoint& point,
                                       std::span<const double> unknowns) {
  const double* lambda = unknowns.data() + rows.unknown;
  const auto push_arm = [this](const Arm<D>& arm, const VecD<D>& force) { push(arm, force); };
  if (rows.coincident) {
    VecD<D> force;
    for (int i = 0; i < D; ++i) force[i] = *lambda++;
    push(rows.child_point, force);
    push(rows.parent_point, force);
  }
  for (const Product<D>& product : products(rows)) push_gradient(product, left_, *lambda++, push_arm);
  if (rows.screw < 0) return;
  PlacedScrew& screw = screws_[rows.screw];
  screw.pair = pair_of(screw.law.angle, point);
  push_gradient(screw.law.advance, left_, *lambda, push_arm);
  push_gradient(screw.law.angle, screw.pair, left_, -screw.law.pitch * *lambda, push_arm);
}

template <int D>
void Rotationless<D>::set_constraints(const PlacedRows& rows, std::span<const double> angles,
                                      std::span<double> r) const {
  double* g = &r[rows.unknown];
  if (rows.coincident) {
    const VecD<D> gap = value(rows.child_point, right_) + value(rows.parent_point, right_);
    for (int i = 0; i < D; ++i) *g++ = gap[i];
  }
  for (const Product<D>& product : products(rows)) *g++ = value(product, right_);
  if (rows.screw >= 0) {
    const Screw<D>& screw = screws_[rows.screw].law;
    *g = value(screw.advance, right_) - screw.pitch * value(screw.angle, right_, angles[screw.angle.angle]);
  }
}

/// Second derivatives of the constraints along the velocities and the accelerations w that the increments do
/// not give.
template <int D>
void Rotationless<D>::set_constraint_accelerations(const PlacedRows& rows, std::span<const double> angles,
                                                   std::span<double> r) const {
  double* g = &r[rows.unknown];
  const auto second = [&](const Product<D>& product) {
    return rate(product, right_, w_) + 2 * curvature(product, velocity_);
  };
  if (rows.coincident) {
    const VecD<D> gap = value(rows.child_point, w_) + value(rows.parent_point, w_);
    for (int i = 0; i < D; ++i) *g++ = gap[i];
  }
  for (const Product<D>& product : products(rows)) *g++ = second(product);
  if (rows.screw >= 0) {
    const Screw<D>& screw = screws_[rows.screw].law;
    *g = second(screw.advance) - screw.pitch * coordinate_acceleration(screw.angle, angles);
  }
}

/// theta'' = cos(theta) s'' - sin(theta) c''; of a displacement the second derivative itself.
template <int D>
double Rotationless<D>::coordinate_acceleration(const Measure<D>& measure,
                                                std::span<const double> angles) const {
  const auto second = [&](const Product<D>& product) {
    return rate(product, right_, w_) + 2 * curvature(product, velocity_);
  };
  if (measure.displacement) return second(*measure.displacement);
  const double angle = value(measure, right_, angles[measure.angle]);
  double total = 0;
  for (const Product<D>& product : measure.sine) total += std::cos(angle) * second(product);
  for (const Product<D>& product : measure.cosine) total -= std::sin(angle) * second(product);
  return total;
}

template <int D>
double* Rotationless<D>::border_entry(bool left, int row, int node) {
  const std::vector<int>& bodies = pattern_.border[row];
  const int k = static_cast<int>(std::find(bodies.begin(), bodies.end(), node) - bodies.begin());
  return left ? kkt_.border_left(row, k) : kkt_.border_right(row, k);
}

/// Gradients of the constraints on the left as columns, at the end as rows.
template <int D>
void Rotationless<D>::put_rows(const PlacedRows& rows) {
  constexpr int W = kWidth<D>;
  const int c = rows.child, p = rows.parent;
  const auto put = [&](int row, const PairRow<D>& left, const PairRow<D>& right) {
    if (rows.border >= 0) {
      const int at = rows.border + row;
      if (c != ground_) std::copy_n(left.child.begin(), W, border_entry(true, at, c));
      if (c != ground_) std::copy_n(right.child.begin(), W, border_entry(false, at, c));
      if (p != ground_) std::copy_n(left.parent.begin(), W, border_entry(true, at, p));
      if (p != ground_) std::copy_n(right.parent.begin(), W, border_entry(false, at, p));
      return;
    }
    const BlockView pivot = kkt_.pivot(c);
    for (int i = 0; i < W; ++i) pivot(i, W + row) = left.child[i];
    for (int i = 0; i < W; ++i) pivot(W + row, i) = right.child[i];
    if (p == ground_) return;
    const BlockView to_parent = kkt_.left(c), from_parent = kkt_.right(c);
    for (int i = 0; i < W; ++i) to_parent(i, row) = left.parent[i];
    for (int i = 0; i < W; ++i) from_parent(row, i) = right.parent[i];
  };
  int row = 0;
  if (rows.coincident) {
    const VecD<D> c_l = lever(rows.child_point, left_), c_r = lever(rows.child_point, right_);
    const VecD<D> p_l = lever(rows.parent_point, left_), p_r = lever(rows.parent_point, right_);
    for (int i = 0; i < D; ++i) {
      VecD<D> unit{};
      unit[i] = 1;
      PairRow<D> left, right;
      add_force<D>(1, c_l, unit, left.child.data());
      add_force<D>(1, c_r, unit, right.child.data());
      add_force<D>(-1, p_l, unit, left.parent.data());
      add_force<D>(-1, p_r, unit, right.parent.data());
      put(row++, left, right);
    }
  }
  for (const Product<D>& product : products(rows)) {
    PairRow<D> left, right;
    add_gradient(product, left_, 1.0, left);
    add_gradient(product, right_, 1.0, right);
    put(row++, left, right);
  }
  if (rows.screw < 0) return;
  const auto& [screw, pair] = screws_[rows.screw];
  PairRow<D> left, right;
  add_gradient(screw.advance, left_, 1.0, left);
  add_gradient(screw.advance, right_, 1.0, right);
  add_scaled(-screw.pitch, discrete_gradient(screw.angle, pair, left_), left);
  add_scaled(-screw.pitch, end_gradient(screw.angle, pair.b, right_), right);
  put(row, left, right);
}

template <int D>
void Rotationless<D>::add_constraint_tangent(const PlacedRows& rows, double kappa,
                                             std::span<const double> unknowns) {
  const double* lambda = unknowns.data() + rows.unknown + (rows.coincident ? D : 0);
  for (const Product<D>& product : products(rows)) {
    add_tangent(kkt_, ground_, product, left_, right_, kappa * *lambda++);
  }
  if (rows.screw < 0) return;
  const auto& [screw, pair] = screws_[rows.screw];
  add_tangent(kkt_, ground_, screw.advance, left_, right_, kappa * *lambda);
  add_tangent(kkt_, ground_, screw.angle, pair, left_, right_, kappa, -screw.pitch * *lambda, 0.0);
}

}  // namespace torsor
