#pragma once
// In the frame B of a body, with angular velocity w, angular acceleration wd and proper acceleration a of its
// origin, Newton's and Euler's equations about that origin are linear in (m, h, J):
//   f = m a + (hat(wd) + hat(w)^2) h,   t = h x a + J wd + w x J w.                                       (1)
// Each of the ten wrenches goes to the world once and is paired with the screws of all joints that carry the
// body: Q = J^T W, Müller (78).

#include <algorithm>
#include <array>

#include "torsor/base/error.h"
#include "torsor/tree/inverse_dynamics.hpp"
#include "torsor/tree/kinematics.h"
#include "torsor/tree/regressor.h"

namespace torsor {

template <class S>
RegressorWorkspace<S>::RegressorWorkspace(const Tree& tree)
    : runs(tree), motion(tree), effort(tree.rate_count), X_WN(tree.size()), J(tree.rate_count) {}

/// The wrenches (1) of unit parameters.
template <class S>
inline std::array<Wrench<S>, kInertialParameters> unit_wrenches(const Vec3<S>& w, const Vec3<S>& wd,
                                                                const Vec3<S>& a) {
  std::array<Wrench<S>, kInertialParameters> F{};
  F[0].force = a;
  for (int k = 0; k < 3; ++k) {
    Vec3<double> e{};
    e[k] = 1.0;
    F[1 + k] = {cross(e, a), cross(wd, e) + cross(w, cross(w, e))};
  }
  constexpr double o = 0.0, l = 1.0;
  constexpr Sym3<double> kUnits[] = {{l, o, o, o, o, o}, {o, l, o, o, o, o}, {o, o, l, o, o, o},
                                     {o, o, o, l, o, o}, {o, o, o, o, l, o}, {o, o, o, o, o, l}};
  for (int k = 0; k < 6; ++k) F[4 + k].moment = kUnits[k] * wd + cross(w, kUnits[k] * w);
  return F;
}

template <class S>
void inverse_dynamics_regressor(const Tree& tree, RegressorWorkspace<S>& workspace, std::span<const S> q,
                                std::span<const S> qd, std::span<const S> qdd, std::span<S> Y) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("qdd", qdd.size(), tree.rate_count);
  require_size("Y", Y.size(), tree.body_node.size() * kInertialParameters * tree.rate_count);
  auto& motion = workspace.motion;
  const int bodies = static_cast<int>(tree.body_node.size());
  const int width = kInertialParameters * bodies;
  inverse_dynamics<S>(tree, motion, q, qd, qdd, {}, workspace.effort);
  workspace.X_WN[0] = {};
  for (int i = 1; i < tree.size(); ++i) {
    workspace.X_WN[i] = workspace.X_WN[tree.nodes[i].parent] * motion.X_PN[i];
  }
  spatial_joint_screws<S>(tree, workspace.X_WN, workspace.J);
  std::fill(Y.begin(), Y.end(), S(0.0));
  for (int b = 0; b < bodies; ++b) {
    const int i = tree.body_node[b];
    const Pose<double>& X_NB = tree.X_NB[b];
    const Vec3<S>&w = motion.omega[i], &wd = motion.alpha[i];
    const Vec3<S> a = motion.a[i] + cross(wd, X_NB.p) + cross(w, cross(w, X_NB.p));
    auto F =
        unit_wrenches<S>(transpose_times(X_NB.R, w), transpose_times(X_NB.R, wd), transpose_times(X_NB.R, a));
    const Pose<S> X_WB = workspace.X_WN[i] * X_NB;
    for (auto& wrench : F) wrench = to_parent(X_WB, wrench);
    for (const RateRun& run : workspace.runs.of(i)) {
      for (int r = run.first; r < run.end; ++r) {
        S* const row = Y.data() + r * width + kInertialParameters * b;
        for (int k = 0; k < kInertialParameters; ++k) row[k] = dot(workspace.J[r], F[k]);
      }
    }
  }
}

}  // namespace torsor
