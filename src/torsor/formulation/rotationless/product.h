#pragma once
// Scalar products of vectors on two bodies: what every joint constraint and joint coordinate of the
// rotationless formulation is made of. They are quadratic in the coordinates, so that their gradient at the
// midpoint is their discrete gradient (Uhlar-Betsch 4.1.1).

#include <span>

#include "torsor/formulation/rotationless/body.h"
#include "torsor/numerics/tree_kkt.h"

namespace torsor {

/// weight (child + parent) . axis: `child` is an arm of the child body, `parent` and `axis` of the parent.
template <int D, class S = double>
struct Product {
  Arm<D, S> child, parent, axis;
  S weight = 1.0;
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.child, s.parent, s.axis, s.weight);
  }
};

template <int D, class S>
S value_at(const Product<D, S>& p, const Configuration<D, S>& X) {
  return p.weight * dot(value_at(p.child, X) + value_at(p.parent, X), value_at(p.axis, X));
}

/// By (u, y) of the child and of the parent.
template <int D, class S = double>
struct PairRow {
  Row<D, S> child{}, parent{};
};

template <int D, class S>
void add_scaled(const std::type_identity_t<S>& scale, const PairRow<D, S>& from, PairRow<D, S>& to) {
  for (int i = 0; i < kWidth<D>; ++i) {
    to.child[i] += scale * from.child[i];
    to.parent[i] += scale * from.parent[i];
  }
}

/// Adds `scale` times the gradient at X.
template <int D, class S>
void add_gradient(const Product<D, S>& p, const Configuration<D, S>& X, const std::type_identity_t<S>& scale,
                  PairRow<D, S>& row) {
  const VecD<D, S> c = lever(p.child, X), b = lever(p.parent, X), a = lever(p.axis, X);
  const VecD<D, S> along = (scale * p.weight) * (p.axis.t * X[p.axis.node].phi + a);
  const VecD<D, S> between =
      (scale * p.weight) * (p.child.t * X[p.child.node].phi + c + p.parent.t * X[p.parent.node].phi + b);
  add_force<D>(p.child.t, c, along, row.child.data());
  add_force<D>(p.parent.t, b, along, row.parent.data());
  add_force<D>(p.axis.t, a, between, row.parent.data());
}

/// Its rate at X along velocities V.
template <int D, class S>
S rate_at(const Product<D, S>& p, const Configuration<D, S>& X, const Configuration<D, S>& V) {
  return p.weight * (dot(value_at(p.child, V) + value_at(p.parent, V), value_at(p.axis, X)) +
                     dot(value_at(p.child, X) + value_at(p.parent, X), value_at(p.axis, V)));
}
/// Half of what the second derivative of it adds to accelerations: d^2/dt^2 = gradient . a + 2 curvature.
template <int D, class S>
S curvature(const Product<D, S>& p, const Configuration<D, S>& V) {
  return p.weight * dot(value_at(p.child, V) + value_at(p.parent, V), value_at(p.axis, V));
}

/// Hands `scale` times the gradient at X to `push(arm, force)`, arm by arm.
template <int D, class S, class Push>
void push_gradient(const Product<D, S>& p, const Configuration<D, S>& X, const std::type_identity_t<S>& scale,
                   Push&& push) {
  const S s = scale * p.weight;
  const VecD<D, S> along = s * value_at(p.axis, X);
  push(p.child, along);
  push(p.parent, along);
  push(p.axis, s * (value_at(p.child, X) + value_at(p.parent, X)));
}

/// The linear system of a step, without the ground.
template <int D, class S = double>
using BodyKkt = TreeKkt<kWidth<D>, S>;

template <int D, class S>
BlockViewOf<S> node_block(TreeKkt<kWidth<D>, S>& K, int row, int column) {
  return row == column ? K.pivot(row) : K.block(row, column);
}

/// K += h Q_a^T Q_b for arms with levers a (left) and b (right): Q = [t, -c x].
template <int D, class S>
void add_arms(TreeKkt<kWidth<D>, S>& K, int ground, const Arm<D, S>& left, const VecD<D, S>& a,
              const Arm<D, S>& right, const VecD<D, S>& b, const std::type_identity_t<S>& h) {
  if (left.node == ground || right.node == ground) return;
  const BlockViewOf<S> block = node_block<D>(K, left.node, right.node);
  const S tt = h * left.t * right.t, ta = h * left.t, tb = h * right.t;
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
    const S ab = dot(a, b);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) block(3 + i, 3 + j) -= h * b[i] * a[j];
      block(3 + i, 3 + i) += h * ab;
    }
  }
}

/// The derivative of `force` times the gradient on the left by the configuration on the right, of which the
/// left one takes the share kappa; the part by turning levers is added body by body (add_turning).
template <int D, class S>
void add_tangent(TreeKkt<kWidth<D>, S>& K, int ground, const Product<D, S>& p,
                 const Configuration<D, S>& left, const Configuration<D, S>& right,
                 const std::type_identity_t<S>& force) {
  const S h = force * p.weight;
  const VecD<D, S> a_l = lever(p.axis, left), a_r = lever(p.axis, right);
  const auto cross_terms = [&](const Arm<D, S>& arm) {
    add_arms<D>(K, ground, arm, lever(arm, left), p.axis, a_r, h);
    add_arms<D>(K, ground, p.axis, a_l, arm, lever(arm, right), h);
  };
  cross_terms(p.child);
  if (p.parent.t != 0) cross_terms(p.parent);
}

/// K += left right^T over the bodies of a pair.
template <int D, class S>
void add_outer(TreeKkt<kWidth<D>, S>& K, int ground, int child, int parent, const PairRow<D, S>& left,
               const PairRow<D, S>& right) {
  const auto add = [&](int a, const Row<D, S>& l, int b, const Row<D, S>& r) {
    if (a == ground || b == ground) return;
    const BlockViewOf<S> block = node_block<D>(K, a, b);
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
