#include "torsor/tree/collocation.h"

#include <array>
#include <cassert>
#include <cmath>

#include "torsor/base/error.h"
#include "torsor/base/pack_math.h"
#include "torsor/tree/manifold.hpp"

namespace torsor {

/// What stages of a step share, and room for one node.
template <class S>
struct CollocationStages {
  std::span<const double> lean;
  std::span<const S> q0, V;
  std::span<S> Q, dq;
  int stages, coordinates, rates;
  bool unit;                                        ///< quaternions of the stages are brought to unit length
  std::array<double, kMostStages> weight;           ///< h b
  std::array<SO3<S>, kMostStages * kMostStages> G;  ///< coefficients of (2)
  std::array<SO3<S>, kMostStages> X, w;
  std::array<Vec3<S>, kMostStages> slope;
};

namespace {

template <class S>
SO3<S> operator-(const SO3<S>& a, const SO3<S>& b) {
  return {a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class S>
SO3<S> reciprocal(const SO3<S>& q) {
  const S scale = 1.0 / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {scale * q.w, -scale * q.x, -scale * q.y, -scale * q.z};
}

/// Coordinate q, whose rates at the stages are given.
template <class S, class Rate>
void sum_up(const CollocationStages<S>& step, int q, Rate rate) {
  S end(0.0);
  for (int i = 0; i < step.stages; ++i) {
    S sum(0.0);
    for (int j = 0; j < step.stages; ++j) {
      sum += step.lean[i * step.stages + j] * (step.weight[j] * rate(j));
    }
    step.Q[i * step.coordinates + q] = step.q0[q] + sum;
    end += step.weight[i] * rate(i);
  }
  step.dq[q] = end;
}

}  // namespace

template <class S>
void LineManifold::collocate(CollocationStages<S>& step, int q, int v) {
  sum_up(step, q, [&](int j) { return step.V[j * step.rates + v]; });
}

template <class S>
void SO3Manifold::collocate(CollocationStages<S>& step, int q, int v) {
  const int s = step.stages;
  const auto G = [&](int j, int i) -> SO3<S>& { return step.G[j * s + i]; };
  auto& X = step.X;
  for (int j = 0; j < s; ++j) {
    const S* omega = step.V.data() + j * step.rates + v;
    const double half = 0.5 * step.weight[j];
    const SO3<S> w{S(0.0), half * omega[0], half * omega[1], half * omega[2]};
    step.w[j] = w;
    for (int i = 0; i < s; ++i) {
      const double factor = -step.lean[i * s + j];
      G(j, i) = {S(i == j ? 1.0 : 0.0), factor * w.x, factor * w.y, factor * w.z};  // (2)
    }
    X[j] = {S(1.0), S(0.0), S(0.0), S(0.0)};
  }
  // Columns are the equations sum_j X_j G_ji = 1; X stands on the left, so factors come from the right.
  for (int p = 0; p < s; ++p) {
    const SO3<S> inverse_pivot = reciprocal(G(p, p));
    for (int i = p + 1; i < s; ++i) {
      const SO3<S> factor = inverse_pivot * G(p, i);
      for (int j = p + 1; j < s; ++j) G(j, i) = G(j, i) - G(j, p) * factor;
      X[i] = X[i] - X[p] * factor;
    }
    G(p, p) = inverse_pivot;
  }
  for (int p = s - 1; p >= 0; --p) {
    for (int j = p + 1; j < s; ++j) X[p] = X[p] - X[j] * G(j, p);
    X[p] = X[p] * G(p, p);
  }

  const SO3<S> start = quaternion_at(step.q0.data() + q);
  SO3<S> turn{S(0.0), S(0.0), S(0.0), S(0.0)};  // C - 1
  for (int j = 0; j < s; ++j) {
    const SO3<S> stage = start * X[j];
    store_at(step.unit ? normalized(stage) : stage, step.Q.data() + j * step.coordinates + q);
    const SO3<S> slope = X[j] * step.w[j];
    turn = {turn.w + slope.w, turn.x + slope.x, turn.y + slope.y, turn.z + slope.z};
  }
  // Its real part from the others, |C| being 1: rounding of the sum would be the same in every step of a
  // steady spin, and add up.
  using std::sqrt;
  const S square = turn.x * turn.x + turn.y * turn.y + turn.z * turn.z;
  turn.w = select(turn.w > -0.5, S(-square / (1.0 + sqrt(1.0 - square))), turn.w);
  store_at(start * turn, step.dq.data() + q);
}

template <class S>
void SE2Manifold::collocate(CollocationStages<S>& step, int q, int v) {
  LineManifold::collocate(step, q, v);
  for (int j = 0; j < step.stages; ++j) {
    S sine, cosine;
    sincos(step.Q[j * step.coordinates + q], sine, cosine);
    const S* rate = step.V.data() + j * step.rates + v;
    step.slope[j] = {cosine * rate[1] - sine * rate[2], sine * rate[1] + cosine * rate[2], S(0.0)};
  }
  for (int k = 0; k < 2; ++k) sum_up(step, q + 1 + k, [&](int j) { return step.slope[j][k]; });
}

template <class S>
void SE3Manifold::collocate(CollocationStages<S>& step, int q, int v) {
  SO3Manifold::collocate(step, q, v);
  for (int j = 0; j < step.stages; ++j) {
    const SO3<S> rotation = quaternion_at<S>(step.Q.data() + j * step.coordinates + q);
    step.slope[j] = act(rotation, vector_at(step.V.data() + j * step.rates + v + 3));
  }
  for (int k = 0; k < 3; ++k) sum_up(step, q + 4 + k, [&](int j) { return step.slope[j][k]; });
}

template <class S, class T>
void collocate(const TreeOf<T>& tree, double h, std::span<const double> lean, std::span<const double> b,
               std::span<const S> q0, std::span<const S> V, std::span<S> Q, std::span<S> dq, bool unit) {
  require_size("lean", lean.size(), b.size() * b.size());
  require_size("q0", q0.size(), tree.coordinate_count);
  require_size("V", V.size(), b.size() * tree.rate_count);
  require_size("Q", Q.size(), b.size() * tree.coordinate_count);
  require_size("dq", dq.size(), tree.coordinate_count);
  assert(b.size() <= kMostStages);
  CollocationStages<S> step{
      lean, q0, V,  Q,  dq, static_cast<int>(b.size()), tree.coordinate_count, tree.rate_count, unit,
      {},   {}, {}, {}, {}};
  for (int j = 0; j < step.stages; ++j) step.weight[j] = h * b[j];
  for (const TreeNodeOf<T>& node : tree.nodes) {
    with_manifold(node.joint, [&](auto manifold) { manifold.collocate(step, node.q, node.v); });
  }
}

void collocate(const Tree& tree, double h, std::span<const double> lean, std::span<const double> b,
               std::span<const double> q0, std::span<const double> V, std::span<double> Q,
               std::span<double> dq, bool unit) {
  collocate<double, double>(tree, h, lean, b, q0, V, Q, dq, unit);
}
template void collocate<Pack<4>>(const TreeOf<Pack<4>>&, double, std::span<const double>,
                                 std::span<const double>, std::span<const Pack<4>>, std::span<const Pack<4>>,
                                 std::span<Pack<4>>, std::span<Pack<4>>, bool);
template void collocate<Pack<8>>(const TreeOf<Pack<8>>&, double, std::span<const double>,
                                 std::span<const double>, std::span<const Pack<8>>, std::span<const Pack<8>>,
                                 std::span<Pack<8>>, std::span<Pack<8>>, bool);

}  // namespace torsor
