#include "torsor/numerics/sparse_kkt.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "torsor/base/norm.h"
#include "torsor/numerics/elimination.h"
#include "torsor/numerics/jacobi_eigen.h"
#include "torsor/numerics/minimum_fill.h"
#include "torsor/numerics/small_lu.h"

namespace torsor {
namespace {

/// Below it, a pivot over what the joint's own bodies make of it is rounding. Pivots of a regular row of N
/// loops fall to 1 / N^2.
constexpr double kDependent = 1e-11;
/// Unknowns of nodes that update the rest together, so that it is read and written less often; and how many nodes
/// that must be to be worth it.
constexpr int kGroup = 24, kRest = 8;

/// Of elimination from the highest index to the lowest: the same fill in another order, in which whatever updates
/// a node goes before it as late as can be.
std::vector<int> postorder(const std::vector<std::vector<int>>& neighbours) {
  const int n = static_cast<int>(neighbours.size());
  std::vector<std::vector<int>> children(n);
  std::vector<int> open, reversed;
  for (int node = 0; node < n; ++node) {
    if (neighbours[node].empty())
      open.push_back(node);
    else
      children[neighbours[node].back()].push_back(node);
  }
  while (!open.empty()) {
    const int node = open.back();
    open.pop_back();
    reversed.push_back(node);
    open.insert(open.end(), children[node].begin(), children[node].end());
  }
  return {reversed.rbegin(), reversed.rend()};
}

}  // namespace

template <int W>
SparseKkt<W>::SparseKkt(const SparsePattern& pattern) : bodies_(pattern.bodies) {
  std::vector<int> sizes(pattern.bodies, W);
  std::vector<std::pair<int, int>> couplings = pattern.couplings;
  std::vector<std::vector<int>> after(pattern.bodies);
  for (const SparsePattern::Joint& joint : pattern.joints) {
    const int node = static_cast<int>(sizes.size());
    sizes.push_back(joint.rows);
    after.emplace_back();
    for (const int body : joint.bodies) {
      if (body < 0) continue;
      couplings.emplace_back(body, node);
      after.back().push_back(body);
    }
  }
  const int n = static_cast<int>(sizes.size());
  std::vector<int> order = minimum_fill_order(sizes, couplings, after);
  place_.resize(n);
  // Elimination goes from the highest index to the lowest there.
  const auto eliminated = [&] {
    for (int place = 0; place < n; ++place) place_[order[place]] = place;
    std::vector<std::pair<int, int>> placed;
    for (const auto& [a, b] : couplings) placed.emplace_back(n - 1 - place_[a], n - 1 - place_[b]);
    return eliminated_neighbours(n, placed);
  };
  std::vector<int> better;
  for (const int index : postorder(eliminated())) better.push_back(order[n - 1 - index]);
  order = better;
  const std::vector<std::vector<int>> neighbours = eliminated();

  std::size_t numbers = 0;
  for (int place = 0; place < n; ++place) {
    const std::vector<int>& later = neighbours[n - 1 - place];
    const int size = sizes[order[place]];
    nodes_.push_back({size, size_, numbers, static_cast<int>(slots_.size()), static_cast<int>(later.size()),
                      order[place] >= bodies_});
    size_ += size;
    numbers += static_cast<std::size_t>(size) * nodes_.back().stride();
    for (auto index = later.rbegin(); index != later.rend(); ++index) {
      const int node = n - 1 - *index;
      slots_.push_back({node, numbers, 0});
      numbers += static_cast<std::size_t>(V) * sizes[order[node]];
    }
  }
  for (const Node& node : nodes_) {
    product_count_ += static_cast<std::size_t>(node.slots) * node.slots;
    for (int p = node.slot; p < node.slot + node.slots; ++p) {
      slots_[p].ours = among_.size();
      for (int q = p + 1; q < node.slot + node.slots; ++q) {
        among_.push_back(find_slot(slots_[p].node, slots_[q].node));
      }
    }
  }
  make_groups();
  matrix_.resize(numbers);
  order_.resize(size_);
  idle_.resize(size_);
  scale_.resize(size_);
  units_.assign(size_, 1.0);
  const double* unit = pattern.units.data();
  for (std::size_t j = 0; j < pattern.joints.size(); ++j) {
    double* to = &units_[offset(joint(static_cast<int>(j)))];
    for (int row = 0; row < pattern.joints[j].rows; ++row) *to++ = *unit++;
  }
}

/// Nodes that follow each other and have their later neighbours in common form a group.
template <int W>
void SparseKkt<W>::make_groups() {
  std::size_t most_left = 0, most_right = 0;
  const int n = static_cast<int>(nodes_.size());
  for (int first = 0; first < n;) {
    int last = first, width = nodes_[first].size;
    while (last + 1 < n && nodes_[last].slots == nodes_[last + 1].slots + 1 &&
           slots_[nodes_[last].slot].node == last + 1 && width + nodes_[last + 1].size <= kGroup) {
      width += nodes_[++last].size;
    }
    if (nodes_[last].slots < kRest) last = first;
    if (last > first) {
      const std::size_t numbers = static_cast<std::size_t>(nodes_[last].slots) * width;
      most_right = std::max(most_right, V * numbers);
      most_left = std::max(most_left, W * numbers);
    }
    for (; first <= last; ++first) nodes_[first].last = last;
  }
  group_right_.resize(most_right);
  group_left_.resize(most_left);
}

/// Among the slots of the earlier one.
template <int W>
int SparseKkt<W>::find_slot(int earlier, int later) const {
  const auto first = slots_.begin() + nodes_[earlier].slot;
  const auto found = std::lower_bound(first, first + nodes_[earlier].slots, later,
                                      [](const Slot& slot, int node) { return slot.node < node; });
  return static_cast<int>(found - first);
}

/// By places.
template <int W>
typename SparseKkt<W>::Place SparseKkt<W>::between(int a, int b) const {
  const Node& earlier = nodes_[std::min(a, b)];
  if (a == b) return {earlier.rows, earlier.stride()};
  const int k = find_slot(std::min(a, b), std::max(a, b));
  if (a < b) return {earlier.rows + V * (1 + k), earlier.stride()};
  return {slots_[earlier.slot + k].left, V};
}

template <int W>
std::size_t SparseKkt<W>::entry_count() const {
  std::size_t total = 0;
  for (const Node& node : nodes_) {
    int beside = 0;
    for (int p = node.slot; p < node.slot + node.slots; ++p) beside += nodes_[slots_[p].node].size;
    total += static_cast<std::size_t>(node.size) * (node.size + 2 * beside);
  }
  return total;
}

template <int W>
void SparseKkt<W>::clear() {
  std::fill(matrix_.begin(), matrix_.end(), 0.0);
}

template <int W>
bool SparseKkt<W>::factorise_and_judge() {
  clear_idle();
  return run<Judgement::judge>();
}

template <int W>
void SparseKkt<W>::shift_joints(double shift, std::span<const double> scales) {
  for (const Node& node : nodes_) {
    if (!node.is_joint) continue;
    for (int i = 0; i < node.size; ++i) {
      matrix_[node.rows + i * (node.stride() + 1)] += shift * scales[node.offset + i];
    }
  }
}

template <int W>
int SparseKkt<W>::count_below() {
  int count = 0;
  for (const Node& node : nodes_) {
    if (node.is_joint) count += positive_count(node);
    if (!with_count<1, W>(node.size, [&]<int S>() { return eliminate<S>(node, node.slots); })) return -1;
  }
  return count;
}

/// Of the eigenvalues of a pivot.
template <int W>
int SparseKkt<W>::positive_count(const Node& node) const {
  double pivot[W * W], vectors[W * W];
  const int n = node.size;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      const double* at = matrix_.data() + node.rows;
      pivot[i * n + j] = pivot[j * n + i] = 0.5 * (at[i * node.stride() + j] + at[j * node.stride() + i]);
    }
  }
  jacobi_eigen(n, std::span(pivot).first(n * n), std::span(vectors).first(n * n));
  int count = 0;
  for (int i = 0; i < n; ++i) count += pivot[i * n + i] > 0;
  return count;
}

template <int W>
void SparseKkt<W>::clear_idle() {
  if (idle_count_ > 0) std::fill(idle_.begin(), idle_.end(), 0);
  idle_count_ = 0;
}

template <int W>
void SparseKkt<W>::set_idle(const std::vector<char>& idle) {
  idle_ = idle;
  idle_count_ = static_cast<int>(std::count(idle.begin(), idle.end(), 1));
}

template <int W>
template <typename SparseKkt<W>::Judgement kJudgement>
bool SparseKkt<W>::run() {
  constexpr bool kWatch = kJudgement != Judgement::none;
  if (kWatch) {
    least_pivot_ = 1;
    std::fill(scale_.begin(), scale_.end(), 0.0);
  }
  for (int c = 0, first = 0; c < static_cast<int>(nodes_.size()); ++c) {
    const Node& node = nodes_[c];
    if (kWatch && node.is_joint) judge(node, kJudgement == Judgement::judge);
    if (idle_count_ > 0 && node.is_joint) leave_out_idle(node);
    const int updated = node.last > first ? node.last - c : node.slots;
    if (!with_count<1, W>(node.size, [&]<int S>() { return eliminate<S>(node, updated); })) return false;
    if (kWatch && !node.is_joint) book_scales(node);
    if (c < node.last) continue;
    if (first < c) update_together(first, c);
    first = c + 1;
  }
  return true;
}

template <int W>
template <int S>
bool SparseKkt<W>::eliminate(const Node& node, int updated) {
  double* rows = matrix_.data() + node.rows;
  const int stride = node.stride();
  if (!factorise_rows<S, V>(rows, stride, &order_[node.offset])) return false;
  for (int q = 0; q < node.slots; ++q) {
    Lanes<V> x[S];
    for (int i = 0; i < S; ++i) x[i] = load_lanes<V>(rows + i * stride + V * (1 + q));
    substitute_backward<S>(rows, stride, x);
    for (int i = 0; i < S; ++i) store_lanes<V>(rows + i * stride + V * (1 + q), x[i]);
  }
  for (int p = 0; p < updated; ++p) {
    with_count<1, W>(nodes_[slots_[node.slot + p].node].size, [&]<int R>() { update<R, S>(node, p); });
  }
  return true;
}

/// What node c makes of row and column a of what is left, from the diagonal on: both lie together, and in order.
///   K_ab -= L_ac X_cb,  K_ba -= L_bc X_ca
template <int W>
template <int R, int S>
void SparseKkt<W>::update(const Node& node, int p) {
  const Slot* slots = &slots_[node.slot];
  const Node& a = nodes_[slots[p].node];
  const Slot* slots_a = slots_.data() + a.slot;
  const int* among = among_.data() + slots[p].ours - (p + 1);
  double* matrix = matrix_.data();
  const int stride = node.stride(), stride_a = a.stride();
  const double* left = matrix + slots[p].left;
  const auto load = [&](int q, Lanes<V>* x) {
    for (int k = 0; k < S; ++k) x[k] = load_lanes<V>(matrix + node.rows + k * stride + V * (1 + q));
  };
  const auto subtract = [](const double* factor, const Lanes<V>* x, double* to) {
    Lanes<V> product{};
    for (int k = 0; k < S; ++k) product += factor[k] * x[k];
    store_lanes<V>(to, load_lanes<V>(to) - product);
  };
  Lanes<V> x_a[S];
  load(p, x_a);
  for (int i = 0; i < R; ++i) subtract(left + V * i, x_a, matrix + a.rows + i * stride_a);
  for (int q = p + 1; q < node.slots; ++q) {
    Lanes<V> x[S];
    load(q, x);
    double* right = matrix + a.rows + V * (1 + among[q]);
    for (int i = 0; i < R; ++i) subtract(left + V * i, x, right + i * stride_a);
    const double* below = matrix + slots[q].left;
    double* to = matrix + slots_a[among[q]].left;
    for (int i = nodes_[slots[q].node].size; i-- > 0; below += V, to += V) subtract(below, x_a, to);
  }
}

/// The same of nodes first to last, a group, and of all that is left after it.
template <int W>
void SparseKkt<W>::update_together(int first, int last) {
  const Node& end = nodes_[last];
  const Slot* slots = slots_.data() + end.slot;
  double* matrix = matrix_.data();
  const int n = end.slots, width = end.offset + end.size - nodes_[first].offset;
  for (int c = first, k = 0; c <= last; k += nodes_[c++].size) {
    const Node& node = nodes_[c];
    const int skipped = last - c;
    for (int q = 0; q < n; ++q) {
      const double* right = matrix + node.rows + V * (1 + skipped + q);
      double* x = &group_right_[V * (static_cast<std::size_t>(q) * width + k)];
      for (int i = 0; i < node.size; ++i) store_lanes<V>(x + V * i, load_lanes<V>(right + i * node.stride()));
      const double* left = matrix + slots_[node.slot + skipped + q].left;
      double* factor = &group_left_[static_cast<std::size_t>(q) * W * width + k];
      for (int i = nodes_[slots[q].node].size; i-- > 0; left += V, factor += width) {
        for (int j = 0; j < node.size; ++j) factor[j] = left[j];
      }
    }
  }
  const auto subtract = [&]<int R>(int p, int q, double* to, int stride) {
    const double* factor = &group_left_[static_cast<std::size_t>(p) * W * width];
    const double* x = &group_right_[static_cast<std::size_t>(q) * V * width];
    Lanes<V> sum[R];
    for (int i = 0; i < R; ++i) sum[i] = load_lanes<V>(to + i * stride);
    for (int k = 0; k < width; ++k, x += V) {
      const Lanes<V> row = load_lanes<V>(x);
      for (int i = 0; i < R; ++i) sum[i] -= factor[i * width + k] * row;
    }
    for (int i = 0; i < R; ++i) store_lanes<V>(to + i * stride, sum[i]);
  };
  for (int p = 0; p < n; ++p) {
    const Node& a = nodes_[slots[p].node];
    const Slot* slots_a = slots_.data() + a.slot;
    const int* among = among_.data() + slots[p].ours - (p + 1);
    with_count<1, W>(a.size, [&]<int R>() {
      const int stride = a.stride();
      subtract.template operator()<R>(p, p, matrix + a.rows, stride);
      for (int q = p + 1; q < n; ++q) {
        subtract.template operator()<R>(p, q, matrix + a.rows + V * (1 + among[q]), stride);
        double* below = matrix + slots_a[among[q]].left;
        with_count<1, W>(nodes_[slots[q].node].size,
                         [&]<int T>() { subtract.template operator()<T>(q, p, below, V); });
      }
    });
  }
}

/// Of a body that was just eliminated: what it makes of the rows of its joints.
template <int W>
void SparseKkt<W>::book_scales(const Node& node) {
  const double* rows = matrix_.data() + node.rows;
  for (int p = 0; p < node.slots; ++p) {
    const Slot& slot = slots_[node.slot + p];
    const Node& joint = nodes_[slot.node];
    if (!joint.is_joint) continue;
    for (int i = 0; i < joint.size; ++i) {
      double product = 0;
      for (int k = 0; k < node.size; ++k) {
        product += matrix_[slot.left + V * i + k] * rows[k * node.stride() + V * (1 + p) + i];
      }
      scale_[joint.offset + i] += std::abs(product);
    }
  }
}

/// By elimination of the largest row left, again and again.
template <int W>
void SparseKkt<W>::judge(const Node& node, bool mark) {
  const double* rows = matrix_.data() + node.rows;
  const double* unit = &units_[node.offset];
  double E[W][W], scale = 0;
  for (int i = 0; i < node.size; ++i) {
    for (int j = 0; j < node.size; ++j) E[i][j] = -rows[i * node.stride() + j] / (unit[i] * unit[j]);
    keep_largest(scale, scale_[node.offset + i] / (unit[i] * unit[i]));
  }
  bool done[W] = {};
  int left = 0;
  for (int i = 0; i < node.size; ++i) {
    done[i] = idle_[node.offset + i] != 0;
    left += !done[i];
  }
  for (; left > 0; --left) {
    int best = -1;
    for (int i = 0; i < node.size; ++i) {
      if (!done[i] && (best < 0 || E[i][i] > E[best][best])) best = i;
    }
    done[best] = true;
    if (mark && !(E[best][best] > kDependent * scale)) {
      idle_[node.offset + best] = 1;
      ++idle_count_;
      continue;
    }
    least_pivot_ = smaller(least_pivot_, E[best][best] / scale);
    for (int i = 0; i < node.size; ++i) {
      if (done[i]) continue;
      const double factor = E[i][best] / E[best][best];
      for (int j = 0; j < node.size; ++j) E[i][j] -= factor * E[best][j];
    }
  }
}

template <int W>
void SparseKkt<W>::leave_out_idle(const Node& node) {
  double* rows = matrix_.data() + node.rows;
  for (int r = 0; r < node.size; ++r) {
    if (!idle_[node.offset + r]) continue;
    std::fill_n(rows + r * node.stride(), node.stride(), 0.0);
    for (int i = 0; i < node.size; ++i) rows[i * node.stride() + r] = i == r ? 1 : 0;
    for (int p = node.slot; p < node.slot + node.slots; ++p) {
      for (int i = 0; i < nodes_[slots_[p].node].size; ++i) matrix_[slots_[p].left + V * i + r] = 0;
    }
  }
}

template <int W>
void SparseKkt<W>::solve(std::span<double> x) const {
  for (const Node& node : nodes_) {
    with_count<1, W>(node.size, [&]<int S>() { reduce<S>(node, x.data()); });
  }
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
    with_count<1, W>(node->size, [&]<int S>() { substitute<S>(*node, x.data()); });
  }
}

/// x_c = P_c^-1 x_c, x_a -= L_ac x_c. Idle rows become zero.
template <int W>
template <int S>
void SparseKkt<W>::reduce(const Node& node, double* all) const {
  const double* rows = matrix_.data() + node.rows;
  const int* order = &order_[node.offset];
  double x[S];
  for (int i = 0; i < S; ++i) x[i] = idle_[node.offset + order[i]] ? 0 : all[node.offset + order[i]];
  substitute_forward<S>(rows, node.stride(), x);
  substitute_backward<S>(rows, node.stride(), x);
  for (int i = 0; i < S; ++i) all[node.offset + i] = x[i];
  for (int p = node.slot; p < node.slot + node.slots; ++p) {
    const double* left = matrix_.data() + slots_[p].left;
    const Node& later = nodes_[slots_[p].node];
    for (int i = 0; i < later.size; ++i, left += V) {
      double product = 0;
      for (int k = 0; k < S; ++k) product += left[k] * x[k];
      all[later.offset + i] -= product;
    }
  }
}

/// x_c -= X_ca x_a.
template <int W>
template <int S>
void SparseKkt<W>::substitute(const Node& node, double* all) const {
  double* x = all + node.offset;
  for (int p = 0; p < node.slots; ++p) {
    const double* right = matrix_.data() + node.rows + V * (1 + p);
    const Node& later = nodes_[slots_[node.slot + p].node];
    const double* known = all + later.offset;
    for (int i = 0; i < S; ++i) {
      double product = 0;
      for (int k = 0; k < later.size; ++k) product += right[i * node.stride() + k] * known[k];
      x[i] -= product;
    }
  }
}

template class SparseKkt<3>;
template class SparseKkt<6>;

}  // namespace torsor
