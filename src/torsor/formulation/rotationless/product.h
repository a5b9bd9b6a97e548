#pragma once
// Scalar products of vectors on two bodies: what every joint constraint and joint coordinate of the
// rotationless formulation is made of. They are quadratic in the coordinates, so that their gradient at the
// midpoint is their discrete gradient (Uhlar-Betsch 4.1.1).

#include <span>

#include "torsor/formulation/rotationless/body.h"
#include "torsor/numerics/tree_kkt.h"

namespace torsor {

/// weight (child + parent) . axis: `child` is an arm of the child body, `parent` and `axis` of the parent.
template <int D>
struct Product {
  Arm<D> child, parent, axis;
  double weight = 1;
};

template <int D>
double value_at(const Product<D>& p, const Configuration<D>& X) {
  return p.weight * dot(value_at(p.child, X) + value_at(p.parent, X), value_at(p.axis, X));
}

/// By (u, y) of the child and of the parent.
template <int D>
struct PairRow {
  Row<D> child{}, parent{};
};

template <int D>
void add_scaled(double scale, const PairRow<D>& from, PairRow<D>& to) {
  for (int i = 0; i < kWidth<D>; ++i) {
    to.child[i] += scale * from.child[i];
    to.parent[i] += scale * from.parent[i];
  }
}

/// Adds `scale` times the gradient at X.
template <int D>
void add_gradient(const Product<D>& p, const Configuration<D>& X, double scale, PairRow<D>& row) {
  const VecD<D> c = lever(p.child, X), b = lever(p.parent, X), a = lever(p.axis, X);
  const VecD<D> along = (scale * p.weight) * (p.axis.t * X[p.axis.node].phi + a);
  const VecD<D> between =
      (scale * p.weight) * (p.child.t * X[p.child.node].phi + c + p.parent.t * X[p.parent.node].phi + b);
  add_force<D>(p.child.t, c, along, row.child.data());
  add_force<D>(p.parent.t, b, along, row.parent.data());
  add_force<D>(p.axis.t, a, between, row.parent.data());
}

/// Its rate at X along velocities V.
template <int D>
double rate_at(const Product<D>& p, const Configuration<D>& X, const Configuration<D>& V) {
  return p.weight * (dot(value_at(p.child, V) + value_at(p.parent, V), value_at(p.axis, X)) +
                     dot(value_at(p.child, X) + value_at(p.parent, X), value_at(p.axis, V)));
}
/// Half of what the second derivative of it adds to accelerations: d^2/dt^2 = gradient . a + 2 curvature.
template <int D>
double curvature(const Product<D>& p, const Configuration<D>& V) {
  return p.weight * dot(value_at(p.child, V) + value_at(p.parent, V), value_at(p.axis, V));
}

/// Hands `scale` times the gradient at X to `push(arm, force)`, arm by arm.
template <int D, class Push>
void push_gradient(const Product<D>& p, const Configuration<D>& X, double scale, Push&& push) {
  const double s = scale * p.weight;
  const VecD<D> along = s * value_at(p.axis, X);
  push(p.child, along);
  push(p.parent, along);
  push(p.axis, s * (value_at(p.child, X) + value_at(p.parent, X)));
}

/// The linear system of a step, without the ground.
template <int D>
using BodyKkt = TreeKkt<kWidth<D>>;

template <int D>
BlockView node_block(BodyKkt<D>& K, int row, int column) {
  return row == column ? K.pivot(row) : K.block(row, column);
}

/// K += h Q_a^T Q_b for arms with levers a (left) and b (right): Q = [t, -c x].
template <int D>
void add_arms(BodyKkt<D>& K, int ground, const Arm<D>& left, const VecD<D>& a, const Arm<D>& right,
              const VecD<D>& b, double h) {
  if (left.node == ground || right.node == ground) return;
  const BlockView block = node_block<D>(K, left.node, right.node);
  const double tt = h * left.t * right.t, ta = h * left.t, tb = h * right.t;
  for (int i = 0; i < D; ++i) block(i, i) += tt;
  if constexpr (D == 2) {
    block(0, 2) -= ta * b.y;
    block(1, 2) += ta * b.x;
    block(2, 0) -= tb * a.y;
    block(2, 1) += tb * a.x;
    block(2, 2) += h * dot(a, b);
  } else {
    block(0, 4) += ta * b.z, block(0, 5) -= ta * b.y;
    block(1, 3) -= ta * b.z, block(1, 5) += ta * b.x;
    block(2, 3) += ta * b.y, block(2, 4) -= ta * b.x;
    block(3, 1) -= tb * a.z, block(3, 2) += tb * a.y;
    block(4, 0) += tb * a.z, block(4, 2) -= tb * a.x;
    block(5, 0) -= tb * a.y, block(5, 1) += tb * a.x;
    const double ab = dot(a, b);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) block(3 + i, 3 + j) -= h * b[i] * a[j];
      block(3 + i, 3 + i) += h * ab;
    }
  }
}

/// The derivative of `force` times the gradient on the left by the configuration on the right, of which the
/// left one takes the share kappa; the part by turning levers is added body by body (add_turning).
template <int D>
void add_tangent(BodyKkt<D>& K, int ground, const Product<D>& p, const Configuration<D>& left,
                 const Configuration<D>& right, double force) {
  const double h = force * p.weight;
  const VecD<D> a_l = lever(p.axis, left), a_r = lever(p.axis, right);
  const auto cross_terms = [&](const Arm<D>& arm) {
    add_arms<D>(K, ground, arm, lever(arm, left), p.axis, a_r, h);
    add_arms<D>(K, ground, p.axis, a_l, arm, lever(arm, right), h);
  };
  cross_terms(p.child);
  if (p.parent.t != 0) cross_terms(p.parent);
}

/// K += left right^T over the bodies of a pair.
template <int D>
void add_outer(BodyKkt<D>& K, int ground, int child, int parent, const PairRow<D>& left,
               const PairRow<D>& right) {
  const auto add = [&](int a, const Row<D>& l, int b, const Row<D>& r) {
    if (a == ground || b == ground) return;
    const BlockView block = node_block<D>(K, a, b);
    for (int i = 0; i < kWidth<D>; ++i) {
      for (int j = 0; j < kWidth<D>; ++j) block(i, j) += l[i] * r[j];
    }
  };
  add(child, left.child, child, right.child);
  add(child, left.child, parent, right.parent);
  add(parent, left.parent, child, right.child);
  add(parent, left.parent, parent, right.parent);
}

}  // namespace torsor
