#pragma once
// The formulation cartesian: planar trees of revolute joints in the positions of their centres of mass, two
// coordinates a link (Kotyczka-Götz-Herrmann section 3).

#include <memory>

#include "torsor/formulation/cartesian/embedding.h"
#include "torsor/formulation/constrained_mechanism.h"
#include "torsor/formulation/rotationless/observer.h"
#include "torsor/formulation/rotationless/rotationless.h"

namespace torsor {

/// x_R = T x + const (embedding.h) embeds these coordinates in those of Rotationless. With T^T on the left, the
/// equations of motion of both are the same, and so are steps of one-step methods that are linear in positions
/// and rates: x_R(t_1) = T x(t_1) + const.
/// Joints hold by themselves; what is left are the constraints |xi_i|^2 = l_i^2 (27). In a step
///   xi_b = cay(omega_i) xi_a                                                                         (1)
/// keeps them, and the null space of their gradients on the left is xi_left^perp for each link. One omega_i a
/// link is therefore unknown, without multipliers: of the left side R of Rotationless, the force on the body
/// that a joint carries gives the joint's force, from the leaves to the roots, and what is left of the
/// moments is the residual: R projected by T^T, J^T and xi^perp,
///   r = diag(xi_i^perp)^T J^T T^T R                                                                  (2)
/// Newton's steps solve with the tangent of Rotationless, for the reason given in null_space.h (2), in linear
/// time.
class Cartesian final : public ConstrainedSystem {
 public:
  /// Throws ModelError on what it does not describe (link.h).
  explicit Cartesian(const Model& model, SystemInput input = {});

  const CartesianEmbedding& embedding() const { return embedding_; }
  RotationlessWork<2>& work() { return work_; }
  /// The same point in the coordinates of Rotationless, in scratch vectors.
  ConstrainedPoint embedded(const ConstrainedPoint& point);
  /// From the left side of Rotationless at the point: the joint forces, among unknowns of Rotationless, and
  /// what is left of the moments.
  std::span<const double> find_joint_forces(const ConstrainedPoint& inner, std::span<double> moments);

  int coordinate_count() const override { return 2 * embedding_.count(); }
  int unknown_count() const override { return embedding_.count(); }
  int angle_count() const override { return full_.angle_count(); }
  int flow_count() const override { return full_.flow_count(); }
  void hold_states(std::span<const double> z) override { full_.hold_states(z); }
  int servo_count() const override { return 0; }
  const std::vector<double>& breakpoints() const override { return full_.breakpoints(); }
  void retract(std::span<const double> x_a, std::span<const double> unknowns, std::span<double> dx,
               std::span<double> x_b) const override {
    embedding_.retract(x_a, unknowns, dx, x_b);
  }
  void set_increments(std::span<const double> x, std::span<const double> v, double h,
                      std::span<double> unknowns) const override {
    embedding_.turns(x, v, h, unknowns);
  }
  double begin_step(double, std::span<const double>, std::span<const double>,
                    std::span<const double>) override {
    return 1;
  }
  void residual(const ConstrainedPoint& point, std::span<const double> unknowns,
                std::span<double> r) override;
  bool factorise(const ConstrainedPoint& point, std::span<const double> unknowns) override;
  void solve(std::span<double> r) override;
  void drop_idle(std::span<double>) const override {}  ///< it has no loops
  void correct(std::span<const double> step, std::span<double> unknowns) const override;
  double size(std::span<const double> unknowns) const override;
  std::vector<double> weights() const override { return std::vector<double>(unknown_count(), 1.0); }
  double rounding(std::span<const double> x) const override;
  double kinetic_energy(std::span<const double> v) override;
  bool accelerate(double t, std::span<const double> x, std::span<const double> v,
                  std::span<const double> angles, std::span<double> unknowns, std::span<double> a) override;
  void add_flows(const ConstrainedPoint& point, std::span<const double> unknowns, double h,
                 std::span<double> z) override;
  void lead_rates(double, std::span<const double>, std::span<const double>, std::span<double>,
                  std::span<double>, std::span<double>) override {}
  void settle(std::span<double> x, std::span<double> x_lost, std::span<double> angles) const override;
  std::unique_ptr<WeakForm> make_weak_form(const GalerkinBasis& basis) override;

 private:
  /// A joint angle is sign (phi_i - phi_p) + offset of the angles of the two bodies.
  struct Turn {
    int joint, body, parent;  ///< among the angles of the state; parent -1: the ground
    Vec2<double> zero;        ///< phi_i is the angle of the scaled rotation zero xi_i
    double sign, offset;
  };

  CartesianEmbedding embedding_;
  Rotationless<2> full_;
  RotationlessWork<2>& work_;
  std::vector<Turn> turns_;
  ConstrainedPoint inner_;  ///< of the last residual
  std::vector<double> full_unknowns_, full_r_;
  std::vector<double> a_R_, w_R_, x_R_, v_R_;
};

/// What a stepper sees of it: what it sees of the embedded state.
class CartesianObserver final : public MechanismObserver {
 public:
  explicit CartesianObserver(Cartesian& system);

  const std::vector<std::string>& sources() const override { return full_.sources(); }
  const std::vector<std::string>& dampers() const override { return full_.dampers(); }
  void start(const Model& model, std::span<const double> q, std::span<const double> qd, std::span<double> x,
             std::span<double> v, std::span<double> angles) const override;
  void start_states(double t, std::span<const double> x, std::span<const double> angles,
                    std::span<double> z) override;
  EnergyParts energies(double t, std::span<const double> x, std::span<const double> v,
                       std::span<const double> angles) override;
  double position_error(std::span<const double> x, std::span<const double> angles) override;
  double velocity_error(std::span<const double> x, std::span<const double> v) override;
  StateBalance balance(double t, std::span<const double> x, std::span<const double> v,
                       std::span<const double> angles, std::span<BodyMotion> motions) override;
  void project_rates(std::span<const double> x, std::span<const double> angles, std::span<const double> v,
                     std::span<double> projected) override;
  void body_motions(std::span<const double> x, std::span<const double> v,
                    std::span<BodyMotion> motions) override;
  void body_angles(std::span<const double> x, std::span<const double> angles,
                   std::span<double> by_body) override;
  void joint_motions(std::span<const double> x, std::span<const double> v, std::span<const double> angles,
                     std::span<const JointMotion> motions) override;
  void tendons(double t, std::span<const double> x, std::span<const double> v, std::span<const double> angles,
               std::span<TendonMotion> motions) override;
  void efforts(double t, std::span<const double> unknowns, std::span<double> by_actuator) const override;
  void coupling_efforts(std::span<const double>, std::span<double>) const override {}  ///< it has none
  void reactions(double t, std::span<const double> x, std::span<const double> v,
                 std::span<const double> angles, std::span<const double> unknowns,
                 std::span<Wrench<double>> on_child) override;

 private:
  void embed_state(std::span<const double> x, std::span<const double> v) const;

  Cartesian& system_;
  const CartesianEmbedding& embedding_;
  RotationlessObserver<2> full_;
  std::vector<double> accelerations_, moments_, projected_;
  mutable std::vector<double> x_R_, v_R_;
};

ConstrainedMechanism make_cartesian(const Model& model, SystemInput input = {});

}  // namespace torsor
