#pragma once
// One pass of kinematics, elements and inverse dynamics through the open tree, over any scalar.

#include "torsor/evaluation/reduced_mechanism.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/kinematics.h"

namespace torsor {

template <class S>
struct ReducedMechanism::Pass {
  explicit Pass(const Tree& tree)
      : q(tree.coordinate_count),
        v(tree.rate_count),
        a(tree.rate_count),
        effort(tree.rate_count),
        missing(tree.rate_count),
        X_W(tree.size()),
        V(tree.size()),
        applied(tree.size()),
        inverse(tree) {}

  S elapsed{0.0};  ///< since the time of the motion
  std::vector<S> q, v, a;
  std::vector<S> effort;   ///< of elements on rates, and beside them
  std::vector<S> missing;  ///< M a + h - B tau - G^T lambda
  std::vector<Pose<S>> X_W;
  std::vector<Twist<S>> V;
  std::vector<Wrench<S>> applied;
  InverseDynamicsWorkspace<S> inverse;
};

/// Hands each entry of a twist that the dimension has to `use`, slides over `length`.
template <class S, class Use>
void for_each_row(const std::vector<int>& live, const Twist<S>& V, double length, Use&& use) {
  for (const int i : live) use(i < 3 ? V.angular[i] : (1 / length) * V.linear[i - 3]);
}

/// The wrench of which for_each_row has the dual entries.
template <class S>
Wrench<S> wrench_of_rows(const std::vector<int>& live, const S* lambda, double length) {
  Wrench<S> F{};
  for (std::size_t k = 0; k < live.size(); ++k) {
    const int i = live[k];
    (i < 3 ? F.moment[i] : F.force[i - 3]) = (i < 3 ? 1 : 1 / length) * lambda[k];
  }
  return F;
}

template <class S>
void ReducedMechanism::run(Pass<S>& pass, const ReducedMotion& motion, std::span<const S> lambda,
                           double length) const {
  const Tree& tree = open_.tree;
  forward_kinematics<S>(tree, pass.q, pass.v, pass.X_W, pass.V);
  std::fill(pass.effort.begin(), pass.effort.end(), S(0.0));
  std::fill(pass.applied.begin(), pass.applied.end(), Wrench<S>{});
  const TreeView<S> view{tree,   motion.t + pass.elapsed,          pass.q, pass.v, pass.X_W,
                         pass.V, ElementStates{.z = motion.states}};
  const TreeSink<S> sink{pass.effort, pass.applied, {}, {}};
  elements_.apply<false>(view, sink);
  elements_.apply<true>(view, sink);
  for (std::size_t i = 0; i < motion.effort.size(); ++i) pass.effort[i] += motion.effort[i];
  if (!motion.actuation.empty()) {
    auto pulls = std::get<std::vector<TreeTendonEffort>>(elements_.lists).begin();
    auto turns = elements_.actuators().begin();
    for (std::size_t i = 0; i < motion.actuation.size(); ++i) {
      if (model_.actuators()[i].tendon) {
        (pulls++)->path.pull(view, S(motion.actuation[i]), sink);
      } else {
        pass.effort[(turns++)->rate] += motion.actuation[i];
      }
    }
  }
  if (!lambda.empty()) {
    const S* next = lambda.data();
    for (const OpenLoop& loop : open_.loops) {
      const Wrench<S> F = wrench_of_rows(live_, next, length);
      pass.applied[loop.child] += to_parent(loop.child_X_NK, F);
      pass.applied[loop.copy] -= to_parent(loop.copy_X_NK, F);
      next += live_.size();
    }
    for (const Coupling& coupling : model_.couplings()) {
      for (const Coupling::Term& term : coupling.terms) {
        pass.effort[model_.rate_offset(term.joint) + term.coordinate] +=
            term.factor / coupling.largest_factor() * *next;
      }
      ++next;
    }
  }
  inverse_dynamics<S>(tree, pass.inverse, pass.q, pass.v, pass.a, pass.applied, pass.missing);
  for (std::size_t i = 0; i < pass.missing.size(); ++i) pass.missing[i] -= pass.effort[i];
}

/// G v.
template <class S>
std::vector<S> ReducedMechanism::rate_gaps(const Pass<S>& pass, double length) const {
  std::vector<S> gaps;
  for (const OpenLoop& loop : open_.loops) {
    const Twist<S> apart =
        to_child(loop.child_X_NK, pass.V[loop.child]) - to_child(loop.copy_X_NK, pass.V[loop.copy]);
    for_each_row(live_, apart, length, [&](const S& x) { gaps.push_back(x); });
  }
  for (const Coupling& coupling : model_.couplings()) {
    S sum(0.0);
    for (const Coupling::Term& term : coupling.terms) {
      sum +=
          term.factor / coupling.largest_factor() * pass.v[model_.rate_offset(term.joint) + term.coordinate];
    }
    gaps.push_back(sum);
  }
  return gaps;
}

/// G a + gamma, after run(). Frames that stand and move alike have bodies' twists with equal derivatives where the
/// accelerations of their origins are equal.
template <class S>
std::vector<S> ReducedMechanism::acceleration_gaps(const Pass<S>& pass, double length) const {
  const auto acceleration = [&](int node, const Pose<double>& X_NK) {
    const Vec3<S>&omega = pass.inverse.omega[node], &alpha = pass.inverse.alpha[node];
    const Vec3<S> of_K = pass.inverse.a[node] + cross(alpha, X_NK.p) + cross(omega, cross(omega, X_NK.p));
    return Twist<S>{transpose_times(X_NK.R, alpha), transpose_times(X_NK.R, of_K)};
  };
  std::vector<S> gaps;
  for (const OpenLoop& loop : open_.loops) {
    const Twist<S> apart =
        acceleration(loop.child, loop.child_X_NK) - acceleration(loop.copy, loop.copy_X_NK);
    for_each_row(live_, apart, length, [&](const S& x) { gaps.push_back(x); });
  }
  for (const Coupling& coupling : model_.couplings()) {
    S sum(0.0);
    for (const Coupling::Term& term : coupling.terms) {
      sum +=
          term.factor / coupling.largest_factor() * pass.a[model_.rate_offset(term.joint) + term.coordinate];
    }
    gaps.push_back(sum);
  }
  return gaps;
}

}  // namespace torsor
