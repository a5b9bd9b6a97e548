#pragma once
// Composite bodies in the spatial representation: all in world axes about the world origin, so that the way
// from a joint to each of its ancestors costs one pairing of screws and no frame change. M = J^T M J, Müller
// (81).

#include <algorithm>

#include "tree/kinematics.hpp"
#include "tree/mass_matrix.h"
#include "tree/node_angles.hpp"

namespace torsor {

template <class S>
MassMatrixWorkspace<S>::MassMatrixWorkspace(const Tree& tree)
    : angles(tree.size()), X_WN(tree.size()), composite(tree.size()), J(tree.rate_count) {
  J_by_component.fill(std::vector<S>(tree.rate_count));
  int covered = 0;
  for (int i = 0; i < tree.size(); ++i) {
    std::vector<Run> own;
    for (int k = i; k > 0; k = tree.nodes[k].parent) {
      const int first = tree.nodes[k].v, end = first + rate_count(tree.nodes[k].joint);
      if (!own.empty() && end == own.back().first) {
        own.back().first = first;
      } else if (!own.empty() && first == own.back().end) {
        own.back().end = end;
      } else if (end > first) {
        own.push_back({first, end});
      }
    }
    for (const Run& run : own) covered += rate_count(tree.nodes[i].joint) * (run.end - run.first);
    runs.insert(runs.end(), own.begin(), own.end());
    runs_end.push_back(static_cast<int>(runs.size()));
  }
  int chain = 0, rates_so_far = 0;
  for (const TreeNode& node : tree.nodes) {
    rates_so_far += rate_count(node.joint);
    chain += rate_count(node.joint) * rates_so_far;
  }
  is_full = covered == chain;
}

/// Row r of M over one run of columns.
template <class S>
inline void fill_run(const std::array<const S*, 6>& J, const Wrench<S>& F, int first, int end,
                     S* __restrict row) {
  for (int c = first; c < end; ++c) {
    row[c] = J[0][c] * F.moment.x + J[1][c] * F.moment.y + J[2][c] * F.moment.z + J[3][c] * F.force.x +
             J[4][c] * F.force.y + J[5][c] * F.force.z;
  }
}

/// Copies the lower triangle to the upper one, block by block: a column at a time would touch a cache line
/// for every entry.
template <class S>
inline void mirror(S* M, int n) {
  constexpr int kBlock = 8;
  for (int j = 0; j < n; j += kBlock) {
    const int end = std::min(n, j + kBlock);
    for (int r = j + 1; r < n; ++r) {
      for (int c = j; c < std::min(r, end); ++c) M[c * n + r] = M[r * n + c];
    }
  }
}

template <class S>
void mass_matrix(const Tree& tree, MassMatrixWorkspace<S>& workspace, std::span<const S> q, std::span<S> M) {
  auto* const X_WN = workspace.X_WN.data();
  auto* const composite = workspace.composite.data();
  auto* const J = workspace.J.data();
  node_angles(tree, q, std::span(workspace.angles));
  const int n = tree.size();
  const int rates = tree.rate_count;
  X_WN[0] = {};
  for (int i = 1; i < n; ++i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      const Pose<S> X = X_WN[node.parent] * motion.pose(node, workspace.angles[i], q.data() + node.q);
      motion.spatial_screws(node, X, J + node.v);  // (104)
      composite[i] = to_parent(X, node.inertia);   // (34)
      X_WN[i] = X;
    });
  }
  auto& rows = workspace.J_by_component;
  for (int r = 0; r < rates; ++r) {
    for (int k = 0; k < 3; ++k) {
      rows[k][r] = J[r].angular[k];
      rows[k + 3][r] = J[r].linear[k];
    }
  }
  const std::array<const S*, 6> row_data{rows[0].data(), rows[1].data(), rows[2].data(),
                                         rows[3].data(), rows[4].data(), rows[5].data()};

  if (!workspace.is_full) std::fill(M.begin(), M.end(), S(0.0));
  for (int i = n - 1; i > 0; --i) {
    const TreeNode& node = tree.nodes[i];
    const Inertia<S> I = composite[i];
    if (node.parent != 0) composite[node.parent] = composite[node.parent] + I;
    with_motion(node.joint, [&](auto motion) {
      for (int r = node.v; r < node.v + static_cast<int>(motion.axes.size()); ++r) {
        const Wrench<S> F = I * J[r];
        S* const row = M.data() + r * rates;
        for (int k = workspace.runs_end[i - 1]; k < workspace.runs_end[i]; ++k) {
          const auto [first, end] = workspace.runs[k];
          fill_run(row_data, F, first, end, row);
          // Ancestors that stand later in the file than their descendants.
          for (int c = std::max(first, r + 1); c < end; ++c) M[c * rates + r] = row[c];
        }
      }
    });
  }
  mirror(M.data(), rates);
}

}  // namespace torsor
