#pragma once
// One tree joint's part in the discrete null-space method: how its child's increments follow from the
// parent's and from the joint's own freedoms.

#include <array>
#include <span>
#include <type_traits>
#include <vector>

#include "torsor/formulation/rotationless/joint.h"
#include "torsor/numerics/small_lu.h"

namespace torsor {

/// LU of a W x W matrix, kept for several right-hand sides.
template <int W>
class BodyLu {
 public:
  double* row(int i) { return rows_ + i * V; }
  bool factorise() { return factorise_rows<W, V>(rows_, Stride{}, order_); }
  void solve(double* x) const {
    double y[W];
    for (int i = 0; i < W; ++i) y[i] = x[order_[i]];
    substitute_forward<W>(rows_, Stride{}, y);
    substitute_backward<W>(rows_, Stride{}, y);
    std::copy_n(y, W, x);
  }

 private:
  static constexpr int V = W > 4 ? 8 : 4;
  using Stride = std::integral_constant<int, V>;
  alignas(8 * V) double rows_[W * V] = {};
  int order_[W] = {};
};

/// A step of all nodes: both ends, the middle, and the increments, which keep their own relative rounding.
template <int D>
struct StepPair {
  Configuration<D> start, end, middle, change;
};

/// The freedoms of a joint are numbers s = S eta of the increments eta of its child, with S the gradient of
/// the joint's coordinates at the start of the step (all turns, or all increments, where a joint has none).
/// With the gradients C of the joint's constraints by child and parent, to the right at the end of the step,
///   | S A |         |  ds           |
///   | C_c |  dy_c = | -C_p dy_p     |,   d eta = A dy,                                                  (1)
/// gives dy_c = N_r ds + T_r dy_p, and is Newton's matrix for s and g = 0 as well. On the left, with A = 1,
///   S^T rho - C_c^T lambda = r_c,   r_p += C_p^T lambda                                                (2)
/// projects a residual: rho = N_l^T r_c, r_p + T_l^T r_c, C_c N_l = 0, C_c T_l + C_p = 0; and finds
/// multipliers lambda that are those of the step once rho = 0.
template <int D>
class NullSpaceJoint {
 public:
  static constexpr int W = kWidth<D>;
  using Block = std::array<Row<D>, W>;  ///< row-major; N has as many columns as there are freedoms

  NullSpaceJoint(const JointRows<D>& rows, const std::vector<Measure<D>>& coordinates, double length);

  int freedom() const { return freedom_; }
  int parent() const { return rows_->parent; }

  /// Fixes S and the constraints' values at the start of a step.
  void place(const Configuration<D>& start, std::span<const double> angles);
  void freedoms(const Row<D>& eta, double* s) const;
  /// The nodal reparametrisation of Betsch and Leyendecker, without a formula for each joint: finds eta with
  /// S eta = s and g(end) = 0 from the guess in it, the parent being placed, and places the child. False
  /// where there is none. It is g(start) + Dg . change that vanishes, Dg the discrete gradient: rounding
  /// relative to the change, where that of g(end), multiplied by masses over h, would show in the energy.
  bool move(StepPair<D>& pair, const double* s, Row<D>& eta);
  /// (2), with the discrete gradient as C; false where it is singular.
  bool set_left(const StepPair<D>& pair);
  /// (2): r_c becomes (rho, lambda), and r_p takes its part.
  void project(double* r_c, double* r_p) const;
  /// N and T on both sides of the last move and the last set_left.
  void set_null_spaces();

  Block N_l{}, T_l{}, N_r{}, T_r{};

 private:
  double size_of(const Row<D>& eta) const;
  void place_child(StepPair<D>& pair, const Row<D>& eta) const;
  MeasuredPair screw_pair(const StepPair<D>& pair) const;
  /// Gradients of the constraints at X; that of a screw's angle is given.
  void set_gradients(const Configuration<D>& X, const PairRow<D>& screw);

  const JointRows<D>* rows_;
  const std::vector<Measure<D>>* coordinates_;
  double length_;
  int freedom_;
  double screw_angle_ = 0;  ///< at the start of the step
  Block S_{};
  Row<D> start_values_{};  ///< of the constraints
  std::array<PairRow<D>, W> gradients_{};
  BodyLu<W> left_, right_;
  Block parent_left_{}, parent_right_{};  ///< C_p
};

extern template class NullSpaceJoint<2>;
extern template class NullSpaceJoint<3>;

}  // namespace torsor
