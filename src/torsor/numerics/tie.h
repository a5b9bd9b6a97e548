#pragma once
// A joint that ties a point of a body to one of its parent, and nothing else between the two: the first D rows of (1) in
// tree_kkt.h, 2 in the plane and 3 in space, meet the places of both by identities. With a the parent of c, M multipliers
// and E = M - D of them not of the point,
//
//   C_ca = | -1   G |     B_ac = | -1  B_u |      K_ca = K_ac = 0                                       (1)
//          | C_u C_y |           |  A  B_y |
//   X_ca = R C_ca,   R = P_c^-1 (0, 1), which has M columns instead of W.                                (2)
//
// Kept in this order: (C_u, C_y), R, G, A, (B_u, B_y). With its padding a ball joint has 57 plain numbers, not the 90 of B_ac
// and X_ca.

#include <cassert>

#include "torsor/numerics/small_lu.h"

namespace torsor {

template <int W, class S>
struct Tie {
  static constexpr int D = W == 3 ? 2 : 3, T = W - D;
  static constexpr bool kPlain = std::is_same_v<S, double>;
  static constexpr int V = W > 4 ? 8 : 4;        ///< plain numbers in a register
  static constexpr int kRow = kPlain ? V : W;    ///< numbers in a row of C_ca
  static constexpr int kLever = kPlain ? 4 : T;  ///< likewise of G
  static constexpr int response_row(int m) { return !kPlain ? m : m > 4 ? 8 : 4; }
  static constexpr int response_at(int m) { return (m - D) * kRow; }
  static constexpr int levers_at(int m) { return response_at(m) + (W + m) * response_row(m); }
  static constexpr int left_at(int m) { return levers_at(m) + D * kLever; }
  static constexpr int size(int m) { return left_at(m) + T * D + W * (m - D); }

  template <int M>
  static S* response(S* tie) {
    return tie + response_at(M);
  }

  /// Column j of B_ac, row j of C_ca.
  [[gnu::always_inline]] static void set_row(S* tie, int m, int j, const S* left, const S* right) {
    S* on_left = tie + left_at(m);
    if (j >= D) {
      for (int i = 0; i < W; ++i) tie[(j - D) * kRow + i] = right[i];
      for (int i = 0; i < W; ++i) on_left[T * D + i * (m - D) + j - D] = left[i];
      return;
    }
    for (int i = 0; i < D; ++i) {
      assert(all(left[i] == (i == j ? -1.0 : 0.0)) && all(right[i] == (i == j ? -1.0 : 0.0)));
    }
    for (int i = 0; i < T; ++i) {
      tie[levers_at(m) + j * kLever + i] = right[D + i];
      on_left[i * D + j] = left[D + i];
    }
  }

  /// Rows of X_ca from `kFirst` on, column q of it, or as many as are in a register.
  template <int M, int kFirst, class X>
  [[gnu::always_inline]] static void respond_to(const S* tie, int q, X* x) {
    const S *rows = tie, *response = tie + response_at(M), *levers = tie + levers_at(M);
    const auto set = [&](auto&& place) {
#pragma GCC unroll 12
      for (int i = kFirst; i < W + M; ++i) {
        const S* row = response + i * response_row(M);
        x[i] = place(row);
#pragma GCC unroll 12
        for (int k = D; k < M; ++k) {
          if constexpr (kPlain) {
            x[i] += row[k] * load_lanes<kRow>(rows + (k - D) * kRow);
          } else {
            x[i] += row[k] * rows[(k - D) * kRow + q];
          }
        }
      }
    };
    if constexpr (kPlain) {
      X columns[D];
      for (int k = 0; k < D; ++k) columns[k] = tied_row(levers + k * kLever, k);
      set([&](const S* row) { return row_times<D>(row, columns); });
    } else if (q < D) {
      set([&](const S* row) { return -row[q]; });
    } else {
      X columns[D];
      for (int k = 0; k < D; ++k) columns[k] = levers[k * kLever + q - D];
      set([&](const S* row) { return row_times<D>(row, columns); });
    }
  }

  /// B_ac y, row by row to `use(row, product)`.
  template <int M, class X, class Use>
  [[gnu::always_inline]] static void for_each_product(const S* tie, const X* y, Use&& use) {
    const S *levers = tie + left_at(M), *others = levers + T * D;
#pragma GCC unroll 12
    for (int i = 0; i < W; ++i) {
      X product = i < D ? X(-y[i]) : row_times<D>(levers + (i - D) * D, y);
      if constexpr (M > D) product += row_times<M - D>(others + i * (M - D), y + D);
      use(i, product);
    }
  }

  /// x -= X_ca a.
  template <int M>
  [[gnu::always_inline]] static void subtract_column(const S* tie, const S* a, S* x) {
    S gap[M];
#pragma GCC unroll 12
    for (int k = 0; k < M; ++k) {
      if (k < D) {
        gap[k] = row_times<T>(tie + levers_at(M) + k * kLever, a + D) - a[k];
      } else {
        gap[k] = row_times<W>(tie + (k - D) * kRow, a);
      }
    }
#pragma GCC unroll 12
    for (int i = 0; i < W + M; ++i) x[i] -= row_times<M>(tie + response_at(M) + i * response_row(M), gap);
  }

  /// to -= z X_ca, z of the body alone.
  template <int M>
  static void subtract_row(const S* tie, const S* z, S* to) {
    S along[M] = {};
    for (int i = 0; i < W; ++i) {
      for (int k = 0; k < M; ++k) along[k] += z[i] * tie[response_at(M) + i * response_row(M) + k];
    }
    for (int k = 0; k < D; ++k) {
      to[k] += along[k];
      for (int i = 0; i < T; ++i) to[D + i] -= along[k] * tie[levers_at(M) + k * kLever + i];
    }
    for (int k = D; k < M; ++k) {
      for (int i = 0; i < W; ++i) to[i] -= along[k] * tie[(k - D) * kRow + i];
    }
  }

 private:
  /// Row k of (-1, G) in a register.
  static Lanes<V> tied_row(const double* lever, int k) {
    Lanes<V> place{};
    place[k] = -1;
    const Lanes<4> turn = load_lanes<4>(lever);
    if constexpr (W == 3) {
      return __builtin_shufflevector(place, turn, 0, 1, 4, 5);
    } else {
      return place + __builtin_shufflevector(turn, Lanes<4>{}, 4, 4, 4, 0, 1, 2, 4, 4);
    }
  }
};

}  // namespace torsor
