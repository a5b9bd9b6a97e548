#include "torsor/numerics/tree_kkt.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <type_traits>

#include "torsor/numerics/pinned_block.h"
#include "torsor/numerics/small_lu.h"

namespace torsor {
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

/// use<M, kPinned>(stride) with the numbers of a node; the stride, too, is known to the compiler where the node has at
/// most one neighbour.
template <int W, class S>
template <class Use>
[[gnu::always_inline]] inline auto TreeKkt<W, S>::with_shape(const Node& node, Use&& use) {
  return with_count<0, W>(node.multipliers, [&]<int M>() {
    const auto with_stride = [&]<bool kPinned>() {
      constexpr int kWidth = width(M, kPinned);
      if (node.slots == 1)
        return use.template operator()<M, kPinned>(std::integral_constant<int, kWidth + B>{});
      if (node.slots == 0) return use.template operator()<M, kPinned>(std::integral_constant<int, kWidth>{});
      return use.template operator()<M, kPinned>(node.stride);
    };
    if constexpr (can_be_pinned(M)) {
      if (node.pinned) return with_stride.template operator()<true>();
    }
    return with_stride.template operator()<false>();
  });
}

template <int W, class S>
MaskOf<S> TreeKkt<W, S>::factorise(std::span<S> nodes, std::span<S> border) {
  if constexpr (kPlain) {
    if (sparse_) return sparse_->factorise(sources());
  }
  load_border();
  return factorise_nodes(0, static_cast<int>(nodes_.size()), nodes, border);
}

template <int W, class S>
MaskOf<S> TreeKkt<W, S>::factorise_nodes(int first, int end, std::span<S> nodes, std::span<S> border) {
  MaskOf<S> all_regular = all_lanes<S>();
  for (int c = end; c-- > first;) {
    Node& node = nodes_[c];
    const MaskOf<S> regular = with_shape(node, [&]<int M, bool kPinned>(auto stride) {
      const MaskOf<S> done = [&] {
        if constexpr (kPinned) {
          return eliminate_pinned<M>(node, stride);
        } else {
          return eliminate<M>(node, stride);
        }
      }();
      if (any(done) && node.border > 0) eliminate_border<M, kPinned>(node, node.stride);
      if (any(done) && !nodes.empty()) reduce<M, kPinned>(node, stride, nodes.data(), border.data());
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
  for (int p = node.slot; p < node.slot + node.slots; ++p) {
    const Slot& slot = slots_[p];
    const Target target = targets_[slot.targets + column / B];
    // Beyond W columns the product is zero, and whatever lies there in the target keeps its value.
    S* to = matrix_.data() + target.block + column % B;
    const auto subtract = [&](auto product) {
      for (int i = 0; i < W; ++i, to += target.stride) store_lanes<V>(to, X(load_lanes<V>(to) - product(i)));
    };
    slot.loose ? subtract([&](int i) { return times<M, true>(slot, i, x); })
               : subtract([&](int i) { return times<M, false>(slot, i, x); });
  }
}

template <int W, class S>
template <int M, bool kLoose, class X>
[[gnu::always_inline]] inline X TreeKkt<W, S>::times(const Slot& slot, int i, const X* x) const {
  constexpr int kFirst = kLoose ? W : 0, kStride = kLoose ? M : width(M, false);
  const S* row = matrix_.data() + slot.left + i * kStride;
  if constexpr (kFirst == W + M) {
    return X{};
  } else {
    return row_times<W + M - kFirst>(row, x + kFirst);
  }
}

/// (2) likewise. Columns of U_ca are solved for one by one, or as many as are in a register.
template <int W, class S>
template <int M, class Stride>
MaskOf<S> TreeKkt<W, S>::eliminate_pinned(Node& node, Stride stride) {
  constexpr int Z = W + M, kWidth = width(M, true);
  S* rows = matrix_.data() + node.rows;
  S *reduced = matrix_.data() + node.reduced, *levers = matrix_.data() + node.levers;
  auto* order = &order_[node.offset];
  const MaskOf<S> regular = PinnedBlock<W, M>::factorise(rows, stride, levers, reduced, order);
  if (!any(regular)) return regular;
  for (int q = 0; q < stride - kWidth; q += V) {
    Register<V> x[Z];
    S* column = rows + kWidth + q;
    const bool loose = slots_[node.slot + q / B].loose;
    for (int i = 0; i < W; ++i) x[i] = loose ? Register<V>{} : load_lanes<V>(column + i * stride);
    for (int i = W; i < Z; ++i) x[i] = load_lanes<V>(column + i * stride);
    PinnedBlock<W, M>::solve(rows, stride, levers, reduced, order, x);
    for (int i = 0; i < Z; ++i) store_lanes<V>(column + i * stride, x[i]);
    subtract_products<M>(node, q, x);
  }
  return regular;
}

template <int W, class S>
template <int M, bool kPinned, class Stride, class X>
[[gnu::always_inline]] inline void TreeKkt<W, S>::solve_node(const Node& node, Stride stride, const S* from,
                                                             int step, X* x) const {
  constexpr int Z = W + M;
  const S* rows = matrix_.data() + node.rows;
  const auto* order = &order_[node.offset];
  if constexpr (kPinned) {
#pragma GCC unroll 12
    for (int i = 0; i < Z; ++i) {
      if constexpr (std::is_same_v<X, S>) {
        x[i] = from[i * step];
      } else {
        x[i] = load_lanes<C>(from + i * step);
      }
    }
    PinnedBlock<W, M>::solve(rows, stride, matrix_.data() + node.levers, matrix_.data() + node.reduced, order,
                             x);
  } else {
    load_permuted<Z>(order, from, step, x);
    substitute_forward<Z>(rows, stride, x);
    substitute_backward<Z>(rows, stride, x);
  }
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
template <int M, bool kPinned, class Stride>
void TreeKkt<W, S>::eliminate_border(const Node& node, Stride stride) {
  constexpr int Z = W + M;
  const S* rows = matrix_.data() + node.rows;
  const int* reach = &reach_[node.reach];
  S *y = y_.data() + node.y, *schur = schur_.data();
  const S* z = z_.data() + node.z;
  for (int q = 0; q < node.columns; q += C) {
    const int columns = std::min(C, node.border - q);
    Register<C> x[Z];
    solve_node<M, kPinned>(node, stride, y + q, node.columns, x);
    for (int i = 0; i < Z; ++i) store_lanes<C>(y + i * node.columns + q, x[i]);
    for (int p = node.slot; p < node.slot + node.slots; ++p) {
      const Node& to = nodes_[slots_[p].node];
      const int* map = &map_[slots_[p].map + q];
      for (int i = 0; i < W; ++i) {
        subtract_at<C>(&y_[to.y + i * to.columns], map, columns,
                       slots_[p].loose ? times<M, true>(slots_[p], i, x) : times<M, false>(slots_[p], i, x));
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
      for (int k = 0; k < W; ++k) x[k] = load_lanes<V>(rows + k * node.stride + node.width + B * p + v);
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
    with_shape(nodes_[c], [&]<int M, bool kPinned>(auto stride) {
      reduce<M, kPinned>(nodes_[c], stride, nodes.data(), border.data());
    });
  solve_reduced(nodes, border);
}

template <int W, class S>
void TreeKkt<W, S>::solve_reduced(std::span<S> nodes, std::span<S> border) {
  if constexpr (kPlain) {
    if (sparse_) return sparse_->solve(nodes, border);
  }
  border_lu_.solve(border);
  for (const Node& node : nodes_)
    with_shape(node,
               [&]<int M, bool>(auto stride) { substitute<M>(node, stride, nodes.data(), border.data()); });
}

/// x_c = P_c^-1 x_c, x_a -= L_ac x_c, and b -= z_c x_c on the border.
template <int W, class S>
template <int M, bool kPinned, class Stride>
void TreeKkt<W, S>::reduce(const Node& node, Stride stride, S* nodes, S* border) {
  constexpr int Z = W + M;
  S x[Z];
  solve_node<M, kPinned>(node, stride, nodes + node.offset, 1, x);
#pragma GCC unroll 12
  for (int i = 0; i < Z; ++i) nodes[node.offset + i] = x[i];
  for (int p = node.slot; p < node.slot + node.slots; ++p) {
    const Slot& slot = slots_[p];
    S* to = nodes + nodes_[slot.node].offset;
    if (slot.loose) {
#pragma GCC unroll 12
      for (int i = 0; i < W; ++i) to[i] -= times<M, true>(slot, i, x);
    } else {
#pragma GCC unroll 12
      for (int i = 0; i < W; ++i) to[i] -= times<M, false>(slot, i, x);
    }
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
template <int M, class Stride>
void TreeKkt<W, S>::substitute(const Node& node, Stride stride, S* nodes, const S* border) {
  constexpr int Z = W + M;
  S* x = nodes + node.offset;
  for (int p = 0; p < node.slots; ++p) {
    const S* right = matrix_.data() + node.rows + node.width + B * p;
    S known[W];
    const S* from = nodes + nodes_[slots_[node.slot + p].node].offset;
#pragma GCC unroll 12
    for (int k = 0; k < W; ++k) known[k] = from[k];
#pragma GCC unroll 12
    for (int i = 0; i < Z; ++i) x[i] -= row_times<W>(right + i * stride, known);
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
template class TreeKkt<3, Pack<4>>;
template class TreeKkt<3, Pack<8>>;
template class TreeKkt<6, Pack<4>>;
template class TreeKkt<6, Pack<8>>;

}  // namespace torsor
