#pragma once
// Where elements and constraints write the derivatives of their forces by coordinates and rates, body by body:
// one point of time of a step on which the coordinates are polynomials.

#include <algorithm>
#include <span>

#include "torsor/formulation/elements/element.h"

namespace torsor {

/// The coordinates of a body on a polynomial. In the plane the second director is left out, d_2 = perp d_1.
template <int D>
struct FormBody {
  static constexpr int kFree = D == 2 ? 1 : D;  ///< directors among the coordinates
  static constexpr int X = D * (1 + kFree);     ///< coordinates
  using Covector = std::array<double, X>;

  static Directors<D> directors(const double* x) {
    Directors<D> body;
    for (int i = 0; i < D; ++i) body.phi[i] = x[i];
    for (int k = 0; k < kFree; ++k) {
      for (int i = 0; i < D; ++i) body.d[k][i] = x[D * (k + 1) + i];
    }
    if constexpr (D == 2) body.d[1] = perp(body.d[0]);
    return body;
  }
  /// The same in the coordinates of the system.
  static void expand(const double* x, double* to) {
    std::copy_n(x, X, to);
    if constexpr (D == 2) {
      to[4] = -x[3];
      to[5] = x[2];
    }
  }

  /// What a force on an arm is on the coordinates of its body.
  static void add_to(Covector& on, const Arm<D>& arm, const VecD<D>& force) {
    for (int i = 0; i < D; ++i) on[i] += arm.t * force[i];
    for (int k = 0; k < kFree; ++k) {
      for (int i = 0; i < D; ++i) on[D * (k + 1) + i] += arm.beta[k] * force[i];
    }
    if constexpr (D == 2) {  // beta_2 perp d_1
      on[2] += arm.beta[1] * force.y;
      on[3] -= arm.beta[1] * force.x;
    }
  }
};
/// Of all bodies; the ground stays as it is.
template <int D>
void load_form(std::span<const double> x, Configuration<D>& all) {
  for (std::size_t node = 0; node + 1 < all.size(); ++node) {
    all[node] = FormBody<D>::directors(&x[FormBody<D>::X * node]);
  }
}

/// A covector over the coordinates of two bodies; a body without entries is the ground.
template <int D>
struct FormGradient {
  int child, parent;
  typename FormBody<D>::Covector by_child{}, by_parent{};

  void operator()(const Arm<D>& arm, const VecD<D>& force) {
    FormBody<D>::add_to(arm.node == child ? by_child : by_parent, arm, force);
  }
};

/// The derivatives of one point of time, for pairs of bodies that a pattern couples.
template <int D>
struct FormCouplings {
  static constexpr int X = FormBody<D>::X;
  using Matrix = std::array<double, X * X>;  ///< row-major, of one body by another
  struct Coupling {
    int row, column;
    Matrix by_x, by_rate;
  };

  /// `pairs` sorted, each once.
  FormCouplings(const std::vector<std::pair<int, int>>& pairs, int nodes) {
    for (const auto& [row, column] : pairs) all.push_back({row, column, {}, {}});
    for (int node = 0; node <= nodes; ++node) {
      begin.push_back(static_cast<int>(std::lower_bound(pairs.begin(), pairs.end(), std::pair(node, -1)) -
                                       pairs.begin()));
    }
  }
  Matrix& at(int row, int column, bool by_rate) {
    const auto found = std::lower_bound(all.begin() + begin[row], all.begin() + begin[row + 1], column,
                                        [](const Coupling& c, int node) { return c.column < node; });
    return by_rate ? found->by_rate : found->by_x;
  }

  std::vector<Coupling> all;  ///< sorted by row, then column
  std::vector<int> begin;     ///< by row
};

/// The verbs of ChartSink. Compensations that follow bodies are taken as fixed: Newton's method pays for that
/// with a few iterations, the solution does not.
template <int D>
struct WeakSink {
  static constexpr bool kByRate = true;
  static constexpr int X = FormBody<D>::X;
  using Gradient = FormGradient<D>;

  FormCouplings<D>& couplings;
  const Configuration<D>& at;
  int ground;

  bool is_body(int node) const { return node != ground; }

  void arms(const Arm<D>& on, const Arm<D>& by, double h) const {
    SquareD<D> H{};
    for (int i = 0; i < D; ++i) H[D * i + i] = h;
    arms(on, by, H);
  }
  void arms(const Arm<D>& on, const Arm<D>& by, const SquareD<D>& H) const { add(on, by, H, false); }
  void arms_by_rate(const Arm<D>& on, const Arm<D>& by, const SquareD<D>& H) const { add(on, by, H, true); }
  void carried(int, const VecD<D>&, const Arm<D>&, const SquareD<D>&) const {}
  void carried_lever(int, const Arm<D>&, const VecD<D>&) const {}

  void measure(const Measure<D>& coordinate, const MeasuredPair& pair, double effort, double slope,
               double by_rate) const {
    const Gradient along = gradient(coordinate, pair.sine, pair.cosine);
    if (slope != 0) outer(along, along, slope, false);
    if (by_rate != 0) outer(along, along, by_rate, true);
    for (const Product<D>& p : coordinate.sine) product(p, effort * pair.sine);
    for (const Product<D>& p : coordinate.cosine) product(p, effort * pair.cosine);
    if (coordinate.displacement) return product(*coordinate.displacement, effort);
    outer(gradient(coordinate, pair.d_sine, pair.d_cosine), along, effort, false);
  }
  void measures(const Measure<D>& on, const MeasuredPair& on_pair, const Measure<D>& by,
                const MeasuredPair& by_pair, double slope, double by_rate) const {
    const Gradient left = gradient(on, on_pair.sine, on_pair.cosine),
                   right = gradient(by, by_pair.sine, by_pair.cosine);
    if (slope != 0) outer(left, right, slope, false);
    if (by_rate != 0) outer(left, right, by_rate, true);
  }
  void products(std::span<const Product<D>> sum, double effort, double slope) const {
    Gradient along{sum[0].child.node, sum[0].axis.node};
    for (const Product<D>& p : sum) {
      product(p, effort);
      push_gradient(p, at, 1.0, along);
    }
    outer(along, along, slope, false);
  }
  /// `factor` times its second derivative.
  void product(const Product<D>& p, double factor) const {
    for (const Arm<D>* arm : {&p.child, &p.parent}) {
      arms(*arm, p.axis, factor * p.weight);
      arms(p.axis, *arm, factor * p.weight);
    }
  }
  void spin(int child, int parent, int node, const TurnD<D>& by_turn, const TurnD<D>& by_spin) const {
    for (const bool by_rate : {false, true}) {
      turn(child, node, 1, by_rate ? by_spin : by_turn, by_rate);
      turn(parent, node, -1, by_rate ? by_spin : by_turn, by_rate);
    }
  }

 private:
  /// A_on^T H A_by with the matrices of the arms.
  void add(const Arm<D>& on, const Arm<D>& by, const SquareD<D>& H, bool by_rate) const {
    if (!is_body(on.node) || !is_body(by.node)) return;
    auto& block = couplings.at(on.node, by.node, by_rate);
    std::array<std::array<double, X>, D> right{};  // H A_by, by rows
    for (int i = 0; i < D; ++i) {
      VecD<D> row;
      for (int j = 0; j < D; ++j) row[j] = H[D * i + j];
      FormBody<D>::add_to(right[i], by, row);
    }
    for (int c = 0; c < X; ++c) {
      VecD<D> column;
      for (int i = 0; i < D; ++i) column[i] = right[i][c];
      std::array<double, X> left{};
      FormBody<D>::add_to(left, on, column);
      for (int i = 0; i < X; ++i) block[X * i + c] += left[i];
    }
  }
  void outer(const Gradient& on, const Gradient& by, double factor, bool by_rate) const {
    const auto add_pair = [&](int row, const auto& left, int column, const auto& right) {
      if (!is_body(row) || !is_body(column)) return;
      auto& block = couplings.at(row, column, by_rate);
      for (int i = 0; i < X; ++i) {
        for (int j = 0; j < X; ++j) block[X * i + j] += factor * left[i] * right[j];
      }
    };
    add_pair(on.child, on.by_child, by.child, by.by_child);
    add_pair(on.child, on.by_child, by.parent, by.by_parent);
    add_pair(on.parent, on.by_parent, by.child, by.by_child);
    add_pair(on.parent, on.by_parent, by.parent, by.by_parent);
  }
  Gradient gradient(const Measure<D>& coordinate, double sine, double cosine) const {
    Gradient sum{coordinate.child, coordinate.parent};
    for (const Product<D>& p : coordinate.sine) push_gradient(p, at, sine, sum);
    for (const Product<D>& p : coordinate.cosine) push_gradient(p, at, cosine, sum);
    if (coordinate.displacement) push_gradient(*coordinate.displacement, at, 1.0, sum);
    return sum;
  }
  /// A moment acts as forces m x a_k on directors, and a body turns by sum a_k x d d_k (spin_arms).
  void turn(int on, int by, double sign, const TurnD<D>& M, bool by_rate) const {
    if (!is_body(on) || !is_body(by)) return;
    auto& block = couplings.at(on, by, by_rate);
    const std::array<VecD<D>, D> a = spin_arms(at[on]), b = spin_arms(at[by]);
    if constexpr (D == 2) {
      const Vec2<double> left = 2.0 * perp(a[0]), right = 2.0 * perp(b[0]);
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) block[X * (2 + i) + 2 + j] += sign * M * left[i] * right[j];
      }
    } else {
      for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) {
          const Mat3<double> H = -sign * (hat(a[k]) * M * hat(b[l]));
          const double rows[3][3] = {{H.xx, H.xy, H.xz}, {H.yx, H.yy, H.yz}, {H.zx, H.zy, H.zz}};
          for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) block[X * (3 * (k + 1) + i) + 3 * (l + 1) + j] += rows[i][j];
          }
        }
      }
    }
  }
};

}  // namespace torsor
