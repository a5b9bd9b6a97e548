#pragma once
// The discrete null-space method (Betsch; Betsch-Leyendecker; Uhlar-Betsch section 6) for the rotationless
// formulation: the freedoms of the spanning tree's joints are the only increments among the unknowns.

#include <memory>

#include "torsor/formulation/rotationless/null_space_joint.h"
#include "torsor/formulation/rotationless/rotationless.h"
#include "torsor/formulation/weak_form.h"
#include "torsor/numerics/dense_lu.h"
#include "torsor/numerics/restricted_lu.h"

namespace torsor {

/// Rotationless without the multipliers lambda of its tree. With R the left side of (2) of system.h without
/// them, nu the border's unknowns (multipliers of loops, servo efforts) and C the gradients of the tree's
/// constraints, left and right,
///   R(eta, nu) + C_l^T lambda = 0,  g(eta) = 0   <=>   P_l^T R(eta(s), nu) = 0,  C_l P_l = 0             (1)
/// where eta(s) has g = 0 by itself (null_space_joint.h). Newton's step of the left system from g = 0,
///   K dy + C_l^T dlambda = R + C_l^T lambda,  C_r dy = 0,  K = d(R + C_l^T lambda)/dy,                   (2)
/// has dy = P_r ds with C_r P_r = 0, and so P_l^T K P_r ds = P_l^T R: the same step, whatever the lambda in
/// K. The lambda taken is that of the projection, R + C_l^T lambda = S^T rho; at the solution rho = 0, which
/// makes P_l^T K P_r the exact tangent of (1), for what it lacks is d(P_l)^T (R + C_l^T lambda).
/// Points are those of steps, kappa = 1/2.
/// P is the product of the joints' N and T along the tree, and is not formed: residuals are swept from the
/// leaves to the roots, and K is composed body by body as a composite inertia is.
template <int D>
class NullSpace final : public ConstrainedSystem {
 public:
  /// `full` must outlive it.
  explicit NullSpace(Rotationless<D>& full);

  int coordinate_count() const override { return full_.coordinate_count(); }
  int unknown_count() const override { return freedom_ + border_; }
  int angle_count() const override { return full_.angle_count(); }
  int flow_count() const override { return full_.flow_count(); }
  void hold_states(std::span<const double> z) override { full_.hold_states(z); }
  int servo_count() const override { return full_.servo_count(); }
  const std::vector<double>& breakpoints() const override { return full_.breakpoints(); }
  void retract(std::span<const double> x_a, std::span<const double> unknowns, std::span<double> dx,
               std::span<double> x_b) const override;
  void set_increments(std::span<const double> x, std::span<const double> v, double h,
                      std::span<double> unknowns) const override;
  double begin_step(double time, std::span<const double> x, std::span<const double> v,
                    std::span<const double> angles) override;
  void residual(const ConstrainedPoint& point, std::span<const double> unknowns,
                std::span<double> r) override;
  bool factorise(const ConstrainedPoint& point, std::span<const double> unknowns) override;
  void solve(std::span<double> r) override;
  void drop_idle(std::span<double> unknowns) const override { drop_idle_multipliers(work_, unknowns); }
  void correct(std::span<const double> step, std::span<double> unknowns) const override;
  double size(std::span<const double> unknowns) const override;
  std::vector<double> weights() const override {
    std::vector<double> weights(unknown_count());
    std::fill_n(weights.begin(), freedom_, 1.0);
    return weights;
  }
  double rounding(std::span<const double> x) const override { return full_.rounding(x); }
  double kinetic_energy(std::span<const double> v) override { return full_.kinetic_energy(v); }
  bool accelerate(double t, std::span<const double> x, std::span<const double> v,
                  std::span<const double> angles, std::span<double> unknowns, std::span<double> a) override;
  void add_flows(const ConstrainedPoint& point, std::span<const double> unknowns, double h,
                 std::span<double> z) override;
  void lead_rates(double t, std::span<const double> x, std::span<const double> angles, std::span<double> v,
                  std::span<double> v_lost, std::span<double> z) override {
    full_.lead_rates(t, x, angles, v, v_lost, z);
  }
  void settle(std::span<double> x, std::span<double> x_lost, std::span<double> angles) const override {
    full_.settle(x, x_lost, angles);
  }
  std::vector<FreeAxis> free_axes() const override { return full_.free_axes(); }
  bool may_scale_rates() const override { return full_.may_scale_rates(); }
  double balance(double time, std::span<const double> x, std::span<const double> v,
                 std::span<const double> angles, std::span<const double> z) override {
    return full_.balance(time, x, v, angles, z);
  }
  void pass(StateTape& tape) override {
    full_.pass(tape);
    tape(border_lu_);
  }
  std::unique_ptr<WeakForm> make_weak_form(const GalerkinBasis& basis) override {
    return full_.make_weak_form(basis);
  }

 private:
  static constexpr int W = kWidth<D>;
  using Block = typename NullSpaceJoint<D>::Block;

  /// Nodes' entries in a vector of the full system.
  std::span<const double> with_border(std::span<const double> unknowns) const;
  double& entry(int i, int j) { return lu_.matrix()[static_cast<std::size_t>(j) * freedom_ + i]; }
  void reach(int node, int freedom);
  template <class Put>
  void sweep(int last, int rows, bool left, Put&& put);
  void reduce_columns(int node);
  void reduce_rows(int node);
  void compose(int node);
  void reduce_border();
  bool factorise_border();

  Rotationless<D>& full_;
  RotationlessWork<D>& work_;
  const RotationlessMechanism<D>& mechanism_;
  int freedom_ = 0, border_;
  std::vector<int> first_;                    ///< freedom, by node
  std::vector<std::vector<int>> neighbours_;  ///< of smaller index, coupled by the time a node is composed
  // What a retraction finds belongs to the residual and the tangent that follow it.
  mutable std::vector<NullSpaceJoint<D>> joints_;
  mutable StepPair<D> pair_;
  mutable std::vector<Row<D>> eta_;
  mutable std::vector<double> full_unknowns_;
  std::vector<double> full_r_;
  std::vector<Block> swept_;  ///< by node: a row for each column, or row, of K that is being reduced
  std::vector<char> reached_;
  DenseLu lu_;
  std::vector<double> y_, z_, schur_;  ///< M^-1 Y, column by column; Z, row by row
  RestrictedLu border_lu_;
};

/// Of a system that make_rotationless made, and which must outlive it.
std::unique_ptr<ConstrainedSystem> make_null_space(ConstrainedSystem& rotationless);

}  // namespace torsor
