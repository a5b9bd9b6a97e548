#include "torsor/numerics/sparse_kkt.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "torsor/base/norm.h"
#include "torsor/numerics/elimination.h"
#include "torsor/numerics/minimum_fill.h"
#include "torsor/numerics/small_lu.h"

namespace torsor {
namespace {

/// Below it, a pivot over what the joint's own bodies make of it is rounding. Pivots of a regular row of N
/// loops fall to 1 / N^2.
constexpr double kDependent = 1e-11;

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
  const std::vector<int> order = minimum_fill_order(sizes, couplings, after);
  place_.resize(n);
  for (int place = 0; place < n; ++place) place_[order[place]] = place;
  // Elimination goes from the highest index to the lowest there.
  for (auto& [a, b] : couplings) a = n - 1 - place_[a], b = n - 1 - place_[b];
  const std::vector<std::vector<int>> neighbours = eliminated_neighbours(n, couplings);

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
    for (int p = node.slot; p < node.slot + node.slots; ++p) {
      slots_[p].targets = targets_.size();
      for (int q = node.slot; q < node.slot + node.slots; ++q) {
        targets_.push_back(between(slots_[p].node, slots_[q].node));
      }
    }
  }
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

/// By places.
template <int W>
typename SparseKkt<W>::Place SparseKkt<W>::between(int a, int b) const {
  const Node& earlier = nodes_[std::min(a, b)];
  if (a == b) return {earlier.rows, earlier.stride()};
  const auto first = slots_.begin() + earlier.slot;
  const int k =
      static_cast<int>(std::lower_bound(first, first + earlier.slots, std::max(a, b),
                                        [](const Slot& slot, int node) { return slot.node < node; }) -
                       first);
  if (a < b) return {earlier.rows + V * (1 + k), earlier.stride()};
  return {slots_[earlier.slot + k].left, V};
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
  for (const Node& node : nodes_) {
    if (kWatch && node.is_joint) judge(node, kJudgement == Judgement::judge);
    if (idle_count_ > 0 && node.is_joint) leave_out_idle(node);
    if (!with_count<1, W>(node.size, [&]<int S>() { return eliminate<S>(node); })) return false;
    if (kWatch && !node.is_joint) book_scales(node);
  }
  return true;
}

template <int W>
template <int S>
bool SparseKkt<W>::eliminate(const Node& node) {
  double* rows = matrix_.data() + node.rows;
  const int stride = node.stride();
  if (!factorise_rows<S, V>(rows, stride, &order_[node.offset])) return false;
  for (int q = 0; q < node.slots; ++q) {
    Lanes<V> x[S];
    for (int i = 0; i < S; ++i) x[i] = load_lanes<V>(rows + i * stride + V * (1 + q));
    substitute_backward<S>(rows, stride, x);
    for (int i = 0; i < S; ++i) store_lanes<V>(rows + i * stride + V * (1 + q), x[i]);
    for (int p = node.slot; p < node.slot + node.slots; ++p) {
      const double* left = matrix_.data() + slots_[p].left;
      const auto [block, target_stride] = targets_[slots_[p].targets + q];
      double* to = matrix_.data() + block;
      for (int i = nodes_[slots_[p].node].size; i-- > 0; left += V, to += target_stride) {
        Lanes<V> product{};
        for (int k = 0; k < S; ++k) product += left[k] * x[k];
        store_lanes<V>(to, load_lanes<V>(to) - product);
      }
    }
  }
  return true;
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
