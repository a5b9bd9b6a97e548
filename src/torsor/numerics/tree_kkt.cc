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

/// use<M, kPinned>(stride) with the numbers of a node; the stride, too, is known to the compiler where the rows go on into
/// the columns of at most one neighbour.
template <int W, class S>
template <class Use>
[[gnu::always_inline]] inline auto TreeKkt<W, S>::with_shape(const Node& node, Use&& use) {
  return with_count<0, W>(node.multipliers, [&]<int M>() {
    const auto with_stride = [&]<bool kPinned>() {
      constexpr int kWidth = width(M, kPinned);
      if (node.stride == kWidth)
        return use.template operator()<M, kPinned>(std::integral_constant<int, kWidth>{});
      if (node.stride == kWidth + B)
        return use.template operator()<M, kPinned>(std::integral_constant<int, kWidth + B>{});
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
      if (any(done) && node.border > 0) eliminate_border<M, kPinned>(node, stride);
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
  for (int p = 0; p < node.slots; ++p) {
    S* columns = rows + slots_[node.slot + p].column;
    for (int q = 0; q < B; q += V) {
      Register<V> x[Z];
      if constexpr (kPlain) {
        for (int i = 0; i < Z; ++i) x[i] = load_lanes<V>(columns + i * stride + q);
      } else {
        load_permuted<Z>(&order_[node.offset], columns + q, stride, x);
        substitute_forward<Z>(rows, stride, x);
      }
      substitute_backward<Z>(rows, stride, x);
      for (int i = 0; i < Z; ++i) store_lanes<V>(columns + i * stride + q, x[i]);
      subtract_products<M, false>(node, p, q, x);
    }
  }
  return regular;
}

/// Beyond W columns products are zero, and whatever lies there in the target keeps its value.
template <int W, class S>
template <class X>
[[gnu::always_inline]] inline auto TreeKkt<W, S>::subtracting(const Target& target, int column) {
  return [to = matrix_.data() + target.block + column, stride = target.stride](int i, const X& product) {
    store_lanes<V>(to + i * stride, X(load_lanes<V>(to + i * stride) - product));
  };
}

template <int W, class S>
template <int M, bool kPinned, class X>
[[gnu::always_inline]] inline void TreeKkt<W, S>::subtract_products(const Node& node, int q, int column,
                                                                    const X* x) {
  for (int p = node.slot; p < node.slot + node.slots; ++p) {
    for_each_product<M, kPinned>(slots_[p], x, subtracting<X>(targets_[slots_[p].targets + q], column));
  }
}

template <int W, class S>
template <int M, bool kPinned, class X, class Use>
[[gnu::always_inline]] inline void TreeKkt<W, S>::for_each_product(const Slot& slot, const X* x,
                                                                   Use&& use) const {
  constexpr int kStride = width(M, false);
  if constexpr (kPinned) {
    if (slot.loose) return Tie<W, S>::template for_each_product<M>(matrix_.data() + slot.tie, x + W, use);
  }
  const S* left = matrix_.data() + slot.left;
  if (!slot.loose) {
#pragma GCC unroll 12
    for (int i = 0; i < W; ++i) use(i, row_times<W + M>(left + i * kStride, x));
  } else if constexpr (M > 0) {
#pragma GCC unroll 12
    for (int i = 0; i < W; ++i) use(i, row_times<M>(left + i * M, x + W));
  }
}

/// (2) likewise. Columns of U_ca are solved for one by one, or as many as are in a register.
template <int W, class S>
template <int M, class Stride>
MaskOf<S> TreeKkt<W, S>::eliminate_pinned(Node& node, Stride stride) {
  constexpr int Z = W + M;
  S* rows = matrix_.data() + node.rows;
  S *reduced = matrix_.data() + node.reduced, *levers = matrix_.data() + node.levers;
  auto* order = &order_[node.offset];
  const MaskOf<S> regular = PinnedBlock<W, M>::factorise(rows, stride, levers, reduced, order);
  if (!any(regular)) return regular;
  for (int p = 0; p < node.slots; ++p) {
    const Slot& slot = slots_[node.slot + p];
    if (slot.loose) {
      S* tie = matrix_.data() + slot.tie;
      PinnedBlock<W, M>::respond(rows, stride, levers, reduced, order, Tie<W, S>::template response<M>(tie));
      for (int q = 0; q < W; q += V) {
        Register<V> x[Z];
        if constexpr (std::is_same_v<Stride, std::integral_constant<int, width(M, true)>>) {
          // There is nothing but the tie, which asks for multipliers alone.
          Tie<W, S>::template respond_to<M, W>(tie, q, x);
          Tie<W, S>::template for_each_product<M>(tie, x + W,
                                                  subtracting<Register<V>>(targets_[slot.targets], q));
        } else {
          Tie<W, S>::template respond_to<M, 0>(tie, q, x);
          subtract_products<M, true>(node, p, q, x);
        }
      }
      continue;
    }
    S* columns = rows + slot.column;
    for (int q = 0; q < B; q += V) {
      Register<V> x[Z];
      for (int i = 0; i < Z; ++i) x[i] = load_lanes<V>(columns + i * stride + q);
      PinnedBlock<W, M>::solve(rows, stride, levers, reduced, order, x);
      for (int i = 0; i < Z; ++i) store_lanes<V>(columns + i * stride + q, x[i]);
      subtract_products<M, true>(node, p, q, x);
    }
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
      for_each_product<M, kPinned>(slots_[p], x, [&](int i, const Register<C>& product) {
        subtract_at<C>(&y_[to.y + i * to.columns], map, columns, product);
      });
    }
    for (int r = 0; r < node.border; ++r) {
      Register<C> product{};
      for (int k = 0; k < W; ++k) product += z[r * B + k] * x[k];
      subtract_at<C>(schur + reach[r] * border_size_, reach + q, columns, product);
    }
  }
  for (int p = 0; p < node.slots; ++p) {
    const Slot& slot = slots_[node.slot + p];
    const auto target = [&](int r) { return z_.data() + nodes_[slot.node].z + map_[slot.map + r] * B; };
    if constexpr (kPinned) {
      if (slot.loose) {
        const S* tie = matrix_.data() + slot.tie;
        for (int r = 0; r < node.border; ++r) Tie<W, S>::template subtract_row<M>(tie, z + r * B, target(r));
        continue;
      }
    }
    for (int v = 0; v < B; v += V) {
      Register<V> x[W];
      for (int k = 0; k < W; ++k) x[k] = load_lanes<V>(rows + k * node.stride + slot.column + v);
      for (int r = 0; r < node.border; ++r) {
        S* to = target(r) + v;
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
    with_shape(node, [&]<int M, bool kPinned>(auto stride) {
      substitute<M, kPinned>(node, stride, nodes.data(), border.data());
    });
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
    for_each_product<M, kPinned>(slot, x, [&](int i, const S& product) { to[i] -= product; });
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
template <int M, bool kPinned, class Stride>
void TreeKkt<W, S>::substitute(const Node& node, Stride stride, S* nodes, const S* border) {
  constexpr int Z = W + M;
  S* x = nodes + node.offset;
  for (int p = 0; p < node.slots; ++p) {
    const Slot& slot = slots_[node.slot + p];
    const S* from = nodes + nodes_[slot.node].offset;
    if constexpr (kPinned) {
      if (slot.loose) {
        Tie<W, S>::template subtract_column<M>(matrix_.data() + slot.tie, from, x);
        continue;
      }
    }
    const S* right = matrix_.data() + node.rows + slot.column;
    S known[W];
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
