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
// The identities are the best of pivots, so that rows are exchanged in (2) alone: of a ball joint 3 of 9 rows are left,
// of a hinge in the plane one of 5. Kept are the columns (u, y, mu) of all rows, mu right beside y, and A.

#include <type_traits>

#include "torsor/numerics/small_lu.h"

namespace torsor {

/// W unknowns of the body, M multipliers.
template <int W, int M>
struct PinnedBlock {
  static constexpr int D = W == 3 ? 2 : 3, T = W - D, E = M - D, R = T + E;
  /// Numbers in a row of (2); plain ones fill a register.
  template <class S>
  static constexpr int kReduced = !std::is_same_v<S, double> ? R
                                  : R > 4                    ? 8
                                                             : 4;

  /// P, row-major, gets H in the place of K_uy; `reduced` becomes the LU of (2).
  template <int N, class Stride>
  static typename Pack<N>::Mask factorise(Pack<N>* P, Stride stride, const Pack<N>* A, Pack<N>* reduced,
                                          LaneSwap<N>* order) {
    using S = Pack<N>;
    const auto at = [&](int i, int j) -> S& { return P[i * stride + j]; };
    const auto without_u = [&](int i, int j) {  // G is that of y alone
      S sum = at(i, D + j);
      for (int k = 0; j < T && k < D; ++k) sum -= at(i, k) * at(W + k, D + j);
      return sum;
    };
    S H[D][R];
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < R; ++j) H[i][j] = without_u(i, j);
    }
    for (int i = 0; i < T; ++i) {
      for (int j = 0; j < R; ++j) {
        S sum = without_u(D + i, j);
        for (int k = 0; k < D; ++k) sum -= A[i * D + k] * H[k][j];
        reduced[i * R + j] = sum;
      }
    }
    for (int i = 0; i < E; ++i) {
      for (int j = 0; j < T; ++j) reduced[(T + i) * R + j] = without_u(W + D + i, j);
      for (int j = T; j < R; ++j) reduced[(T + i) * R + j] = S(0.0);
    }
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < T; ++j) at(i, D + j) = H[i][j];
    }
    return factorise_rows<R, 1>(reduced, std::integral_constant<int, R>{}, order);
  }

  /// The same with a register for the row (u, y, mu); what is in it beyond is of no account.
  template <class Stride>
  [[gnu::always_inline]] static bool factorise(double* P, Stride stride, const double* A, double* reduced,
                                               int* order) {
    constexpr int V = W > 4 ? 8 : 4, kRow = kReduced<double>;
    static_assert(W + E <= V);
    Lanes<V> c[D], t[W + E];
    for (int k = 0; k < D; ++k) c[k] = load_lanes<V>(P + (W + k) * stride);
    for (int i = 0; i < W + E; ++i) {
      const double* row = P + (i < W ? i : i + D) * stride;
      t[i] = load_lanes<V>(row);
      for (int k = 0; k < D; ++k) t[i] -= row[k] * c[k];
    }
    for (int i = 0; i < T; ++i) {
      for (int k = 0; k < D; ++k) t[D + i] -= A[i * D + k] * t[k];
    }
    typename SimdRegister<V>::Bits lane;
    for (int i = 0; i < V; ++i) lane[i] = i;
    for (int i = 0; i < D; ++i) {
      store_lanes<V>(P + i * stride, lane < D ? load_lanes<V>(P + i * stride) : t[i]);
    }
    for (int i = 0; i < R; ++i) store_lanes<kRow>(reduced + i * kRow, from_y(t[D + i]));
    return factorise_rows<R, kRow>(reduced, std::integral_constant<int, kRow>{}, order);
  }

  /// x = (f, g, e) becomes (u, y, lambda, mu); an X is one number or the lanes of one.
  template <class S, class Stride, class Order, class X>
  [[gnu::always_inline]] static void solve(const S* P, Stride stride, const S* A, const S* reduced,
                                           const Order* order, X* x) {
    const auto at = [&](int i, int j) -> const S& { return P[i * stride + j]; };
    X rest[R];
    // Loops are unrolled by order, lest GCC makes vectors of numbers that are a row apart. The products with g do not wait
    // for f, which the children change.
#pragma GCC unroll 12
    for (int i = 0; i < W; ++i) x[i] -= row_times<D>(&at(i, 0), x + W);
#pragma GCC unroll 12
    for (int i = 0; i < T; ++i) rest[i] = x[D + i] - row_times<D>(A + i * D, x);
#pragma GCC unroll 12
    for (int i = 0; i < E; ++i) rest[T + i] = x[W + D + i] - row_times<D>(&at(W + D + i, 0), x + W);
    finish(P, stride, reduced, order, rest, x + W, x);
  }

  /// The columns of P^-1 (0, 1) that answer g and e, row by row, as tie.h keeps them.
  template <class S, class Stride, class Order>
  [[gnu::always_inline]] static void respond(const S* P, Stride stride, const S* A, const S* reduced,
                                             const Order* order, S* response) {
    if constexpr (std::is_same_v<S, double>) {
      constexpr int C = M > 4 ? 8 : 4;
      typename SimdRegister<C>::Bits lane;
      for (int i = 0; i < C; ++i) lane[i] = i;
      const Lanes<C> zero{}, one = zero + 1.0;
      Lanes<C> x[W + M];
      respond_to(
          P, stride, A, reduced, order,
          [&](int i) { return Lanes<C>(lane < D ? load_lanes<C>(P + i * stride) : zero); },
          [&](int k) { return Lanes<C>(lane == k ? one : zero); }, x);
      for (int i = 0; i < W + M; ++i) store_lanes<C>(response + i * C, x[i]);
    } else {
      for (int j = 0; j < M; ++j) {
        S x[W + M];
        respond_to(
            P, stride, A, reduced, order, [&](int i) { return j < D ? P[i * stride + j] : S(0.0); },
            [&](int k) { return S(k == j ? 1.0 : 0.0); }, x);
        for (int i = 0; i < W + M; ++i) response[i * M + j] = x[i];
      }
    }
  }

 private:
  /// Of columns of (g, e): `place(i)` is row i of P times g, `unit(k)` row k of them.
  template <class S, class Stride, class Order, class X, class Place, class Unit>
  [[gnu::always_inline]] static void respond_to(const S* P, Stride stride, const S* A, const S* reduced,
                                                const Order* order, Place&& place, Unit&& unit, X* x) {
    X rest[R], g[D];
#pragma GCC unroll 12
    for (int i = 0; i < D; ++i) {
      x[i] = -place(i);
      g[i] = unit(i);
    }
#pragma GCC unroll 12
    for (int i = 0; i < T; ++i) rest[i] = -place(D + i) - row_times<D>(A + i * D, x);
#pragma GCC unroll 12
    for (int i = 0; i < E; ++i) rest[T + i] = unit(D + i) - place(W + D + i);
    finish(P, stride, reduced, order, rest, g, x);
  }

  /// From the right side of (2) and, in x, f_u - K_uu g on.
  template <class S, class Stride, class Order, class X>
  [[gnu::always_inline]] static void finish(const S* P, Stride stride, const S* reduced, const Order* order,
                                            const X* rest, const X* g, X* x) {
    const auto at = [&](int i, int j) -> const S& { return P[i * stride + j]; };
    X solved[R];
    if constexpr (R == 1) {
      solved[0] = rest[0];
    } else {
      load_permuted<R>(order, rest, 1, solved);
    }
    substitute_forward<R>(reduced, kReduced<S>, solved);
    substitute_backward<R>(reduced, kReduced<S>, solved);
#pragma GCC unroll 12
    for (int i = 0; i < D; ++i) {
      const X lambda = x[i] - row_times<R>(&at(i, D), solved);
      x[i] = g[i] - row_times<T>(&at(W + i, D), solved);
      x[W + i] = lambda;
    }
#pragma GCC unroll 12
    for (int i = 0; i < T; ++i) x[D + i] = solved[i];
#pragma GCC unroll 12
    for (int i = 0; i < E; ++i) x[W + D + i] = solved[T + i];
  }

  /// The lanes of y and mu.
  template <class Row>
  static Lanes<kReduced<double>> from_y(const Row& t) {
    if constexpr (kReduced<double> == 4) {
      return __builtin_shufflevector(t, t, D, D + 1, D + 2, D + 3);
    } else {
      return __builtin_shufflevector(t, t, D, D + 1, D + 2, D + 3, D + 4, D + 5, D + 6, D + 7);
    }
  }
};

}  // namespace torsor
