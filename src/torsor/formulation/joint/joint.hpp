#pragma once
// Definitions of the templates of joint.h: included by joint.cc and by what checks them with other scalars.

#include <algorithm>
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

template <class S>
std::span<const Wrench<S>> JointSystem::set_forces(JointWorkspace<S>& w, double t, std::span<const S> q,
                                                   std::span<const S> v, std::span<S> p) const {
  if (acted_on_by_nothing_) return {};  // efforts are zero, as they were made, and there are no flows
  std::fill(w.effort.begin(), w.effort.end(), S(0.0));
  for (std::size_t i = 0; i < held_effort_.size(); ++i) w.effort[i] = S(held_effort_[i]);
  std::fill(p.begin(), p.end(), S(0.0));
  const std::size_t sources = std::min<std::size_t>(p.size(), elements_.work_count());
  const TreeView<S> view{tree_, t, q, v, w.X_W, w.V, states_};
  const TreeSink<S> sink{w.effort, w.applied, p.first(sources), p.subspan(sources), p};
  if (elements_.act_on_rates) elements_.apply<false>(view, sink);
  if (!elements_.need_poses) return {};
  forward_kinematics<S>(tree_, q, v, w.X_W, w.V);
  std::fill(w.applied.begin(), w.applied.end(), Wrench<S>{});
  elements_.apply<true>(view, sink);
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
