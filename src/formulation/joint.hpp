#pragma once
// Definitions of the templates of joint.h: included by joint.cc and by what checks them with other scalars.

#include <algorithm>

#include "formulation/joint.h"
#include "tree/kinematics.h"

namespace torsor {

template <class S>
JointWorkspace<S>::JointWorkspace(const Tree& tree)
    : X_W(tree.size()), V(tree.size()), applied(tree.size()), effort(tree.rate_count), dynamics(tree) {}

/// The wrench of a load on its node, in the node's frame.
template <class S>
Wrench<S> load_wrench(const LoadLaw& load, double t, const Pose<S>& X_W) {
  const Vec3<double> value{load.components[0].value(t), load.components[1].value(t),
                           load.components[2].value(t)};
  Vec3<S> in_node;
  if (load.in_body_axes) {
    const Vec3<double> fixed = load.R_NB * value;
    in_node = {S(fixed.x), S(fixed.y), S(fixed.z)};
  } else {
    in_node = transpose_times(X_W.R, value);
  }
  if (load.kind == Load::Kind::moment) return {in_node, {}};
  return {cross(load.p_N, in_node), in_node};
}

/// Actuators and joint springs; books their power in p unless that is empty.
template <class S>
void JointSystem::add_efforts(double t, std::span<const S> q, std::span<const S> v, std::span<S> effort,
                              std::span<S> p) const {
  for (std::size_t i = 0; i < elements_.actuators.size(); ++i) {
    const ActuatorLaw& actuator = elements_.actuators[i];
    const double value = actuator.effort.value(t);
    effort[actuator.rate] += value;
    if (!p.empty()) p[i] = value * v[actuator.rate];
  }
  for (std::size_t i = 0; i < elements_.springs.size(); ++i) {
    const JointSpringLaw& spring = elements_.springs[i];
    const int source = elements_.spring_source_flow[i], damper = elements_.spring_damper_flow[i];
    if (!p.empty() && source >= 0) {
      S power(0.0);
      for (int k = 0; k < 3; ++k) power -= effort[spring.v + k] * v[spring.v + k];
      add_spring_efforts(spring, q, effort);
      for (int k = 0; k < 3; ++k) power += effort[spring.v + k] * v[spring.v + k];
      p[source] = power;
    } else {
      add_spring_efforts(spring, q, effort);
    }
    add_damper_efforts(spring, v, effort);
    if (!p.empty() && damper >= 0) p[damper] = dissipation(spring, v);
  }
}

/// Loads and tendons, from the poses and twists in the workspace; books their power in p unless that is
/// empty.
template <class S>
void JointSystem::add_applied(JointWorkspace<S>& w, double t, std::span<S> p) const {
  for (std::size_t i = 0; i < elements_.loads.size(); ++i) {
    const LoadLaw& load = elements_.loads[i];
    const Wrench<S> F = load_wrench(load, t, w.X_W[load.node]);
    w.applied[load.node] += F;
    if (!p.empty()) p[elements_.actuators.size() + i] = dot(w.V[load.node], F);
  }
  for (std::size_t i = 0; i < elements_.tendons.size(); ++i) {
    const TendonLaw& tendon = elements_.tendons[i];
    const TendonState<S> state =
        tendon_state(tendon, std::span<const Pose<S>>(w.X_W), std::span<const Twist<S>>(w.V));
    add_wrenches(tendon, state.tension, std::span<const Pose<S>>(w.X_W), std::span<Wrench<S>>(w.applied));
    const int damper = elements_.tendon_damper_flow[i];
    if (!p.empty() && damper >= 0) p[damper] = state.dissipation;
  }
}

template <class S>
void JointSystem::accelerate(JointWorkspace<S>& w, double t, std::span<const S> q, std::span<const S> v,
                             std::span<S> a, std::span<S> p) const {
  std::fill(w.effort.begin(), w.effort.end(), S(0.0));
  add_efforts<S>(t, q, v, w.effort, p);
  std::span<const Wrench<S>> applied;
  if (elements_.need_poses()) {
    forward_kinematics<S>(tree_, q, v, w.X_W, w.V);
    std::fill(w.applied.begin(), w.applied.end(), Wrench<S>{});
    add_applied<S>(w, t, p);
    applied = w.applied;
  }
  forward_dynamics<S>(tree_, w.dynamics, q, v, w.effort, applied, a);
}

}  // namespace torsor
