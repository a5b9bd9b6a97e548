// Many loops: the matrix is filled as that of a tree with a border, and factorised as a sparse one.

#include <algorithm>
#include <set>

#include "torsor/numerics/tree_kkt.h"

namespace torsor {

template <int W>
void TreeKkt<W>::link_sparse(const KktPattern& pattern) {
  using Gathered = GatheredKkt<W>;
  SparsePattern all;
  all.bodies = static_cast<int>(nodes_.size());
  all.couplings = pattern.stiff;
  std::set<std::pair<int, int>> stiff;
  for (const auto& [a, b] : pattern.stiff) stiff.emplace(std::min(a, b), std::max(a, b));
  std::vector<int> joint_of(nodes_.size(), -1);
  for (int c = 0; c < all.bodies; ++c) {
    if (nodes_[c].multipliers == 0) continue;
    joint_of[c] = static_cast<int>(all.joints.size());
    all.joints.push_back({{c, pattern.nodes[c].parent}, nodes_[c].multipliers});
  }
  const int first_loop = static_cast<int>(all.joints.size());
  all.joints.insert(all.joints.end(), pattern.sparse_loops.begin(), pattern.sparse_loops.end());
  all.units = pattern.units;
  sparse_.emplace(all, pattern.redundant);
  const SparseKkt<W>& kkt = sparse_->kkt();

  const auto copy = [&](std::size_t from, int stride, int rows, int columns, int a, int b) {
    sparse_->copy(Gathered::kMatrix, from, stride, rows, columns, kkt.place(a, b));
  };
  for (int c = 0; c < all.bodies; ++c) {
    const Node& node = nodes_[c];
    const int m = node.multipliers;
    const std::size_t pivot = node.rows, below = pivot + static_cast<std::size_t>(W) * node.stride;
    for (int i = 0; i < W; ++i) sparse_->next_unknown(kkt.offset(c) + i);
    copy(pivot, node.stride, W, W, c, c);
    for (int k = 0; k < node.slots; ++k) {
      const Slot& slot = slots_[node.slot + k];
      if (!stiff.count({slot.node, c})) continue;
      const std::size_t right = node.left_stride + static_cast<std::size_t>(V) * k;
      copy(pivot + right, node.stride, W, W, c, slot.node);
      copy(slot.left, node.left_stride, W, W, slot.node, c);
    }
    if (m == 0) continue;
    const int joint = kkt.joint(joint_of[c]);
    for (int i = 0; i < m; ++i) sparse_->next_unknown(kkt.offset(joint) + i);
    copy(pivot + W, node.stride, W, m, c, joint);
    copy(below, node.stride, m, W, joint, c);
    if (node.parent_slot < 0) continue;
    const Slot& slot = slots_[node.slot + node.parent_slot];
    const std::size_t right = node.left_stride + static_cast<std::size_t>(V) * node.parent_slot;
    copy(below + right, node.stride, m, W, joint, slot.node);
    copy(slot.left + W, node.left_stride, W, m, slot.node, joint);
  }
  for (int l = 0, row = 0; l < static_cast<int>(pattern.sparse_loops.size()); ++l) {
    const int joint = kkt.joint(first_loop + l);
    for (int i = 0; i < pattern.sparse_loops[l].rows; ++i, ++row) {
      sparse_->next_unknown(kkt.offset(joint) + i);
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

template void TreeKkt<3>::link_sparse(const KktPattern&);
template void TreeKkt<6>::link_sparse(const KktPattern&);

}  // namespace torsor
