#pragma once
// Where elements write the derivatives of their forces by the increments (u, y) of bodies: the matrix of a
// step in the chart.

#include <span>

#include "torsor/formulation/elements/element.h"

namespace torsor {

/// How a point of a body with this lever moves by entry j of (u, y).
template <int D, class S>
VecD<D, S> arm_column(double t, const VecD<D, S>& lever, int j) {
  VecD<D, S> unit{};
  if (j < D) {
    unit[j] = t;
    return unit;
  }
  if constexpr (D == 2) {
    return perp(lever);
  } else {
    unit[j - D] = 1.0;
    return cross(unit, lever);
  }
}

template <int D, class S = double>
struct ChartSink {
  static constexpr bool kByRate = false;  ///< rates grow with the increments by the velocity gain
  BodyKkt<D, S>& K;
  const PairView<D, S>& view;

  bool is_body(int node) const { return node != view.mechanism.ground; }

  /// The force h axis on an arm, the axis an arm, too: K += h Q_on^T Q_by.
  void arms(const Arm<D, S>& on, const Arm<D, S>& by, const S& h) const {
    add_arms<D>(K, view.mechanism.ground, on, lever(on, view.X.left), by, lever(by, view.X.right), h);
  }
  /// The force H q on an arm, with the move q of another: K += Q_on^T H Q_by, levers on the left and right.
  void arms(const Arm<D, S>& on, const Arm<D, S>& by, const SquareD<D, S>& H) const {
    if (is_body(on.node)) force_on(on.node, on.t, lever(on, view.X.left), by, H);
  }
  void arms_by_rate(const Arm<D, S>&, const Arm<D, S>&, const SquareD<D, S>&) const {}
  /// Likewise on a body at a place that is not its own, of which this is the lever.
  void carried(int carrier, const VecD<D, S>& lever_on, const Arm<D, S>& by, const SquareD<D, S>& H) const {
    force_on(carrier, 1, lever_on, by, H);
  }
  /// By the lever of a force on a carried place; the force has the share kappa in it.
  void carried_lever(int carrier, const Arm<D, S>& place, const VecD<D, S>& force) const {
    const auto add = [&](int node, int j, const VecD<D, S>& motion) {
      const BlockViewOf<S> block = node_block<D>(K, carrier, node);
      Row<D, S> change{};
      add_force<D>(0, motion, force, change.data());
      for (int k = D; k < kWidth<D>; ++k) block(k, j) += change[k];
    };
    const VecD<D, S> lever_r = lever(place, view.X.right);
    for (int j = 0; is_body(place.node) && j < kWidth<D>; ++j) {
      add(place.node, j, arm_column<D, S>(place.t, lever_r, j));
    }
    for (int j = 0; j < D; ++j) add(carrier, j, arm_column<D, S>(-1, {}, j));
  }
  /// An effort against a coordinate, of which it changes by the slope.
  void measure(const Measure<D, S>& coordinate, const MeasuredPairOf<S>& pair, const S& effort,
               const S& slope, const S& /*by_rate*/) const {
    add_tangent(K, view.mechanism.ground, coordinate, pair, view.X.left, view.X.right, view.point.kappa,
                effort, slope);
  }
  /// The slope of an effort against one coordinate by another.
  void measures(const Measure<D>& on, const MeasuredPair& on_pair, const Measure<D>& by,
                const MeasuredPair& by_pair, double slope, double /*by_rate*/) const {
    const PairRow<D> left = discrete_gradient(on, on_pair, view.X.left),
                     right = end_gradient(by, by_pair.b, view.X.right);
    const auto add = [&](int a, const Row<D>& l, int b, const Row<D>& r) {
      if (!is_body(a) || !is_body(b)) return;
      const BlockView block = node_block<D>(K, a, b);
      for (int i = 0; i < kWidth<D>; ++i) {
        for (int j = 0; j < kWidth<D>; ++j) block(i, j) += slope * l[i] * r[j];
      }
    };
    add(on.child, left.child, by.child, right.child);
    add(on.child, left.child, by.parent, right.parent);
    add(on.parent, left.parent, by.child, right.child);
    add(on.parent, left.parent, by.parent, right.parent);
  }
  /// An effort against a sum of products of two bodies, likewise.
  void products(std::span<const Product<D, S>> sum, const S& effort, const S& slope) const {
    PairRow<D, S> left, right;
    for (const Product<D, S>& product : sum) {
      add_tangent(K, view.mechanism.ground, product, view.X.left, view.X.right, view.point.kappa * effort);
      add_gradient(product, view.X.left, 1.0, left);
      add_gradient(product, view.X.right, 1.0, right);
    }
    for (S& entry : left.child) entry *= slope;
    for (S& entry : left.parent) entry *= slope;
    add_outer(K, view.mechanism.ground, sum[0].child.node, sum[0].axis.node, left, right);
  }
  /// A moment on the child, with its reaction on the parent, by the turn of a node and by its spin.
  void spin(int child, int parent, int node, const TurnD<D, S>& by_turn, const TurnD<D, S>& by_spin) const {
    if (!is_body(node)) return;
    const TurnD<D, S> total = by_turn + by_spin * spin_by_turn(node);
    turn(child, node, 1, total);
    turn(parent, node, -1, total);
  }

 private:
  /// d Omega = gain dcay^-1(omega) y, omega = Omega / gain.
  TurnD<D, S> spin_by_turn(int node) const {
    const double gain = view.point.velocity_gain;
    if constexpr (D == 2) {
      if (gain == 0) return S(0.0);
      return gain * cayley_rate(S(view.spin(node) / gain), 1.0);
    } else {
      if (gain == 0) return {};
      const Vec3<S> omega = (1 / gain) * view.spin(node);
      return gain * (Mat3<S>::identity() - 0.5 * hat(omega) + 0.25 * outer(omega, omega));
    }
  }
  void turn(int on, int by, double sign, const TurnD<D, S>& M) const {
    if (!is_body(on)) return;
    const BlockViewOf<S> block = node_block<D>(K, on, by);
    if constexpr (D == 2) {
      block(2, 2) += sign * M;
    } else {
      const S rows[3][3] = {{M.xx, M.xy, M.xz}, {M.yx, M.yy, M.yz}, {M.zx, M.zy, M.zz}};
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) block(D + i, D + j) += sign * rows[i][j];
      }
    }
  }
  void force_on(int node, double t, const VecD<D, S>& lever_on, const Arm<D, S>& by,
                const SquareD<D, S>& H) const {
    if (!is_body(by.node)) return;
    const BlockViewOf<S> block = node_block<D>(K, node, by.node);
    const VecD<D, S> c = lever(by, view.X.right);
    std::array<Row<D, S>, D> HQ;  // H Q_by, rows of it: H e_j, and h . (e_j x c) = e_j . (c x h)
    for (int k = 0; k < D; ++k) {
      VecD<D, S> h;
      for (int l = 0; l < D; ++l) h[l] = H[D * k + l];
      HQ[k] = {};
      add_force<D>(by.t, c, h, HQ[k].data());
    }
    const VecD<D, S>& a = lever_on;
    for (int j = 0; j < kWidth<D>; ++j) {
      for (int k = 0; k < D; ++k) block(k, j) += t * HQ[k][j];
      if constexpr (D == 2) {
        block(2, j) += a[0] * HQ[1][j] - a[1] * HQ[0][j];
      } else {
        for (int k = 0; k < 3; ++k) {
          const int l = (k + 1) % 3, m = (k + 2) % 3;
          block(3 + k, j) += a[l] * HQ[m][j] - a[m] * HQ[l][j];
        }
      }
    }
  }
};

}  // namespace torsor
