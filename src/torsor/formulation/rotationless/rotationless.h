#pragma once
// The rotationless formulation: bodies by directors, joints as quadratic constraints, any topology, in the
// plane (D = 2) and in space (D = 3).

#include <memory>

#include "torsor/formulation/constrained_mechanism.h"
#include "torsor/formulation/rotationless/step.h"

namespace torsor {

/// Uhlar-Betsch (1) in increments. A body has u = the increment of its centre of mass and the Cayley vector
/// omega of its directors (body.h), so that the internal constraints (9) hold by themselves, and the span of
/// their gradients, orthogonal to all turns of the directors on the left, drops out:
///   force = m w_phi - ...,   moment = sum d_i,left x (E_i w_i - ...)                                     (1)
/// That is the discrete null space method for the single body.
template <int D>
class Rotationless final : public ConstrainedSystem {
 public:
  /// `loop_rank`: independent constraints among those of the loop joints.
  Rotationless(const Model& model, int loop_rank, SystemInput input = {});

  /// Takes the numbers of a model that is built like `before`, of which this was made or which it took last
  /// (RotationlessWork::take).
  bool take(const Model& model, const Model& before, int loop_rank);

  /// The equations as data, for those who solve them in other unknowns.
  RotationlessWork<D>& work() { return work_; }

  int coordinate_count() const override { return mechanism_.coordinate_count(); }
  int unknown_count() const override { return work_.unknown_count(); }
  int angle_count() const override { return mechanism_.joints.angle_count; }
  int flow_count() const override { return work_.book.flow_count(); }
  void hold_states(std::span<const double> z) override { work_.held.assign(z.begin(), z.end()); }
  int servo_count() const override { return static_cast<int>(work_.outputs.size()); }
  bool shares_efforts() const override { return work_.shares.redundant(); }
  const std::vector<double>& breakpoints() const override { return work_.book.breakpoints; }
  void retract(std::span<const double> x_a, std::span<const double> unknowns, std::span<double> dx,
               std::span<double> x_b) const override {
    step_.retract(x_a, unknowns, dx, x_b);
  }
  void set_increments(std::span<const double> x, std::span<const double> v, double h,
                      std::span<double> unknowns) const override {
    step_.set_increments(x, v, h, unknowns);
  }
  double begin_step(double time, std::span<const double> x, std::span<const double> v,
                    std::span<const double> angles) override;
  void residual(const ConstrainedPoint& point, std::span<const double> unknowns,
                std::span<double> r) override {
    step_.residual(point, unknowns, r);
  }
  bool factorise(const ConstrainedPoint& point, std::span<const double> unknowns) override {
    return step_.factorise(point, unknowns);
  }
  bool factorise_and_solve(const ConstrainedPoint& point, std::span<const double> unknowns,
                           std::span<double> r) override {
    return step_.factorise(point, unknowns, r);
  }
  void solve(std::span<double> r) override { step_.solve(r); }
  void drop_idle(std::span<double> unknowns) const override { step_.drop_idle(unknowns); }
  void correct(std::span<const double> step, std::span<double> unknowns) const override {
    step_.correct(step, unknowns);
  }
  double size(std::span<const double> unknowns) const override { return step_.size(unknowns); }
  std::vector<double> weights() const override { return step_.weights(); }
  double rounding(std::span<const double> x) const override { return step_.rounding(x); }
  double kinetic_energy(std::span<const double> v) override { return step_.kinetic_energy(v); }
  bool accelerate(double t, std::span<const double> x, std::span<const double> v,
                  std::span<const double> angles, std::span<double> unknowns, std::span<double> a) override;
  void add_flows(const ConstrainedPoint& point, std::span<const double> unknowns, double h,
                 std::span<double> z) override {
    step_.add_flows(point, unknowns, h, z);
  }
  void lead_rates(double t, std::span<const double> x, std::span<const double> angles, std::span<double> v,
                  std::span<double> v_lost, std::span<double> z) override;
  void settle(std::span<double> x, std::span<double> x_lost, std::span<double> angles) const override {
    step_.settle(x, x_lost, angles);
  }
  std::vector<FreeAxis> free_axes() const override { return free_axes_; }
  bool may_scale_rates() const override { return may_scale_rates_; }
  double balance(double time, std::span<const double> x, std::span<const double> v,
                 std::span<const double> angles, std::span<const double> z) override;
  void pass(StateTape& tape) override { tape(work_.kkt, work_.shares); }
  std::unique_ptr<WeakForm> make_weak_form(const GalerkinBasis& basis) override;

 private:
  bool accelerate_once(const ConstrainedPoint& point, std::span<double> unknowns, std::span<double> a);

  RotationlessWork<D> work_;
  const RotationlessMechanism<D>& mechanism_;
  RotationlessStep<D> step_;
  std::vector<FreeAxis> free_axes_;
  bool may_scale_rates_;
  std::vector<double> begin_unknowns_, begin_a_;  ///< at the start of a step, where servos share efforts
};

/// The formulation for the model's dimension; with an input that its caller writes to between steps, if one.
ConstrainedMechanism make_rotationless(const Model& model, int loop_rank, SystemInput input = {});
/// Rotationless::take; false for systems of other formulations.
bool take_model(ConstrainedSystem& system, const Model& model, const Model& before, int loop_rank);

}  // namespace torsor
