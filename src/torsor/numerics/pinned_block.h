#pragma once
// A block P_c of tree_kkt.h whose joint ties a point of the body: the first D multipliers, 2 in the plane and 3 in
// space, meet its place u by identities. With y for its turn, lambda for these multipliers and mu for the others,
//
//   | K_uu  K_uy  1    B_u |  u       f_u
//   | K_yu  K_yy  A    B_y |  y    =  f_y       u = g - G y,  lambda = f_u - K_uu u - K_uy y - B_u mu,    (1)
//   | 1     G     0    0   |  lambda  g
//   | C_u   C_y   0    0   |  mu      e
//
// which leaves for y and mu, with H = K_uy - K_uu G,
//
//   | K_yy - K_yu G - A H   B_y - A B_u |  y  =  f_y - K_yu g - A (f_u - K_uu g)                          (2)
//   | C_y - C_u G           0           |  mu    e - C_u g
//
// The identities are the best of pivots, so that rows are exchanged in (2) alone: of a ball joint 3 of 9 rows are left.

#include <type_traits>

#include "torsor/numerics/small_lu.h"

namespace torsor {

/// W unknowns of the body, M multipliers.
template <int W, int M>
struct PinnedBlock {
  static constexpr int D = W == 3 ? 2 : 3, T = W - D, E = M - D, R = T + E;

  /// P, row-major, gets H in the place of K_uy; `reduced` is the LU of (2), R x R.
  template <int N, class Stride>
  static typename Pack<N>::Mask factorise(Pack<N>* P, Stride stride, Pack<N>* reduced, LaneSwap<N>* order) {
    using S = Pack<N>;
    const auto at = [&](int i, int j) -> S& { return P[i * stride + j]; };
    S H[W][T];
    for (int i = 0; i < W; ++i) {
      for (int j = 0; j < T; ++j) {
        S sum = at(i, D + j);
        for (int k = 0; k < D; ++k) sum -= at(i, k) * at(W + k, D + j);
        H[i][j] = sum;
      }
    }
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < T; ++j) at(i, D + j) = H[i][j];
    }
    for (int i = 0; i < T; ++i) {
      for (int j = 0; j < T; ++j) {
        S sum = H[D + i][j];
        for (int k = 0; k < D; ++k) sum -= at(D + i, W + k) * H[k][j];
        reduced[i * R + j] = sum;
      }
      for (int j = 0; j < E; ++j) {
        S sum = at(D + i, W + D + j);
        for (int k = 0; k < D; ++k) sum -= at(D + i, W + k) * at(k, W + D + j);
        reduced[i * R + T + j] = sum;
      }
    }
    for (int i = 0; i < E; ++i) {
      for (int j = 0; j < T; ++j) {
        S sum = at(W + D + i, D + j);
        for (int k = 0; k < D; ++k) sum -= at(W + D + i, k) * at(W + k, D + j);
        reduced[(T + i) * R + j] = sum;
      }
      for (int j = 0; j < E; ++j) reduced[(T + i) * R + T + j] = S(0.0);
    }
    return factorise_rows<R, 1>(reduced, std::integral_constant<int, R>{}, order);
  }

  /// x = (f, g, e) becomes (u, y, lambda, mu).
  template <int N, class Stride>
  [[gnu::always_inline]] static void solve(const Pack<N>* P, Stride stride, const Pack<N>* reduced,
                                           const LaneSwap<N>* order, Pack<N>* x) {
    using S = Pack<N>;
    const auto at = [&](int i, int j) -> const S& { return P[i * stride + j]; };
    S rest[R], solved[R];
    for (int i = 0; i < W; ++i) {
      for (int k = 0; k < D; ++k) x[i] -= at(i, k) * x[W + k];
    }
    for (int i = 0; i < T; ++i) {
      rest[i] = x[D + i];
      for (int k = 0; k < D; ++k) rest[i] -= at(D + i, W + k) * x[k];
    }
    for (int i = 0; i < E; ++i) {
      rest[T + i] = x[W + D + i];
      for (int k = 0; k < D; ++k) rest[T + i] -= at(W + D + i, k) * x[W + k];
    }
    load_permuted<R>(order, rest, 1, solved);
    substitute_forward<R>(reduced, R, solved);
    substitute_backward<R>(reduced, R, solved);
    for (int i = 0; i < D; ++i) {
      S lambda = x[i], u = x[W + i];
      for (int k = 0; k < T; ++k) {
        lambda -= at(i, D + k) * solved[k];
        u -= at(W + i, D + k) * solved[k];
      }
      for (int k = 0; k < E; ++k) lambda -= at(i, W + D + k) * solved[T + k];
      x[i] = u;
      x[W + i] = lambda;
    }
    for (int i = 0; i < T; ++i) x[D + i] = solved[i];
    for (int i = 0; i < E; ++i) x[W + D + i] = solved[T + i];
  }
};

}  // namespace torsor
