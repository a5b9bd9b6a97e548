#include "torsor/numerics/tree_kkt.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <type_traits>

#include "torsor/numerics/elimination.h"
#include "torsor/numerics/pinned_block.h"
#include "torsor/numerics/small_lu.h"

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

}  // namespace

std::size_t tree_product_count(const KktPattern& pattern) {
  std::size_t total = 0;
  for (const auto& list :
       eliminated_neighbours(static_cast<int>(pattern.nodes.size()), all_couplings(pattern))) {
    total += list.size() * list.size();
  }
  return total;
}

namespace {

template <int V, int N>
void subtract_at(Pack<N>* row, const int* at, int, const Pack<N>& number) {
  row[*at] -= number;
}
/// row[at[j]] -= numbers[j]; mostly the places follow each other.
template <int V>
void subtract_at(double* row, const int* at, int count, const Lanes<V>& numbers) {
  if (count == V && at[V - 1] == at[0] + V - 1) {
    Lanes<V> there;
    std::memcpy(&there, row + at[0], sizeof there);
    there -= numbers;
    std::memcpy(row + at[0], &there, sizeof there);
  } else {
    for (int j = 0; j < count; ++j) row[at[j]] -= numbers[j];
  }
}

}  // namespace

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
  const auto is_filled = [&](int a, int c) {  // by a later node that meets both
    return std::any_of(neighbours.begin() + c + 1, neighbours.end(), [&](const std::vector<int>& met) {
      return std::binary_search(met.begin(), met.end(), a) && std::binary_search(met.begin(), met.end(), c);
    });
  };
  std::size_t numbers = 0, y = 0, z = 0, reduced = 0;
  for (int c = 0; c < n; ++c) {
    const auto& [parent, multipliers, pinned, loose] = pattern.nodes[c];
    assert(multipliers >= 0 && multipliers <= W);
    const int s = W + multipliers, slots = static_cast<int>(neighbours[c].size());
    const int border = static_cast<int>(reach[c].size()), columns = padded(border, C);
    nodes_.push_back({.multipliers = multipliers,
                      .offset = size_,
                      .pinned = !kPlain && pinned,
                      .reduced = reduced,
                      .rows = numbers,
                      .stride = padded(s, V) + B * slots,
                      .left_stride = padded(s, V),
                      .slot = static_cast<int>(slots_.size()),
                      .slots = slots,
                      .parent_slot = -1,
                      .reach = static_cast<int>(reach_.size()),
                      .border = border,
                      .columns = columns,
                      .y = y,
                      .z = z});
    Node& node = nodes_.back();
    size_ += s;
    if (node.pinned) reduced += static_cast<std::size_t>(s - 2 * kPlace) * (s - 2 * kPlace);
    numbers += static_cast<std::size_t>(s) * node.stride;
    reach_.insert(reach_.end(), reach[c].begin(), reach[c].end());
    y += static_cast<std::size_t>(s) * columns;
    z += static_cast<std::size_t>(border) * B;
    for (int k = 0; k < slots; ++k) {
      const int a = neighbours[c][k];
      if (a == parent) node.parent_slot = k;
      slots_.push_back({.node = a,
                        .loose = !kPlain && a == parent && loose && !is_filled(a, c),
                        .left = numbers,
                        .targets = 0,
                        .map = map_.size()});
      numbers += static_cast<std::size_t>(W) * node.left_stride;
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
  reduced_.resize(reduced);
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
  if (a > b) return {later.rows + later.left_stride + B * k, later.stride};
  return {slots_[later.slot + k].left, later.left_stride};
}

template <int W, class S>
BlockViewOf<S> TreeKkt<W, S>::block(int a, int b) {
  assert(a != b);
  return view(target(a, b));
}

template <int W, class S>
BlockViewOf<S> TreeKkt<W, S>::right(int c) {
  const Node& node = nodes_[c];
  assert(node.parent_slot >= 0);
  return {matrix_.data() + node.rows + W * node.stride + node.left_stride + B * node.parent_slot,
          node.stride};
}

template <int W, class S>
BlockViewOf<S> TreeKkt<W, S>::left(int c) {
  const Node& node = nodes_[c];
  assert(node.parent_slot >= 0);
  return {matrix_.data() + slots_[node.slot + node.parent_slot].left + W, node.left_stride};
}

template <int W, class S>
void TreeKkt<W, S>::clear() {
  for (const Node& node : nodes_) {
    const int slots = node.slot + node.slots;
    S* rows = matrix_.data() + node.rows;
    if (!node.pinned) {
      std::fill_n(rows, static_cast<std::size_t>(W + node.multipliers) * node.stride, S(0.0));
    }
    for (int i = 0; node.pinned && i < W; ++i) std::fill_n(rows + i * node.stride, W, S(0.0));
    for (int p = node.slot; p < slots; ++p) {
      if (slots_[p].loose) continue;
      S* right = rows + node.left_stride + B * (p - node.slot);
      for (int i = 0; node.pinned && i < W + node.multipliers; ++i)
        std::fill_n(right + i * node.stride, W, S(0.0));
      std::fill_n(matrix_.data() + slots_[p].left, static_cast<std::size_t>(W) * node.left_stride, S(0.0));
    }
  }
  for (auto* part : {&border_left_, &border_right_, &corner_}) std::fill(part->begin(), part->end(), S(0.0));
}

template <int W, class S>
MaskOf<S> TreeKkt<W, S>::factorise() {
  if constexpr (kPlain) {
    if (sparse_) return sparse_->factorise(sources());
  }
  load_border();
  MaskOf<S> all_regular = all_lanes<S>();
  for (std::size_t c = nodes_.size(); c-- > 0;) {
    Node& node = nodes_[c];
    const MaskOf<S> regular = with_count<0, W>(node.multipliers, [&]<int M>() {
      constexpr int kRows = (W + M + V - 1) / V * V;
      const auto with_stride = [&](auto stride) -> MaskOf<S> {
        if constexpr (!kPlain && M >= kPlace) {
          if (node.pinned) return eliminate_pinned<M>(node, stride);
        }
        return eliminate<M>(node, stride);
      };
      const MaskOf<S> done = node.slots == 1   ? with_stride(std::integral_constant<int, kRows + B>{})
                             : node.slots == 0 ? with_stride(std::integral_constant<int, kRows>{})
                                               : with_stride(node.stride);
      if (any(done) && node.border > 0) eliminate_border<M>(node);
      return done;
    });
    all_regular = all_regular & regular;
    if (!any(all_regular)) return all_regular;
  }
  return all_regular;
}

/// (2) within the matrix.
template <int W, class S>
template <int M, class Stride>
MaskOf<S> TreeKkt<W, S>::eliminate(Node& node, Stride stride) {
  constexpr int Z = W + M;
  S* rows = matrix_.data() + node.rows;
  const MaskOf<S> regular = factorise_rows<Z, V>(rows, stride, &order_[node.offset]);
  if (!any(regular)) return regular;
  constexpr int kPivot = (Z + V - 1) / V * V;
  for (int q = 0; q < stride - kPivot; q += V) {
    Register<V> x[Z];
    if constexpr (kPlain) {
      for (int i = 0; i < Z; ++i) x[i] = load_lanes<V>(rows + i * stride + kPivot + q);
    } else {
      load_permuted<Z>(&order_[node.offset], rows + kPivot + q, stride, x);
      substitute_forward<Z>(rows, stride, x);
    }
    substitute_backward<Z>(rows, stride, x);
    for (int i = 0; i < Z; ++i) store_lanes<V>(rows + i * stride + kPivot + q, x[i]);
    subtract_products<M>(node, q, x);
  }
  return regular;
}

template <int W, class S>
template <int M, class X>
[[gnu::always_inline]] inline void TreeKkt<W, S>::subtract_products(const Node& node, int column,
                                                                    const X* x) {
  constexpr int Z = W + M, kPivot = (Z + V - 1) / V * V;
  for (int p = node.slot; p < node.slot + node.slots; ++p) {
    const S* left = matrix_.data() + slots_[p].left;
    const auto [block, target_stride] = targets_[slots_[p].targets + column / B];
    // Beyond W columns the product is zero, and whatever lies there in the target keeps its value.
    S* to = matrix_.data() + block + column % B;
    for (int i = 0; i < W; ++i, to += target_stride) {
      store_lanes<V>(to, X(load_lanes<V>(to) - times<M>(slots_[p], left + i * kPivot, x)));
    }
  }
}

/// A row of L_ac times x.
template <int W, class S>
template <int M, class X>
[[gnu::always_inline]] inline X TreeKkt<W, S>::times(const Slot& slot, const S* row, const X* x) const {
  X product{};
  if (!slot.loose) {
    for (int k = 0; k < W; ++k) product += row[k] * x[k];
  }
  for (int k = W; k < W + M; ++k) product += row[k] * x[k];
  return product;
}

/// (2) likewise; the columns of U_ca are solved for one by one.
template <int W, class S>
template <int M, class Stride>
MaskOf<S> TreeKkt<W, S>::eliminate_pinned(Node& node, Stride stride) {
  constexpr int Z = W + M;
  S *rows = matrix_.data() + node.rows, *reduced = reduced_.data() + node.reduced;
  const MaskOf<S> regular = PinnedBlock<W, M>::factorise(rows, stride, reduced, &order_[node.offset]);
  if (!any(regular)) return regular;
  for (int q = 0; q < stride - Z; ++q) {
    S x[Z];
    const bool loose = slots_[node.slot + q / W].loose;
    for (int i = 0; i < W; ++i) x[i] = loose ? S(0.0) : rows[i * stride + Z + q];
    for (int i = W; i < Z; ++i) x[i] = rows[i * stride + Z + q];
    PinnedBlock<W, M>::solve(rows, stride, reduced, &order_[node.offset], x);
    for (int i = 0; i < Z; ++i) rows[i * stride + Z + q] = x[i];
    subtract_products<M>(node, q, x);
  }
  return regular;
}

template <int W, class S>
template <int M, class X>
[[gnu::always_inline]] inline void TreeKkt<W, S>::load_solved(const Node& node, const S* from, int stride,
                                                              X* x) const {
  constexpr int Z = W + M;
  const S* rows = matrix_.data() + node.rows;
  const auto* order = &order_[node.offset];
  if constexpr (!kPlain && M >= kPlace) {
    if (node.pinned) {
      for (int i = 0; i < Z; ++i) x[i] = from[i * stride];
      return PinnedBlock<W, M>::solve(rows, node.stride, reduced_.data() + node.reduced, order, x);
    }
  }
  load_permuted<Z>(order, from, stride, x);
  substitute_forward<Z>(rows, node.stride, x);
  substitute_backward<Z>(rows, node.stride, x);
}

template <int W, class S>
void TreeKkt<W, S>::load_border() {
  if (border_size_ == 0) return;
  schur_ = corner_;
  std::fill(y_.begin(), y_.end(), S(0.0));
  std::fill(z_.begin(), z_.end(), S(0.0));
  for (int j = 0; j < border_size_; ++j) {
    for (std::size_t k = 0; k < border_bodies_[j].size(); ++k) {
      const Node& node = nodes_[border_bodies_[j][k]];
      const int* first = &reach_[node.reach];
      const int column = static_cast<int>(std::lower_bound(first, first + node.border, j) - first);
      for (int i = 0; i < W; ++i) {
        y_[node.y + i * node.columns + column] += border_left(j, static_cast<int>(k))[i];
        z_[node.z + column * B + i] += border_right(j, static_cast<int>(k))[i];
      }
    }
  }
}

/// (2) and (3) of the border's rows and columns that meet the node.
template <int W, class S>
template <int M>
void TreeKkt<W, S>::eliminate_border(const Node& node) {
  constexpr int Z = W + M;
  const S* rows = matrix_.data() + node.rows;
  const int* reach = &reach_[node.reach];
  S *y = y_.data() + node.y, *schur = schur_.data();
  const S* z = z_.data() + node.z;
  for (int q = 0; q < node.columns; q += C) {
    const int columns = std::min(C, node.border - q);
    Register<C> x[Z];
    load_solved<M>(node, y + q, node.columns, x);
    for (int i = 0; i < Z; ++i) store_lanes<C>(y + i * node.columns + q, x[i]);
    for (int p = node.slot; p < node.slot + node.slots; ++p) {
      const Node& to = nodes_[slots_[p].node];
      const int* map = &map_[slots_[p].map + q];
      const S* left = matrix_.data() + slots_[p].left;
      for (int i = 0; i < W; ++i) {
        subtract_at<C>(&y_[to.y + i * to.columns], map, columns,
                       times<M>(slots_[p], left + i * node.left_stride, x));
      }
    }
    for (int r = 0; r < node.border; ++r) {
      Register<C> product{};
      for (int k = 0; k < W; ++k) product += z[r * B + k] * x[k];
      subtract_at<C>(schur + reach[r] * border_size_, reach + q, columns, product);
    }
  }
  for (int p = 0; p < node.slots; ++p) {
    const Slot& slot = slots_[node.slot + p];
    for (int v = 0; v < B; v += V) {
      Register<V> x[W];
      for (int k = 0; k < W; ++k) x[k] = load_lanes<V>(rows + k * node.stride + node.left_stride + B * p + v);
      for (int r = 0; r < node.border; ++r) {
        S* to = z_.data() + nodes_[slot.node].z + map_[slot.map + r] * B + v;
        Register<V> sum = load_lanes<V>(to);
        for (int k = 0; k < W; ++k) sum -= z[r * B + k] * x[k];
        store_lanes<V>(to, sum);
      }
    }
  }
}

template <int W, class S>
void TreeKkt<W, S>::solve(std::span<S> nodes, std::span<S> border) {
  assert(nodes.size() == static_cast<std::size_t>(size_));
  assert(border.size() == static_cast<std::size_t>(border_size_));
  if constexpr (kPlain) {
    if (sparse_) return sparse_->solve(nodes, border);
  }
  for (std::size_t c = nodes_.size(); c-- > 0;)
    with_count<0, W>(nodes_[c].multipliers,
                     [&]<int M>() { reduce<M>(nodes_[c], nodes.data(), border.data()); });
  border_lu_.solve(border);
  for (const Node& node : nodes_)
    with_count<0, W>(node.multipliers, [&]<int M>() { substitute<M>(node, nodes.data(), border.data()); });
}

/// x_c = P_c^-1 x_c, x_a -= L_ac x_c, and b -= z_c x_c on the border.
template <int W, class S>
template <int M>
void TreeKkt<W, S>::reduce(const Node& node, S* nodes, S* border) {
  constexpr int Z = W + M, kPivot = (Z + V - 1) / V * V;
  S x[Z];
  load_solved<M>(node, nodes + node.offset, 1, x);
  for (int i = 0; i < Z; ++i) nodes[node.offset + i] = x[i];
  for (int p = node.slot; p < node.slot + node.slots; ++p) {
    const S* left = matrix_.data() + slots_[p].left;
    S* to = nodes + nodes_[slots_[p].node].offset;
    for (int i = 0; i < W; ++i) to[i] -= times<M>(slots_[p], left + i * kPivot, x);
  }
  const S* z = z_.data() + node.z;
  for (int r = 0; r < node.border; ++r) {
    S product(0.0);
    for (int k = 0; k < W; ++k) product += z[r * B + k] * x[k];
    border[reach_[node.reach + r]] -= product;
  }
}

/// x_c -= X_ca x_a + P_c^-1 y_c nu.
template <int W, class S>
template <int M>
void TreeKkt<W, S>::substitute(const Node& node, S* nodes, const S* border) {
  constexpr int Z = W + M;
  S* x = nodes + node.offset;
  for (int p = 0; p < node.slots; ++p) {
    const S* right = matrix_.data() + node.rows + node.left_stride + B * p;
    S known[W];
    std::copy_n(nodes + nodes_[slots_[node.slot + p].node].offset, W, known);
    for (int i = 0; i < Z; ++i) {
      S product(0.0);
      for (int k = 0; k < W; ++k) product += right[i * node.stride + k] * known[k];
      x[i] -= product;
    }
  }
  if (node.border == 0) return;
  for (int r = 0; r < node.border; ++r) reached_[r] = border[reach_[node.reach + r]];
  std::fill_n(reached_.begin() + node.border, node.columns - node.border, S(0.0));
  for (int i = 0; i < Z; ++i) {
    const S* y = &y_[node.y + i * node.columns];
    Register<C> products{};
    for (int r = 0; r < node.columns; r += C) products += load_lanes<C>(y + r) * load_lanes<C>(&reached_[r]);
    if constexpr (kPlain) {
      for (int k = 0; k < C; ++k) x[i] -= products[k];
    } else {
      x[i] -= products;
    }
  }
}

template class TreeKkt<3>;
template class TreeKkt<6>;
template class TreeKkt<3, StepPack>;
template class TreeKkt<6, StepPack>;

}  // namespace torsor
