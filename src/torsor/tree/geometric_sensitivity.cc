// A displaced placement is a locked joint in front of the joint, with the displacement's screw eta: what
// holds for derivatives by a coordinate (inverse_dynamics_derivatives.hpp (1)-(3)) holds for it, with eta in
// place of the joint's own screw,
//   Psi' = [V_P, eta],   Psi'' = [A_P, eta] + [V_P, Psi'],
//   dQ_r = J_r . (2 B_r Psi' + M_r Psi'')                    r carried by the node,
//   dQ_c = J_c . (2 B_i Psi' + M_i Psi'' - ad^T_eta F_i)     c carrying node i properly.

#include "torsor/tree/geometric_sensitivity.h"

#include <algorithm>

#include "torsor/base/error.h"
#include "torsor/tree/inverse_dynamics_derivatives.hpp"

namespace torsor {

void placement_screws(const Tree& tree, std::span<const Pose<double>> X_WN, std::span<Twist<double>> screws) {
  require_size("X_WN", X_WN.size(), tree.size());
  require_size("screws", screws.size(), tree.nodes.size() * kPlacementDirections);
  for (int i = 0; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    const Pose<double> X_WJ = i == 0 ? Pose<double>{} : X_WN[node.parent] * node.X_PJ;
    for (int k = 0; k < kPlacementDirections; ++k) {
      Twist<double> e{};
      (k < 3 ? e.angular[k] : e.linear[k - 3]) = 1.0;
      screws[kPlacementDirections * i + k] = to_parent(X_WJ, e);
    }
  }
}

GeometricSensitivityWorkspace::GeometricSensitivityWorkspace(const Tree& tree)
    : motion(tree), screws(kPlacementDirections * tree.size()) {}

void effort_sensitivity(const Tree& tree, GeometricSensitivityWorkspace& workspace, std::span<const double> q,
                        std::span<const double> qd, std::span<const double> qdd,
                        std::span<double> by_placement) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("qdd", qdd.size(), tree.rate_count);
  require_size("by_placement", by_placement.size(),
               tree.nodes.size() * kPlacementDirections * tree.rate_count);
  auto& w = workspace.motion;
  const int width = kPlacementDirections * tree.size();
  sweep_outward<double>(tree, w, q, qd, qdd);
  placement_screws(tree, w.X_WN, workspace.screws);
  std::fill(by_placement.begin(), by_placement.end(), 0.0);
  for (int i = tree.size() - 1; i > 0; --i) {
    const TreeNode& node = tree.nodes[i];
    const Inertia<double>& M = w.inertia[i];
    const VelocityInertia<double>& B = w.velocity[i];

    // The node's own efforts, by the placements of all nodes that carry it and of the ground.
    const int rates = rate_count(node.joint);
    for (int c = i;; c = tree.nodes[c].parent) {
      const int P = tree.nodes[c].parent;  // of the ground: the ground, which does not turn
      for (int k = 0; k < kPlacementDirections; ++k) {
        const int column = kPlacementDirections * c + k;
        const Twist<double>& eta = workspace.screws[column];
        const Twist<double> Psi = bracket(w.V[P], eta);
        const Twist<double> Psi_dot = bracket(w.A[P], eta) + bracket(w.V[P], Psi);
        const Wrench<double> F = 2.0 * (B * Psi) + M * Psi_dot;
        for (int r = node.v; r < node.v + rates; ++r) {
          by_placement[r * width + column] = dot(w.J[r], F);
        }
        if (c != i) continue;
        // The efforts of the nodes that carry it properly, by its own placement.
        const Wrench<double> F_above = F - coadjoint(eta, w.F[i]);
        for (const RateRun& run : w.runs.of(node.parent)) {
          for (int r = run.first; r < run.end; ++r) {
            by_placement[r * width + column] = dot(w.J[r], F_above);
          }
        }
      }
      if (c == 0) break;
    }
    if (node.parent == 0) continue;
    w.inertia[node.parent] = w.inertia[node.parent] + M;
    w.velocity[node.parent] += B;
    w.F[node.parent] += w.F[i];
  }
}

}  // namespace torsor
