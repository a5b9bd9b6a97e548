// Many loops: the matrix is filled as that of a tree with a border, and factorised as a sparse one.

#include <algorithm>
#include <set>
#include <utility>

#include "torsor/numerics/tree_kkt.h"

namespace torsor {

/// Joints of the tree that have rows, by their children, and then those of loops.
SparsePattern make_sparse_pattern(const KktPattern& pattern) {
  SparsePattern all;
  all.bodies = static_cast<int>(pattern.nodes.size());
  all.couplings = pattern.stiff;
  for (int c = 0; c < all.bodies; ++c) {
    const KktPattern::Node& node = pattern.nodes[c];
    if (node.multipliers > 0) all.joints.push_back({{c, node.parent}, node.multipliers});
  }
  all.joints.insert(all.joints.end(), pattern.sparse_loops.begin(), pattern.sparse_loops.end());
  all.units = pattern.units;
  return all;
}

template <int W, class S>
void TreeKkt<W, S>::link_sparse(const KktPattern& pattern) requires std::same_as<S, double> {
  using Gathered = GatheredKkt<W>;
  std::set<std::pair<int, int>> stiff;
  for (const auto& [a, b] : pattern.stiff) stiff.emplace(std::min(a, b), std::max(a, b));
  sparse_.emplace(make_sparse_pattern(pattern), pattern.redundant);
  const SparseKkt<W>& kkt = sparse_->kkt();

  int joints = 0;
  const auto copy = [&](std::size_t from, int stride, int rows, int columns, int a, int b) {
    sparse_->copy(Gathered::kMatrix, from, stride, rows, columns, kkt.place(a, b));
  };
  for (int c = 0; c < static_cast<int>(nodes_.size()); ++c) {
    const Node& node = nodes_[c];
    const int m = node.multipliers;
    const std::size_t pivot = node.rows, below = pivot + static_cast<std::size_t>(W) * node.stride;
    for (int i = 0; i < W; ++i) sparse_->next_unknown(kkt.offset(c) + i);
    copy(pivot, node.stride, W, W, c, c);
    for (int k = 0; k < node.slots; ++k) {
      const Slot& slot = slots_[node.slot + k];
      if (!stiff.count({slot.node, c})) continue;
      copy(pivot + slot.column, node.stride, W, W, c, slot.node);
      copy(slot.left, node.left_stride, W, W, slot.node, c);
    }
    if (m == 0) continue;
    const int joint = kkt.joint(joints++);
    for (int i = 0; i < m; ++i) sparse_->next_unknown(kkt.offset(joint) + i);
    copy(pivot + W, node.stride, W, m, c, joint);
    copy(below, node.stride, m, W, joint, c);
    if (node.parent_slot < 0) continue;
    const Slot& slot = slots_[node.slot + node.parent_slot];
    copy(below + slot.column, node.stride, m, W, joint, slot.node);
    copy(slot.left + W, node.left_stride, W, m, slot.node, joint);
  }
  for (int l = 0, row = 0; l < static_cast<int>(pattern.sparse_loops.size()); ++l) {
    const int joint = kkt.joint(joints++);
    for (int i = 0; i < pattern.sparse_loops[l].rows; ++i, ++row) {
      sparse_->next_unknown(kkt.offset(joint) + i);
      auto diagonal = kkt.place(joint, joint);
      diagonal.block += static_cast<std::size_t>(i) * (diagonal.stride + 1);
      sparse_->next_border_row(diagonal);
      for (std::size_t k = 0; k < border_bodies_[row].size(); ++k) {
        const int body = border_bodies_[row][k];
        const std::size_t from = static_cast<std::size_t>(W) * (border_begin_[row] + k);
        auto column = kkt.place(body, joint), along = kkt.place(joint, body);
        column.block += i;
        along.block += static_cast<std::size_t>(i) * along.stride;
        sparse_->copy(Gathered::kBorderLeft, from, 1, W, 1, column);
        sparse_->copy(Gathered::kBorderRight, from, W, 1, W, along);
      }
    }
  }
}

/// With T, L the rows of the tree and of loops, d a small shift and nu_0 what is given, the equations
///   K x + T^T lambda + L^T nu = 0,  T x = 0,  L x - d u^2 nu = d u^2 nu_0
/// make nu_0 + nu = u^-2 L x / d, normal in (u nu)^2 to all that acts on nothing, and act as K x, of order d. To
/// undo that the same is solved again with K x on the right.
template <int W, class S>
void TreeKkt<W, S>::make_least(double shift, std::span<double> nodes,
                               std::span<double> border) requires std::same_as<S, double> {
  constexpr int kRounds = 4;
  if (!sparse_ || !sparse_->leaves_out_rows()) return;
  std::vector<double> x(nodes.size()), nu(border.size());
  for (std::size_t i = 0; i < nu.size(); ++i) {
    const double unit = sparse_->border_unit(i);
    nu[i] = shift * unit * unit * border[i];
  }
  if (sparse_->factorise_shifted(sources(), shift)) {
    for (int round = 0; round < kRounds; ++round) {
      sparse_->solve(x, nu);
      for (std::size_t i = 0; i < nu.size(); ++i) border[i] += std::exchange(nu[i], 0);
      for (std::size_t c = 0; c < nodes_.size(); ++c) {
        const Node& node = nodes_[c];
        const BlockView K = pivot(static_cast<int>(c));
        double* at = &x[node.offset];
        double force[W] = {};
        for (int i = 0; i < W; ++i) {
          for (int j = 0; j < W; ++j) force[i] += K(i, j) * at[j];
        }
        std::copy_n(force, W, at);
        for (int i = 0; i < node.multipliers; ++i) nodes[node.offset + W + i] += std::exchange(at[W + i], 0);
      }
    }
  }
  sparse_->choose_rows_again();
}

template void TreeKkt<3>::make_least(double, std::span<double>, std::span<double>);
template void TreeKkt<6>::make_least(double, std::span<double>, std::span<double>);
template void TreeKkt<3>::link_sparse(const KktPattern&);
template void TreeKkt<6>::link_sparse(const KktPattern&);

}  // namespace torsor
