#include "torsor/tree/jacobian_derivatives.h"

#include "torsor/base/error.h"

#include <algorithm>
#include <cassert>

namespace torsor {
namespace {

/// The chain of one node: its screws in any representation, and the indices of a derivative in the chain's
/// order.
struct ChainDerivative {
  const JacobianDerivativesWorkspace& workspace;
  const Pose<double>& X_WN;
  int rate;
  std::span<const int> along;  ///< sorted from the ground outwards

  Twist<double> screw(Representation representation, int k) const {
    return convert(Representation::spatial, representation, X_WN, workspace.J[k]);
  }
  int node_of(int k) const { return workspace.rate_node[k]; }
  /// On one chain, nodes nearer to the ground have the smaller index.
  bool all_up_to_column() const { return along.empty() || node_of(along.back()) <= node_of(rate); }
  bool all_beyond_column() const { return along.empty() || node_of(along.front()) > node_of(rate); }

  Twist<double> body_fixed() const {  // (14)
    if (!all_beyond_column()) return {};
    Twist<double> D = screw(Representation::body, rate);
    for (const int k : along) D = bracket(D, screw(Representation::body, k));
    return D;
  }
  Twist<double> spatial() const {  // (23)
    if (!all_up_to_column()) return {};
    Twist<double> D = workspace.J[rate];
    for (auto k = along.rbegin(); k != along.rend(); ++k) D = bracket(workspace.J[*k], D);
    return D;
  }
  Vec3<double> hybrid_linear() const {
    auto k = along.rbegin();
    bool column_is_in = along.empty() || node_of(*k) <= node_of(rate);
    Vec3<double> D = screw(Representation::hybrid, column_is_in ? rate : *k++).linear;
    for (; k != along.rend() || !column_is_in;) {
      const bool column_is_next = !column_is_in && (k == along.rend() || node_of(*k) <= node_of(rate));
      D = cross(workspace.J[column_is_next ? rate : *k].angular, D);
      if (column_is_next) {
        column_is_in = true;
      } else {
        ++k;
      }
    }
    return D;
  }
  Twist<double> in(Representation representation) const {
    switch (representation) {
      case Representation::body:
        return body_fixed();
      case Representation::spatial:
        return spatial();
      case Representation::hybrid:
        return {spatial().angular, hybrid_linear()};
      case Representation::mixed:
        return {body_fixed().angular, hybrid_linear()};
    }
    return {};
  }
};

}  // namespace

JacobianDerivativesWorkspace::JacobianDerivativesWorkspace(const Tree& tree, int highest_order)
    : X_WN(tree.size()), J(tree.rate_count), rate_node(tree.rate_count), chain_ordered(highest_order) {
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    for (int k = node.v; k < node.v + rate_count(node.joint); ++k) rate_node[k] = i;
  }
}

void set_configuration(const Tree& tree, JacobianDerivativesWorkspace& workspace, std::span<const double> q) {
  require_size("q", q.size(), tree.coordinate_count);
  node_poses<double>(tree, q, workspace.X_WN);
  spatial_joint_screws<double>(tree, workspace.X_WN, workspace.J);
}

Twist<double> jacobian_derivative(const Tree& tree, JacobianDerivativesWorkspace& workspace,
                                  Representation representation, int node, int rate,
                                  std::span<const int> along) {
  assert(along.size() <= workspace.chain_ordered.size());
  const auto on_chain = [&](int k) { return is_ancestor(tree, workspace.rate_node[k], node); };
  if (!on_chain(rate) || !std::ranges::all_of(along, on_chain)) return {};
  // By insertion: stable, in place, and the indices are few.
  const std::span<int> sorted(workspace.chain_ordered.data(), along.size());
  for (std::size_t n = 0; n < along.size(); ++n) {
    std::size_t place = n;
    for (; place > 0 && workspace.rate_node[sorted[place - 1]] > workspace.rate_node[along[n]]; --place) {
      sorted[place] = sorted[place - 1];
    }
    sorted[place] = along[n];
  }
  return ChainDerivative{workspace, workspace.X_WN[node], rate, sorted}.in(representation);
}

}  // namespace torsor
