// Many loops: the matrix is filled as that of a tree with a border, and factorised as a sparse one.

#include <algorithm>
#include <set>

#include "torsor/numerics/tree_kkt.h"

namespace torsor {
namespace {

/// Once the least pivot has fallen by so much since rows were chosen, others may be the better ones.
constexpr double kWorse = 0.1;

}  // namespace

template <int W>
void TreeKkt<W>::link_sparse(const KktPattern& pattern) {
  using Source = typename Copy::Source;
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
  sparse_.emplace(all);
  redundant_ = pattern.redundant;
  x_.resize(sparse_->size());
  idle_before_.resize(sparse_->size());

  const auto copy = [&](Source source, std::size_t from, int stride, int rows, int columns, int a, int b) {
    copies_.push_back({source, from, stride, rows, columns, sparse_->place(a, b)});
  };
  for (int c = 0; c < all.bodies; ++c) {
    const Node& node = nodes_[c];
    const int m = node.multipliers;
    const std::size_t pivot = node.rows, below = pivot + static_cast<std::size_t>(W) * node.stride;
    for (int i = 0; i < W; ++i) entry_.push_back(sparse_->offset(c) + i);
    copy(Source::matrix, pivot, node.stride, W, W, c, c);
    for (int k = 0; k < node.slots; ++k) {
      const Slot& slot = slots_[node.slot + k];
      if (!stiff.count({slot.node, c})) continue;
      const std::size_t right = node.left_stride + static_cast<std::size_t>(V) * k;
      copy(Source::matrix, pivot + right, node.stride, W, W, c, slot.node);
      copy(Source::matrix, slot.left, node.left_stride, W, W, slot.node, c);
    }
    if (m == 0) continue;
    const int joint = sparse_->joint(joint_of[c]);
    for (int i = 0; i < m; ++i) entry_.push_back(sparse_->offset(joint) + i);
    copy(Source::matrix, pivot + W, node.stride, W, m, c, joint);
    copy(Source::matrix, below, node.stride, m, W, joint, c);
    if (node.parent_slot < 0) continue;
    const Slot& slot = slots_[node.slot + node.parent_slot];
    const std::size_t right = node.left_stride + static_cast<std::size_t>(V) * node.parent_slot;
    copy(Source::matrix, below + right, node.stride, m, W, joint, slot.node);
    copy(Source::matrix, slot.left + W, node.left_stride, W, m, slot.node, joint);
  }
  for (int l = 0, row = 0; l < static_cast<int>(pattern.sparse_loops.size()); ++l) {
    const int joint = sparse_->joint(first_loop + l);
    for (int i = 0; i < pattern.sparse_loops[l].rows; ++i, ++row) {
      entry_.push_back(sparse_->offset(joint) + i);
      for (std::size_t k = 0; k < border_bodies_[row].size(); ++k) {
        const int body = border_bodies_[row][k];
        const std::size_t from = static_cast<std::size_t>(W) * (border_begin_[row] + k);
        auto column = sparse_->place(body, joint), along = sparse_->place(joint, body);
        column.block += i;
        along.block += static_cast<std::size_t>(i) * along.stride;
        copies_.push_back({Source::border_left, from, 1, W, 1, column});
        copies_.push_back({Source::border_right, from, W, 1, W, along});
      }
    }
  }
}

template <int W>
void TreeKkt<W>::gather() {
  sparse_->clear();
  const double* const sources[] = {matrix_.data(), border_left_.data(), border_right_.data()};
  for (const Copy& copy : copies_) {
    const double* from = sources[static_cast<int>(copy.source)] + copy.from;
    const BlockView to = sparse_->at(copy.to);
    for (int i = 0; i < copy.rows; ++i, from += copy.stride) {
      for (int j = 0; j < copy.columns; ++j) to(i, j) = from[j];
    }
  }
}

template <int W>
bool TreeKkt<W>::factorise_bare() {
  if (!sparse_) return factorise();
  gather();
  if (redundant_ == 0) sparse_->clear_idle();
  if (sparse_->idle_count() == redundant_) {
    const bool regular = sparse_->factorise_and_watch();
    if (redundant_ == 0 || (regular && sparse_->least_pivot() > kWorse * chosen_pivot_)) return regular;
    gather();
  }
  idle_before_ = sparse_->idle();
  const bool usable = sparse_->factorise_and_judge();
  chosen_pivot_ = sparse_->least_pivot();
  if (sparse_->idle_count() == redundant_ ||
      std::count(idle_before_.begin(), idle_before_.end(), 1) != redundant_) {
    return usable;
  }
  sparse_->set_idle(
      idle_before_);  // in a singular position more rows depend on others: those of before are kept
  gather();
  return sparse_->factorise_and_watch();
}

template <int W>
bool TreeKkt<W>::factorise_what_is_independent() {
  gather();
  return sparse_->factorise_and_judge();
}

template <int W>
void TreeKkt<W>::drop_idle(std::span<double> nodes, std::span<double> border) const {
  if (!sparse_ || sparse_->idle_count() == 0) return;
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = sparse_->idle()[entry_[i]] ? 0 : nodes[i];
  for (std::size_t i = 0; i < border.size(); ++i) {
    border[i] = sparse_->idle()[entry_[nodes.size() + i]] ? 0 : border[i];
  }
}

template <int W>
void TreeKkt<W>::solve_sparse(std::span<double> nodes, std::span<double> border) {
  for (std::size_t i = 0; i < nodes.size(); ++i) x_[entry_[i]] = nodes[i];
  for (std::size_t i = 0; i < border.size(); ++i) x_[entry_[nodes.size() + i]] = border[i];
  sparse_->solve(x_);
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = x_[entry_[i]];
  for (std::size_t i = 0; i < border.size(); ++i) border[i] = x_[entry_[nodes.size() + i]];
}

template void TreeKkt<3>::link_sparse(const KktPattern&);
template void TreeKkt<6>::link_sparse(const KktPattern&);
template void TreeKkt<3>::gather();
template void TreeKkt<6>::gather();
template bool TreeKkt<3>::factorise_bare();
template bool TreeKkt<6>::factorise_bare();
template bool TreeKkt<3>::factorise_what_is_independent();
template bool TreeKkt<6>::factorise_what_is_independent();
template void TreeKkt<3>::drop_idle(std::span<double>, std::span<double>) const;
template void TreeKkt<6>::drop_idle(std::span<double>, std::span<double>) const;
template void TreeKkt<3>::solve_sparse(std::span<double>, std::span<double>);
template void TreeKkt<6>::solve_sparse(std::span<double>, std::span<double>);

}  // namespace torsor
