#pragma once
// The rotationless formulation on polynomials of time. Between the nodes of time directors are not
// orthonormal, so that no chart serves: the constraints inside bodies have multipliers beside those of the
// joints, and the unknowns are the coordinates themselves. In the plane d_2 = perp d_1 throughout.

#include <algorithm>

#include "torsor/formulation/rotationless/weak_sink.h"
#include "torsor/formulation/rotationless/work.h"
#include "torsor/formulation/weak_form.h"
#include "torsor/numerics/block_elimination.h"

namespace torsor {

/// In the plane the second director is left out: with d_2 = perp d_1 its constraints hold, and the two
/// multipliers that they would have take up what is left of its equations. Forces are evaluated in a workspace
/// of its own; of the system it reads the mechanism, and the basis of the loops that a step begins with.
template <int D>
class RotationlessWeakForm : public WeakForm {
 public:
  RotationlessWeakForm(const RotationlessWork<D>& system, const GalerkinBasis& basis);

  int coordinate_count() const override { return X * mechanism_.ground; }
  int multiplier_count() const override { return row_count_ + mechanism_.loop_rank; }
  void embed(std::span<const double> x, std::span<const double> v, std::span<double> x_form,
             std::span<double> v_form) const override;
  void project(std::span<const double> x_form, std::span<const double> v_form, std::span<double> x,
               std::span<double> v) const override;
  void residual(const WeakStep& step, std::span<const double> unknowns, std::span<double> r) override;
  bool factorise(const WeakStep& step, std::span<const double> unknowns) override;
  void solve(std::span<double> r) override;
  void factorise_mean(const WeakStep& step, std::span<const double> unknowns) override;
  void solve_mean(std::span<double> r) override;
  void drop_values(std::span<double> r) const override {
    std::fill_n(&r[static_cast<std::size_t>(basis_.stages()) * coordinate_count()], multiplier_count(), 0.0);
  }
  void add_flows(const WeakStep& step, std::span<const double> unknowns, std::span<double> z) override;
  void correct(std::span<const double> change, std::span<double> unknowns) const override;
  double size(std::span<const double> unknowns) const override;
  double rounding(std::span<const double> x) const override;

 protected:
  static constexpr int kFree = FormBody<D>::kFree, X = FormBody<D>::X;
  double mass(int node, int coordinate) const {
    if (coordinate < D) return mechanism_.frames.mass[node];
    const std::array<double, D>& E = mechanism_.frames.E[node];
    return D == 2 ? E[0] + E[1] : E[coordinate / D - 1];
  }

 private:
  static constexpr int kMostStages = 4;
  static constexpr int kInternal = kFree * (kFree + 1) / 2;
  using Gradient = FormGradient<D>;
  enum class Rows { all, curved };  ///< curved: whose gradients change with x

  /// Where forces are evaluated.
  ConstrainedPoint force_point(const WeakStep& step, std::span<const double> unknowns,
                               const GalerkinBasis::Point& at);
  /// Where constraints are: x and dx/ds as configurations.
  void place(const WeakStep& step, std::span<const double> unknowns, const GalerkinBasis::Point& at);
  /// All forces but those of constraints, at a point; moments as forces on directors of the same power.
  void set_forces(const ConstrainedPoint& point);
  /// Those of the multipliers, and the rates of constraints, at the point that has been placed.
  void set_reactions(std::span<const double> multipliers, const GalerkinBasis::Point& at);
  void add_internal_reactions(int node);
  template <class Use>
  void for_each_rate(const PlacedRows<D>& rows, Use&& use) const;
  /// Calls `use(row, gradient)` for constraints, at a configuration: those inside bodies and of tree joints
  /// by their index among the multipliers, those of loops counted from row_count_ on.
  template <class Use>
  void for_each_gradient(Rows which, const Configuration<D>& at, Use&& use) const;
  template <class Use>
  void for_each_joint_gradient(const PlacedRows<D>& rows, int first, Rows which, const Configuration<D>& at,
                               Use&& use) const;
  /// Their values at x(1), likewise.
  template <class Use>
  void for_each_value(const WeakStep& step, Use&& use);
  /// Calls `use(multiplier, factor)` for the multipliers that act through a row.
  template <class Use>
  void for_each_multiplier(int row, Use&& use) const {
    if (row < row_count_ || mechanism_.loop_rank == mechanism_.loop_count) return use(row, 1.0);
    const double* factors = &loop_basis_[static_cast<std::size_t>(row - row_count_) * mechanism_.loop_rank];
    for (int i = 0; i < mechanism_.loop_rank; ++i) use(row_count_ + i, factors[i]);
  }

  // The tangent.
  void add_constraint_tangent(std::span<const double> unknowns, const GalerkinBasis::Point& at);
  /// Adds L_j (factor by_x int L_k + rate_factor by_rate L_k) to every pair of stages, and clears.
  void spread(double factor, double rate_factor, const GalerkinBasis::Point& at);
  /// Adds a gradient to a row (a constraint's) or a column (a multiplier's) of stage `stage`, against the
  /// coordinates of stage `by_stage`, in a matrix of that many stages.
  void put_gradient(BlockElimination& matrix, int stages, int row, const Gradient& gradient, double factor,
                    int stage, bool as_row, int by_stage);
  void put_gradients(const GalerkinBasis::Point& at);

  const RotationlessMechanism<D>& mechanism_;
  const std::vector<double>& loop_basis_;  ///< of the system
  const std::size_t source_count_;
  const GalerkinBasis& basis_;
  ElementForces<D> acting_;
  std::vector<MeasuredPair> row_pairs_;
  int row_count_ = 0;           ///< constraints inside bodies and of tree joints
  std::vector<int> first_row_;  ///< by node; rows of a node follow each other
  const int first_block_;       ///< of bodies in the matrices; loops have one before them
  FormCouplings<D> couplings_;
  BlockElimination matrix_, mean_;
  std::vector<int> place_of_;       ///< by entry of the eliminated vector: where it is among the unknowns
  std::vector<int> mean_place_of_;  ///< the same of a single stage; multipliers follow all coordinates
  std::vector<double> gathered_, masses_, x_, rate_, zero_, g_;
  std::array<Pack<kMostStages>, kMostStages> by_residual_, by_rate_,
      by_mu_;                                ///< columns of the matrices of (3)
  AlignedVector<Pack<kMostStages>> packed_;  ///< of the mean, a stage in each lane
  std::vector<std::array<double, X>> on_;    ///< what acts on the coordinates, by node
  std::vector<double> lambda_, rates_;       ///< by multiplier
  std::vector<double> row_lambda_;           ///< by row of a joint, as the system counts them
  Configuration<D> at_, slope_, end_;        ///< x, dx/ds with the ground at rest, x(1)
};

}  // namespace torsor
