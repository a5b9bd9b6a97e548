#pragma once
// The formulation in joint coordinates: a tree and what acts on it, as second-order dynamics in O(n), or by
// the closed form of moving frames where the model asks for that.

#include <optional>

#include "torsor/formulation/joint/couplings.h"
#include "torsor/formulation/joint/elements.h"
#include "torsor/formulation/tree_system.h"
#include "torsor/tree/discrete_lagrangian.h"
#include "torsor/tree/forward_dynamics.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/moving_frame.h"
#include "torsor/tree/scalars.h"

namespace torsor {

/// Scratch of one evaluation.
template <class S>
struct JointWorkspace {
  explicit JointWorkspace(const Tree& tree);

  std::vector<Pose<S>> X_W;        ///< of the nodes
  std::vector<Twist<S>> V;         ///< body-fixed
  std::vector<Wrench<S>> applied;  ///< on the nodes, in their frames
  std::vector<S> effort;           ///< by rate
  ForwardDynamicsWorkspace<S> dynamics;
};

/// Scratch of one step of the discrete Lagrangian.
template <class S>
struct DiscreteStepWorkspace {
  explicit DiscreteStepWorkspace(const Tree& tree);

  LagrangianWorkspace<S> lagrangian;
  std::vector<S> q0, q;           ///< of the begin and the middle
  std::vector<S> w, xi, half, v;  ///< xi = h w, half of it, and the rates at the middle
  std::vector<S> p, f;            ///< momenta and forces there
  std::vector<S> p0, p1;
};

/// Several states in the lanes of one register.
struct JointStagesWorkspace {
  explicit JointStagesWorkspace(const Tree& tree);

  std::vector<Pack4> q, v, effort, a;
  std::vector<Wrench<Pack4>> applied;
  ForwardDynamicsWorkspace<Pack4> dynamics;
};

class JointSystem : public TreeSystem {
 public:
  /// Throws ModelError on what the formulation cannot simulate, and on a model too large for moving frames.
  explicit JointSystem(const Model& model, SystemInput input = {});

  int coordinate_count() const override { return tree_.coordinate_count; }
  int rate_count() const override { return tree_.rate_count; }
  int flow_count() const override { return elements_.flow_count(); }
  int state_count() const override { return elements_.state_count; }
  void hold_states(const ElementStates& states) override { states_ = states; }
  /// The flows and states at a start.
  std::vector<double> start_flows(double t, std::span<const double> q);
  void evaluate(double t, std::span<const double> q, std::span<const double> v, std::span<double> a,
                std::span<double> p) override;
  void evaluate_stages(std::span<const double> t, std::span<const double> Q, std::span<const double> V,
                       std::span<double> A, std::span<double> P) override;
  void evaluate_tangent(double t, std::span<const double> q0, double s, std::span<const double> v,
                        std::span<double> a, std::span<double> da_dv) override;
  void retract(std::span<const double> q0, std::span<const double> increment,
               std::span<double> q1) const override;
  void chart_rate(std::span<const double> xi, std::span<const double> v,
                  std::span<double> xi_rate) const override;
  void collocate(const StageStep& step, std::span<const double> V, std::span<double> Q,
                 std::span<double> dq) const override;
  std::unique_ptr<StiffInverse> make_stiff_inverse(int count) const override;
  // With couplings, momenta have the rates in place of their part along the rows of C, on which no motion
  // depends: equations of momenta then say C v = 0 as well.
  void momenta(std::span<const double> q, std::span<const double> v, std::span<double> p) override;
  void rates(std::span<const double> q, std::span<const double> p, std::span<double> v) override;
  void discrete_momenta(const DiscreteStep& step, std::span<const double> w, std::span<double> p0,
                        std::span<double> p1, std::span<double> power) override;
  void discrete_tangent(const DiscreteStep& step, std::span<const double> w, std::span<double> p0,
                        std::span<double> dp0_dw) override;
  const std::vector<double>& breakpoints() const override { return elements_.breakpoints; }
  int switch_count() const override {
    return static_cast<int>(elements_.stops().size() + elements_.length_stops().size());
  }
  void switches(std::span<const double> q, std::span<double> distances) const override;
  void hold_switches(std::span<const char> touches) override;
  void release_switches() override;

  const Tree& tree() const { return tree_; }
  const JointElements& elements() const { return elements_; }
  const TreeCouplings& couplings() const { return couplings_; }  ///< with the efforts of the last evaluation
  bool is_recursive() const { return !frames_; }                 ///< else by moving frames
  /// The wrench across the joint of each node, on the node, in its frame; efforts included.
  void joint_wrenches(double t, std::span<const double> q, std::span<const double> v,
                      std::span<Wrench<double>> F);
  /// With which it found them: of the rates, and of the nodes with gravity as an acceleration upwards.
  std::span<const double> accelerations() const { return a_; }
  const InverseDynamicsWorkspace<double>& inverse_motion() const { return inverse_; }

  /// The right-hand side by recursion, over any scalar; p may be empty.
  template <class S>
  void accelerate(JointWorkspace<S>& w, double t, std::span<const S> q, std::span<const S> v, std::span<S> a,
                  std::span<S> p) const;
  /// The momenta of a step with rates d.w, left in d.p0 and d.p1; p may be empty.
  template <class S>
  void set_discrete_momenta(JointWorkspace<S>& w, DiscreteStepWorkspace<S>& d, const DiscreteStep& step,
                            std::span<S> p) const;

 private:
  /// Fills w.effort and, where there are loads or tendons, w.applied, which it returns.
  template <class S>
  std::span<const Wrench<S>> set_forces(JointWorkspace<S>& w, double t, std::span<const S> q,
                                        std::span<const S> v, std::span<S> p) const;
  /// What couplings make of the accelerations at q.
  void hold_couplings(std::span<const double> q, std::span<double> a);
  void evaluate_pack(std::span<const double> t, std::span<const double> Q, std::span<const double> V,
                     std::span<double> A, std::span<double> P);

  Tree tree_;
  Tree weightless_;  ///< the same without gravity: its accelerations from rest are M^-1 effort
  JointElements elements_;
  TreeCouplings couplings_;
  ElementStates states_;
  bool has_quaternions_;
  bool is_flat_;              ///< joints turn about and slide along single axes: coordinates are a vector
  bool acted_on_by_nothing_;  ///< but gravity
  JointWorkspace<double> plain_;
  std::optional<MovingFrameWorkspace<double>> frames_;  ///< where accelerations are found with it
  JointStagesWorkspace stages_;
  JointWorkspace<Dual8> dual_;
  std::vector<Dual8> dual_q0_, dual_q_, dual_v_, dual_increment_, dual_a_;
  DiscreteStepWorkspace<double> step_;
  DiscreteStepWorkspace<Dual8> dual_step_;
  InverseDynamicsWorkspace<double> inverse_;
  std::vector<double> rest_;  ///< rates of 0
  std::vector<double> a_, p_, effort_, q_;
  mutable std::vector<Pose<double>> switch_poses_;  ///< scratch
  std::vector<double> held_effort_;                 ///< of couplings, while a tangent is taken; empty: none
};

}  // namespace torsor
