#pragma once
// The formulation in joint coordinates: a tree and what acts on it, as second-order dynamics in O(n).

#include "formulation/joint_elements.h"
#include "formulation/system.h"
#include "tree/forward_dynamics.h"
#include "tree/inverse_dynamics.h"
#include "tree/scalars.h"

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

class JointSystem : public TreeSystem {
 public:
  /// Throws ModelError on what the formulation cannot simulate.
  explicit JointSystem(const Model& model);

  int coordinate_count() const override { return tree_.coordinate_count; }
  int rate_count() const override { return tree_.rate_count; }
  int flow_count() const override { return elements_.flow_count(); }
  void evaluate(double t, std::span<const double> q, std::span<const double> v, std::span<double> a,
                std::span<double> p) override;
  void evaluate_tangent(double t, std::span<const double> q0, double s, std::span<const double> v,
                        std::span<double> a, std::span<double> da_dv) override;
  void retract(std::span<const double> q0, std::span<const double> increment,
               std::span<double> q1) const override;
  void chart_rate(std::span<const double> xi, std::span<const double> v,
                  std::span<double> xi_rate) const override;
  const std::vector<double>& breakpoints() const override { return elements_.breakpoints; }

  const Tree& tree() const { return tree_; }
  const JointElements& elements() const { return elements_; }
  /// The wrench across the joint of each node, on the node, in its frame; efforts included.
  void joint_wrenches(double t, std::span<const double> q, std::span<const double> v,
                      std::span<Wrench<double>> F);

  /// The right-hand side over any scalar; p may be empty.
  template <class S>
  void accelerate(JointWorkspace<S>& w, double t, std::span<const S> q, std::span<const S> v, std::span<S> a,
                  std::span<S> p) const;

 private:
  template <class S>
  void add_efforts(double t, std::span<const S> q, std::span<const S> v, std::span<S> effort,
                   std::span<S> p) const;
  template <class S>
  void add_applied(JointWorkspace<S>& w, double t, std::span<S> p) const;

  Tree tree_;
  JointElements elements_;
  bool has_quaternions_;
  JointWorkspace<double> plain_;
  JointWorkspace<Dual8> dual_;
  std::vector<Dual8> dual_q0_, dual_q_, dual_v_, dual_increment_, dual_a_;
  InverseDynamicsWorkspace<double> inverse_;
  std::vector<double> a_, p_, effort_;
};

}  // namespace torsor
