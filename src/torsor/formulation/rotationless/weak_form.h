#pragma once
// The rotationless formulation on polynomials of time. Between the nodes of time directors are not
// orthonormal, so that no chart serves: the constraints inside bodies have multipliers beside those of the
// joints, and the unknowns are the coordinates themselves. In the plane d_2 = perp d_1 throughout.

#include "torsor/formulation/rotationless/rotationless.h"
#include "torsor/formulation/weak_form.h"
#include "torsor/numerics/block_elimination.h"

namespace torsor {

/// In the plane the second director is left out: with d_2 = perp d_1 its constraints hold, and the two
/// multipliers that they would have take up what is left of its equations.
template <int D>
class RotationlessWeakForm : public WeakForm {
 public:
  RotationlessWeakForm(Rotationless<D>& system, const GalerkinBasis& basis);

  int coordinate_count() const override { return X * system_.ground_; }
  int multiplier_count() const override { return row_count_ + system_.loop_rank_; }
  void embed(std::span<const double> x, std::span<const double> v, std::span<double> x_form,
             std::span<double> v_form) const override;
  void project(std::span<const double> x_form, std::span<const double> v_form, std::span<double> x,
               std::span<double> v) const override;
  void residual(const WeakStep& step, std::span<const double> unknowns, std::span<double> r) override;
  bool factorise(const WeakStep& step, std::span<const double> unknowns) override;
  void solve(std::span<double> r) override;
  void add_flows(const WeakStep& step, std::span<const double> unknowns, std::span<double> z) override;
  double correct(std::span<const double> change, std::span<double> unknowns) const override;
  double size(std::span<const double> unknowns) const override;
  double rounding(std::span<const double> x) const override;

 protected:
  static constexpr int kFree = D == 2 ? 1 : D;  ///< directors among the coordinates
  static constexpr int X = D * (1 + kFree);     ///< coordinates of a body
  /// What a force on an arm is on the coordinates of its body.
  static void add_to(std::array<double, X>& on, const Arm<D>& arm, const VecD<D>& force) {
    for (int i = 0; i < D; ++i) on[i] += arm.t * force[i];
    for (int k = 0; k < kFree; ++k) {
      for (int i = 0; i < D; ++i) on[D * (k + 1) + i] += arm.beta[k] * force[i];
    }
    if constexpr (D == 2) {  // beta_2 perp d_1
      on[2] += arm.beta[1] * force.y;
      on[3] -= arm.beta[1] * force.x;
    }
  }
  double mass(int node, int coordinate) const {
    if (coordinate < D) return system_.frames_.mass[node];
    const std::array<double, D>& E = system_.frames_.E[node];
    return D == 2 ? E[0] + E[1] : E[coordinate / D - 1];
  }

 private:
  static constexpr int kInternal = kFree * (kFree + 1) / 2;
  using System = Rotationless<D>;
  using Elements = RotationlessElements<D>;
  using PlacedRows = typename System::PlacedRows;
  using Matrix = std::array<double, X * X>;  ///< row-major, of one body by another
  using Square = std::array<double, D * D>;
  enum class Rows { all, curved };  ///< curved: whose gradients change with x
  /// A covector over the coordinates of two bodies; a body without entries is the ground.
  struct Gradient {
    int child, parent;
    std::array<double, X> by_child{}, by_parent{};

    void add(const Arm<D>& arm, const VecD<D>& force) {
      std::array<double, X>& on = arm.node == child ? by_child : by_parent;
      add_to(on, arm, force);
    }
  };
  /// Derivatives of forces by coordinates and by rates at one point of time, body by body.
  struct Coupling {
    int row, column;
    Matrix by_x, by_rate;
  };

  int block_of(int node) const { return node + (system_.loop_rank_ > 0 ? 1 : 0); }
  bool is_body(int node) const { return node != system_.ground_; }

  /// Coordinates of the form as those of the system.
  static void expand(std::span<const double> x_form, std::span<double> x);
  /// x and dx/ds at a point of a rule, as configurations.
  void place(const WeakStep& step, std::span<const double> unknowns, const GalerkinBasis::Point& at);
  ConstrainedPoint force_point(const WeakStep& step, const GalerkinBasis::Point& at) const;
  void place_screws(const WeakStep& step, const GalerkinBasis::Point& at);
  /// All forces but those of constraints, into the system's; moments as forces on directors of the same
  /// power.
  void evaluate_forces(const ConstrainedPoint& point);
  /// Calls `use(row, gradient)` for constraints, at a configuration: those inside bodies and of tree joints
  /// by their index among the multipliers, those of loops counted from row_count_ on.
  template <class Use>
  void for_each_gradient(Rows which, const Configuration<D>& at, Use&& use) const;
  template <class Use>
  void for_each_joint_gradient(const PlacedRows& rows, int first, Rows which, const Configuration<D>& at,
                               Use&& use) const;
  /// Their values at x(1), likewise.
  template <class Use>
  void for_each_value(const WeakStep& step, Use&& use);
  /// Calls `use(multiplier, factor)` for the multipliers that act through a row.
  template <class Use>
  void for_each_multiplier(int row, Use&& use) const;

  // The tangent; rotationless_weak_tangent.hpp.
  Matrix& coupling(int row, int column, bool by_rate);
  void add_arms(const Arm<D>& on, const Arm<D>& by, const Square& H, bool by_rate);
  void add_outer(const Gradient& on, const Gradient& by, double factor, bool by_rate);
  void add_product(const Product<D>& product, double factor);
  Gradient gradient(const Measure<D>& measure, double sine, double cosine) const;
  void add_measure(const Measure<D>& measure, const MeasuredPair& pair, double effort, double stiffness,
                   double damping);
  void add_tendons(const ConstrainedPoint& point);
  void add_springs(const ConstrainedPoint& point);
  void add_spins();
  void add_controllers(const ConstrainedPoint& point);
  void add_force_tangent(const ConstrainedPoint& point);
  void add_constraint_tangent(std::span<const double> unknowns, const GalerkinBasis::Point& at);
  void add_inertia();
  /// Adds L_j (factor by_x int L_k + rate_factor by_rate L_k) to every pair of stages, and clears.
  void spread(double factor, double rate_factor, const GalerkinBasis::Point& at);
  void put_gradient(int row, const Gradient& gradient, double factor, int stage, bool as_row, int by_stage);
  void put_gradients(const GalerkinBasis::Point& at);
  void put_end_gradients();

  System& system_;
  const GalerkinBasis& basis_;
  int row_count_ = 0;                ///< constraints inside bodies and of tree joints
  std::vector<int> first_row_;       ///< by node; rows of a node follow each other
  std::vector<Coupling> couplings_;  ///< sorted by row, then column
  std::vector<int> coupling_begin_;  ///< by row
  BlockElimination matrix_;
  std::vector<int> place_of_;  ///< by entry of the eliminated vector: where it is among the unknowns
  std::vector<double> gathered_, x_form_, x_, rate_, zero_, g_;
  Configuration<D> at_, slope_, end_;  ///< x, dx/ds with the ground at rest, x(1)
};

}  // namespace torsor
