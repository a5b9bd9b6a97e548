#pragma once
// Definitions of the templates of joint.h: included by joint.cc and by what checks them with other scalars.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "torsor/formulation/joint/joint.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/kinematics.h"

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

/// Of a joint spring without its damper.
template <class S>
S spring_power(JointSpringLaw spring, std::span<const S> q, std::span<const S> v) {
  const std::span<const S> rates = v.subspan(spring.v, spring.count);
  std::array<S, 6> effort;
  effort.fill(S(0.0));
  spring.v = 0;
  add_spring_efforts(spring, q, std::span<S>(effort));
  S power(0.0);
  for (std::size_t k = 0; k < rates.size(); ++k) power += effort[k] * rates[k];
  return power;
}

/// Actuators, joint springs and PD controllers; books their power in p, from which everything before is
/// cleared, unless that is empty.
template <class S>
void JointSystem::add_efforts(double t, std::span<const S> q, std::span<const S> v, std::span<S> effort,
                              std::span<S> p) const {
  std::fill(p.begin(), p.end(), S(0.0));
  for (std::size_t i = 0; i < elements_.actuators.size(); ++i) {
    const ActuatorLaw& actuator = elements_.actuators[i];
    const double value = actuator.effort.value(t);
    effort[actuator.rate] += value;
    if (!p.empty()) p[i] = value * v[actuator.rate];
  }
  for (std::size_t i = 0; i < elements_.springs.size(); ++i) {
    const JointSpringLaw& spring = elements_.springs[i];
    const int source = elements_.spring_source_flow[i], damper = elements_.spring_damper_flow[i];
    const int compensation = elements_.spring_compensation_flow[i];
    if (compensation < 0) add_spring_efforts(spring, q, effort);
    if (!p.empty() && source >= 0) p[source] = spring_power(spring, q, v);
    if (!p.empty() && compensation >= 0) p[compensation] -= spring_power(spring, q, v);
    add_damper_efforts(spring, v, effort);
    if (!p.empty() && damper >= 0) p[damper] = dissipation(spring, v);
  }
  for (const CoordinateHold& hold : elements_.coordinate_holds) {
    const Jet target = hold.target.evaluate(t);
    const S &rate = v[hold.rate], slip = rate - target.rate;
    const S elastic = hold.stiffness * (q[hold.q] - target.value), viscous = hold.damping * slip;
    effort[hold.rate] -= elastic + viscous;
    if (p.empty()) continue;
    p[hold.source_flow] -= elastic * rate + viscous * target.rate;
    if (hold.damper_flow >= 0) p[hold.damper_flow] += viscous * slip;
  }
}

/// The wrench, in the frame of a node, of a force at a place; both in the world.
template <class S>
Wrench<S> wrench_on(const Pose<S>& X_W, const Vec3<S>& place, const Vec3<S>& force) {
  const Vec3<S> in_node = transpose_times(X_W.R, force);
  return {cross(transpose_times(X_W.R, place - X_W.p), in_node), in_node};
}

/// Impedance controllers: the force on the point and what the chain bears of weights and tendons.
template <class S>
void JointSystem::add_controllers(JointWorkspace<S>& w, double t, std::span<S> p) const {
  for (const PointHold& hold : elements_.point_holds) {
    const Pose<S>& X = w.X_W[hold.node];
    const Twist<S>& V = w.V[hold.node];
    const Vec3<S> place = act(X, hold.p_N), velocity = X.R * (V.linear + cross(V.angular, hold.p_N));
    Vec3<S> force{};
    S work(0.0), dissipated(0.0);
    for (int i = 0; i < 3; ++i) {
      const Jet target = hold.target[i].evaluate(t);
      const S slip = velocity[i] - target.rate;
      const S elastic = hold.stiffness[i] * (place[i] - target.value), viscous = hold.damping[i] * slip;
      force[i] = -(elastic + viscous);
      work -= elastic * velocity[i] + viscous * target.rate;
      dissipated += viscous * slip;
    }
    w.applied[hold.node] += wrench_on(X, place, force);
    if (!p.empty()) p[hold.source_flow] += work;
    if (!p.empty() && hold.damper_flow >= 0) p[hold.damper_flow] += dissipated;
  }
  const auto bear = [&](int carrier, const Vec3<S>& place, const Vec3<S>& force, int flow) {
    const Wrench<S> F = wrench_on(w.X_W[carrier], place, force);
    w.applied[carrier] += F;
    if (!p.empty()) p[flow] += dot(w.V[carrier], F);
  };
  for (const CarriedWeight& weight : elements_.carried_weights) {
    const Vec3<double> up = -weight.mass * tree_.gravity;
    bear(weight.carrier, act(w.X_W[weight.node], weight.com_N), {S(up.x), S(up.y), S(up.z)},
         weight.source_flow);
  }
  for (const CarriedTendon& carried : elements_.carried_tendons) {
    const TendonLaw& tendon = elements_.tendons[carried.tendon];
    const auto place = [&](std::size_t i) { return act(w.X_W[tendon.path[i].frame], tendon.path[i].p); };
    const S tension = elastic_tension(tendon, std::span<const Pose<S>>(w.X_W));
    for (std::size_t i = 0; i + 1 < tendon.path.size(); ++i) {
      const Vec3<S> from = place(i), to = place(i + 1);
      const Vec3<S> pull = tension * unit_or_zero(to - from);
      if (carried.carriers[i] != 0) bear(carried.carriers[i], from, -pull, carried.source_flow);
      if (carried.carriers[i + 1] != 0) bear(carried.carriers[i + 1], to, pull, carried.source_flow);
    }
  }
}

/// Loads, tendons and impedance controllers, from the poses and twists in the workspace; books their power in
/// p unless that is empty.
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
  add_controllers<S>(w, t, p);
}

template <class S>
std::span<const Wrench<S>> JointSystem::set_forces(JointWorkspace<S>& w, double t, std::span<const S> q,
                                                   std::span<const S> v, std::span<S> p) const {
  std::fill(w.effort.begin(), w.effort.end(), S(0.0));
  add_efforts<S>(t, q, v, w.effort, p);
  if (!elements_.need_poses()) return {};
  forward_kinematics<S>(tree_, q, v, w.X_W, w.V);
  std::fill(w.applied.begin(), w.applied.end(), Wrench<S>{});
  add_applied<S>(w, t, p);
  return w.applied;
}

template <class S>
void JointSystem::accelerate(JointWorkspace<S>& w, double t, std::span<const S> q, std::span<const S> v,
                             std::span<S> a, std::span<S> p) const {
  const std::span<const Wrench<S>> applied = set_forces<S>(w, t, q, v, p);
  forward_dynamics<S>(tree_, w.dynamics, q, v, w.effort, applied, a);
}

template <class S>
DiscreteStepWorkspace<S>::DiscreteStepWorkspace(const Tree& tree)
    : lagrangian(tree),
      q0(tree.coordinate_count),
      q(tree.coordinate_count),
      w(tree.rate_count),
      xi(tree.rate_count),
      half(tree.rate_count),
      v(tree.rate_count),
      p(tree.rate_count),
      f(tree.rate_count),
      p0(tree.rate_count),
      p1(tree.rate_count) {}

/// Whether an increment turns a joint too far: on SO(3), SE(2) and SE(3) by half a turn, where others lead to
/// the same configuration; with rates of chords by an eighth, where the momentum, with sin(xi) cos(xi), turns
/// back. On circles alone any turn would do, but many in one step are a spurious solution.
template <class S>
bool leaves_chart(const Tree& tree, std::span<const S> xi, StepMap map) {
  for (const TreeNode& node : tree.nodes) {
    const bool chord = map == StepMap::chord && node.joint == Primitive::revolute;
    const double limit = std::numbers::pi * (chord ? 0.25 : rate_count(node.joint) == 1 ? 8 : 1);
    double square = 0;
    for (int k = 0; k < components(node.joint).turns(); ++k) {
      const double turn = value_of(xi[node.v + k]);
      square += turn * turn;
    }
    if (!(square < limit * limit)) return true;
  }
  return false;
}

template <class S>
void JointSystem::set_discrete_momenta(JointWorkspace<S>& w, DiscreteStepWorkspace<S>& d,
                                       const DiscreteStep& step, std::span<S> p) const {
  std::copy(step.q0.begin(), step.q0.end(), d.q0.begin());
  for (std::size_t i = 0; i < d.w.size(); ++i) {
    d.v[i] = d.w[i];
    d.xi[i] = step.h * d.w[i];
    d.half[i] = 0.5 * d.xi[i];
  }
  if (leaves_chart<S>(tree_, d.xi, step.map)) {
    std::fill(d.p0.begin(), d.p0.end(), S(std::numeric_limits<double>::quiet_NaN()));
    return;
  }
  torsor::retract<S>(tree_, d.q0, d.half, d.q);
  const auto on_circles = [&](auto&& change) {
    if (step.map == StepMap::exp) return;
    for (const TreeNode& node : tree_.nodes) {
      if (node.joint != Primitive::revolute) continue;
      S sine, cosine;
      sincos(d.xi[node.v], sine, cosine);
      change(node.v, sine, cosine);
    }
  };
  on_circles([&](int i, const S& sine, const S&) { d.v[i] = sine / step.h; });  // Götz (4.31)
  const std::span<const Wrench<S>> applied = set_forces<S>(w, step.time, d.q, d.v, p);
  lagrangian_derivatives<S>(tree_, d.lagrangian, d.q, d.v, applied, d.p, d.f);
  for (std::size_t i = 0; i < d.f.size(); ++i) d.f[i] += w.effort[i];
  on_circles([&](int i, const S&, const S& cosine) { d.p[i] *= cosine; });  // dv = cos(xi) d(xi)/h
  end_momenta<S>(tree_, step.h, d.xi, d.p, d.f, d.p0, d.p1);
}

}  // namespace torsor
