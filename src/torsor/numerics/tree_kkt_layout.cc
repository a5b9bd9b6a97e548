// Where the blocks of the matrix lie, found once by symbolic elimination.

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

#include "torsor/numerics/elimination.h"
#include "torsor/numerics/pinned_block.h"
#include "torsor/numerics/tree_kkt.h"

namespace torsor {
namespace {

int padded(int columns, int V) { return (columns + V - 1) / V * V; }

std::vector<std::pair<int, int>> all_couplings(const KktPattern& pattern) {
  std::vector<std::pair<int, int>> couplings = pattern.couplings;
  for (std::size_t c = 0; c < pattern.nodes.size(); ++c) {
    const int parent = pattern.nodes[c].parent;
    assert(parent < static_cast<int>(c));
    if (parent >= 0) couplings.emplace_back(parent, static_cast<int>(c));
  }
  return couplings;
}

/// Pairs a < b of bodies between which elimination fills in: a later one meets both.
std::set<std::pair<int, int>> filled_pairs(const std::vector<std::vector<int>>& neighbours) {
  std::set<std::pair<int, int>> filled;
  for (const std::vector<int>& met : neighbours) {
    for (std::size_t i = 0; i < met.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) filled.emplace(met[j], met[i]);
    }
  }
  return filled;
}

}  // namespace

std::size_t tree_product_count(const KktPattern& pattern) {
  std::size_t total = 0;
  for (const auto& list :
       eliminated_neighbours(static_cast<int>(pattern.nodes.size()), all_couplings(pattern))) {
    total += list.size() * list.size();
  }
  return total;
}

template <int W, class S>
TreeKkt<W, S>::TreeKkt(const KktPattern& pattern)
    : border_size_(static_cast<int>(pattern.border.size())),
      border_bodies_(pattern.border),
      border_lu_(pattern.sparse ? 0 : border_size_) {
  const int n = static_cast<int>(pattern.nodes.size());
  const bool sparse = pattern.sparse;
  const std::vector<std::vector<int>> neighbours = sparse ? coupled_neighbours(n, all_couplings(pattern))
                                                          : eliminated_neighbours(n, all_couplings(pattern));
  std::vector<std::vector<int>> reach(n);
  if (!sparse) reach = eliminated_reach(neighbours, pattern.border);
  const std::set<std::pair<int, int>> filled = filled_pairs(neighbours);
  std::size_t numbers = 0, y = 0, z = 0;
  const auto take = [&](int count, int aligned_to = 1) {
    const std::size_t at = (numbers + aligned_to - 1) / aligned_to * aligned_to;
    numbers = at + count;
    return at;
  };
  for (int c = 0; c < n; ++c) {
    const auto& [parent, m, pins, loosely] = pattern.nodes[c];
    assert(m >= 0 && m <= W);
    const int s = W + m, slots = static_cast<int>(neighbours[c].size());
    const int border = static_cast<int>(reach[c].size()), columns = padded(border, C);
    const bool pinned = pins && !sparse && can_be_pinned(m);
    const int width = this->width(m, pinned), left = s - 2 * kPlace;
    const auto is_loose = [&, parent = parent, loosely = loosely](int a) {
      return (pinned || !kPlain) && !sparse && a == parent && loosely && !filled.count({a, c});
    };
    const bool tied = pinned && std::any_of(neighbours[c].begin(), neighbours[c].end(), is_loose);
    const int stride = width + B * (slots - tied);
    const std::size_t rows = take(s * stride, V);
    nodes_.push_back({.multipliers = m,
                      .offset = size_,
                      .pinned = pinned,
                      .reduced = pinned ? take(left * (!kPlain    ? left
                                                       : left > 4 ? 8
                                                                  : 4),
                                               V)
                                        : 0,
                      .levers = pinned ? take((W - kPlace) * kPlace) : 0,
                      .rows = rows,
                      .stride = stride,
                      .left_stride = padded(s, V),
                      .slot = static_cast<int>(slots_.size()),
                      .slots = slots,
                      .parent_slot = -1,
                      .least = slots > 0 ? *std::min_element(neighbours[c].begin(), neighbours[c].end()) : c,
                      .reach = static_cast<int>(reach_.size()),
                      .border = border,
                      .columns = columns,
                      .y = y,
                      .z = z});
    Node& node = nodes_.back();
    size_ += s;
    reach_.insert(reach_.end(), reach[c].begin(), reach[c].end());
    y += static_cast<std::size_t>(s) * columns;
    z += static_cast<std::size_t>(border) * B;
    for (int k = 0, column = width; k < slots; ++k) {
      const int a = neighbours[c][k];
      if (a == parent) node.parent_slot = k;
      const bool loose = is_loose(a), tie = loose && pinned;
      slots_.push_back({.node = a,
                        .loose = loose,
                        .column = tie ? 0 : std::exchange(column, column + B),
                        .tie = tie ? take(Tie<W, S>::size(m), V) : 0,
                        .left = tie     ? 0
                                : loose ? take(W * m)
                                        : take(W * node.left_stride, V),
                        .targets = 0,
                        .map = map_.size()});
      for (int j : reach[c])
        map_.push_back(
            static_cast<int>(std::lower_bound(reach[a].begin(), reach[a].end(), j) - reach[a].begin()));
    }
  }
  for (const Node& node : nodes_) {
    for (int p = node.slot; !sparse && p < node.slot + node.slots; ++p) {
      slots_[p].targets = targets_.size();
      for (int q = node.slot; q < node.slot + node.slots; ++q)
        targets_.push_back(target(slots_[p].node, slots_[q].node));
    }
  }
  matrix_.resize(numbers);
  y_.resize(y);
  z_.resize(z);
  order_.resize(size_);

  border_begin_.push_back(0);
  for (const std::vector<int>& bodies : pattern.border)
    border_begin_.push_back(border_begin_.back() + static_cast<int>(bodies.size()));
  border_left_.resize(W * border_begin_.back());
  border_right_.resize(W * border_begin_.back());
  if constexpr (kPlain) {
    if (sparse) {
      link_sparse(pattern);
      return;
    }
  }
  corner_.resize(static_cast<std::size_t>(border_size_) * border_size_);
  schur_.resize(corner_.size());
  reached_.resize(padded(border_size_, C));
}

template <int W, class S>
typename TreeKkt<W, S>::Target TreeKkt<W, S>::target(int a, int b) const {
  const Node& later = nodes_[std::max(a, b)];
  if (a == b) return {later.rows, later.stride};
  const int earlier = std::min(a, b);
  int k = later.parent_slot;
  if (k < 0 || slots_[later.slot + k].node != earlier) {
    k = 0;
    while (k < later.slots && slots_[later.slot + k].node != earlier) ++k;
    assert(k < later.slots);
  }
  assert(!slots_[later.slot + k].loose);
  if (a > b) return {later.rows + slots_[later.slot + k].column, later.stride};
  return {slots_[later.slot + k].left, later.left_stride};
}

template <int W, class S>
BlockViewOf<S> TreeKkt<W, S>::block(int a, int b) {
  assert(a != b);
  const Target where = target(a, b);
  return {matrix_.data() + where.block, where.stride};
}

template <int W, class S>
void TreeKkt<W, S>::clear_nodes(int first, int end) {
  for (int c = first; c < end; ++c) {
    const Node& node = nodes_[c];
    S* rows = matrix_.data() + node.rows;
    const int height = W + node.multipliers;
    if (!node.pinned) {
      std::fill_n(rows, static_cast<std::size_t>(height) * node.stride, S(0.0));
    } else {
      for (int i = 0; i < W; ++i) {  // of a register each, for which a call is too much
        for (int j = 0; j < width(node.multipliers, true); j += V)
          store_lanes<V>(rows + i * node.stride + j, Register<V>{});
      }
    }
    for (int p = 0; p < node.slots; ++p) {
      const Slot& slot = slots_[node.slot + p];
      if (slot.loose) continue;
      S* right = rows + slot.column;
      for (int i = 0; node.pinned && i < height; ++i) std::fill_n(right + i * node.stride, B, S(0.0));
      std::fill_n(matrix_.data() + slot.left, static_cast<std::size_t>(W) * node.left_stride, S(0.0));
    }
  }
}

template <int W, class S>
void TreeKkt<W, S>::clear_border() {
  for (auto* part : {&border_left_, &border_right_, &corner_}) std::fill(part->begin(), part->end(), S(0.0));
}

template TreeKkt<3>::Target TreeKkt<3>::target(int, int) const;
template TreeKkt<6>::Target TreeKkt<6>::target(int, int) const;
template TreeKkt<3, Pack<4>>::Target TreeKkt<3, Pack<4>>::target(int, int) const;
template TreeKkt<3, Pack<8>>::Target TreeKkt<3, Pack<8>>::target(int, int) const;
template TreeKkt<6, Pack<4>>::Target TreeKkt<6, Pack<4>>::target(int, int) const;
template TreeKkt<6, Pack<8>>::Target TreeKkt<6, Pack<8>>::target(int, int) const;
template TreeKkt<3>::TreeKkt(const KktPattern&);
template TreeKkt<6>::TreeKkt(const KktPattern&);
template TreeKkt<3, Pack<4>>::TreeKkt(const KktPattern&);
template TreeKkt<3, Pack<8>>::TreeKkt(const KktPattern&);
template TreeKkt<6, Pack<4>>::TreeKkt(const KktPattern&);
template TreeKkt<6, Pack<8>>::TreeKkt(const KktPattern&);
template BlockView TreeKkt<3>::block(int, int);
template BlockView TreeKkt<6>::block(int, int);
template BlockViewOf<Pack<4>> TreeKkt<3, Pack<4>>::block(int, int);
template BlockViewOf<Pack<8>> TreeKkt<3, Pack<8>>::block(int, int);
template BlockViewOf<Pack<4>> TreeKkt<6, Pack<4>>::block(int, int);
template BlockViewOf<Pack<8>> TreeKkt<6, Pack<8>>::block(int, int);
template void TreeKkt<3>::clear_nodes(int, int);
template void TreeKkt<6>::clear_nodes(int, int);
template void TreeKkt<3, Pack<4>>::clear_nodes(int, int);
template void TreeKkt<3, Pack<8>>::clear_nodes(int, int);
template void TreeKkt<6, Pack<4>>::clear_nodes(int, int);
template void TreeKkt<6, Pack<8>>::clear_nodes(int, int);
template void TreeKkt<3>::clear_border();
template void TreeKkt<6>::clear_border();
template void TreeKkt<3, Pack<4>>::clear_border();
template void TreeKkt<3, Pack<8>>::clear_border();
template void TreeKkt<6, Pack<4>>::clear_border();
template void TreeKkt<6, Pack<8>>::clear_border();

}  // namespace torsor
