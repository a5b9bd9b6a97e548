#include "torsor/numerics/block_elimination.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "torsor/numerics/elimination.h"

namespace torsor {
namespace {

constexpr int kChunk = 8;  // numbers of a cache line
int padded(int count) { return (count + kChunk - 1) / kChunk * kChunk; }

/// y -= factor x
void subtract_chunks(double factor, const double* x, int count, double* y) {
  for (int at = 0; at < count; at += kChunk) {
    for (int i = 0; i < kChunk; ++i) y[at + i] -= factor * x[at + i];
  }
}
void subtract(double factor, const double* x, int count, double* y) {
  for (int i = 0; i < count; ++i) y[i] -= factor * x[i];
}

/// The rows y_i -= A_ik x_k of several right-hand sides.
template <int Lanes>
void subtract_product(const double* A, int stride, int rows, int columns, const double* x, double* y) {
  for (int i = 0; i < rows; ++i) {
    double sum[Lanes]{};
    for (int k = 0; k < columns; ++k) {
      for (int lane = 0; lane < Lanes; ++lane) {
        sum[lane] += A[static_cast<std::size_t>(i) * stride + k] * x[Lanes * k + lane];
      }
    }
    for (int lane = 0; lane < Lanes; ++lane) y[Lanes * i + lane] -= sum[lane];
  }
}

}  // namespace

BlockElimination::BlockElimination(const std::vector<Node>& nodes,
                                   std::span<const std::pair<int, int>> couplings) {
  const auto neighbours = eliminated_neighbours(static_cast<int>(nodes.size()), couplings);
  std::size_t numbers = 0, lower = 0;
  for (std::size_t c = 0; c < nodes.size(); ++c) {
    const int s = nodes[c].size;
    Rows rows{nodes[c], size_, s, 0, numbers, lower, {}};
    for (int a : neighbours[c]) {
      rows.slots.push_back({a, rows.width, 0, 0});
      rows.width += nodes[a].shared;
    }
    rows.stride = padded(rows.width);
    numbers += static_cast<std::size_t>(s) * rows.stride;
    for (Slot& slot : rows.slots) {
      slot.left = numbers;
      slot.left_stride = padded(s);
      numbers += static_cast<std::size_t>(nodes[slot.node].shared) * slot.left_stride;
    }
    lower += static_cast<std::size_t>(s) * s;
    size_ += s;
    rows_.push_back(std::move(rows));
  }
  matrix_.resize(numbers);
  lower_.resize(lower);
  exchanged_.resize(size_);
}

void BlockElimination::clear() { std::fill(matrix_.begin(), matrix_.end(), 0.0); }

const BlockElimination::Slot& BlockElimination::slot(int later, int earlier) const {
  const std::vector<Slot>& slots = rows_[later].slots;
  const auto found = std::lower_bound(slots.begin(), slots.end(), earlier,
                                      [](const Slot& slot, int node) { return slot.node < node; });
  assert(found != slots.end() && found->node == earlier);
  return *found;
}

RowBlock BlockElimination::block(int a, int b) {
  if (a >= b) {
    const int column = a == b ? 0 : slot(a, b).column;
    return {&matrix_[rows_[a].begin + column], rows_[a].stride};
  }
  const Slot& left = slot(b, a);
  return {&matrix_[left.left], left.left_stride};
}

/// P_c = L U with row pivoting, along with all U_ca; then these are solved for.
void BlockElimination::eliminate(const Rows& c) {
  const int s = c.node.size;
  const auto row = [&](int i) { return &matrix_[c.begin + static_cast<std::size_t>(i) * c.stride]; };
  for (int k = 0; k < s; ++k) {
    int best = k;
    for (int i = k + 1; i < s; ++i) {
      if (std::abs(row(i)[k]) > std::abs(row(best)[k])) best = i;
    }
    exchanged_[c.offset + k] = best;
    double* lower = &lower_[c.lower];
    if (best != k) {
      std::swap_ranges(row(k), row(k) + c.stride, row(best));
      for (int j = 0; j < k; ++j) std::swap(lower[j * s + k], lower[j * s + best]);
    }
    double* pivot = row(k);
    const double reciprocal = 1 / pivot[k];
    const int from = k / kChunk * kChunk;  // zeros before k do no harm
    for (int i = k + 1; i < s; ++i) {
      const double factor = row(i)[k] * reciprocal;
      lower[k * s + i] = factor;
      if (factor == 0) continue;
      subtract_chunks(factor, pivot + from, c.stride - from, row(i) + from);
      row(i)[k] = 0;
    }
    pivot[k] = reciprocal;
  }
  if (c.slots.empty()) return;
  const int count = c.width - s;
  for (int k = s; k-- > 0;) {
    double* solved = row(k) + s;
    const double reciprocal = row(k)[k];
    for (int j = 0; j < count; ++j) solved[j] *= reciprocal;
    for (int i = 0; i < k; ++i) {
      if (row(i)[k] != 0) subtract(row(i)[k], solved, count, row(i) + s);
    }
  }
}

void BlockElimination::factorise() {
  for (std::size_t node = rows_.size(); node-- > 0;) {
    const Rows& c = rows_[node];
    eliminate(c);
    for (const Slot& p : c.slots) {
      for (const Slot& q : c.slots) {
        const RowBlock target = block(p.node, q.node);
        const int count = rows_[q.node].node.shared;
        for (int i = 0; i < rows_[p.node].node.shared; ++i) {
          const double* left = &matrix_[p.left + static_cast<std::size_t>(i) * p.left_stride];
          const double* solved = &matrix_[c.begin + q.column];
          for (int k = 0; k < c.node.size; ++k, solved += c.stride) {
            if (left[k] != 0) subtract(left[k], solved, count, &target(i, 0));
          }
        }
      }
    }
  }
}

template <int Lanes>
void BlockElimination::solve(std::span<double> all) const {
  assert(all.size() == static_cast<std::size_t>(size_) * Lanes);
  const auto of_node = [&](int node) { return all.data() + static_cast<std::size_t>(Lanes) * offset(node); };
  for (std::size_t node = rows_.size(); node-- > 0;) {
    const Rows& c = rows_[node];
    const int s = c.node.size;
    double* x = of_node(static_cast<int>(node));
    for (int k = 0; k < s; ++k) {
      const int other = exchanged_[c.offset + k];
      if (other != k) std::swap_ranges(x + Lanes * k, x + Lanes * (k + 1), x + Lanes * other);
    }
    const double* lower = &lower_[c.lower];
    double solved[Lanes];
    for (int k = 0; k < s; ++k) {
      for (int lane = 0; lane < Lanes; ++lane) solved[lane] = x[Lanes * k + lane];
      for (int i = k + 1; i < s; ++i) {
        for (int lane = 0; lane < Lanes; ++lane) x[Lanes * i + lane] -= lower[k * s + i] * solved[lane];
      }
    }
    const double* upper = &matrix_[c.begin];
    for (int k = s; k-- > 0;) {
      const double* column = upper + k;
      const double reciprocal = column[static_cast<std::size_t>(k) * c.stride];
      for (int lane = 0; lane < Lanes; ++lane) {
        solved[lane] = x[Lanes * k + lane] = x[Lanes * k + lane] * reciprocal;
      }
      for (int i = 0; i < k; ++i, column += c.stride) {
        for (int lane = 0; lane < Lanes; ++lane) x[Lanes * i + lane] -= *column * solved[lane];
      }
    }
    for (const Slot& p : c.slots) {
      subtract_product<Lanes>(&matrix_[p.left], p.left_stride, rows_[p.node].node.shared, s, x,
                              of_node(p.node));
    }
  }
  for (std::size_t node = 0; node < rows_.size(); ++node) {
    const Rows& c = rows_[node];
    for (const Slot& p : c.slots) {
      subtract_product<Lanes>(&matrix_[c.begin + p.column], c.stride, c.node.size, rows_[p.node].node.shared,
                              of_node(p.node), of_node(static_cast<int>(node)));
    }
  }
}

template void BlockElimination::solve<1>(std::span<double>) const;
template void BlockElimination::solve<4>(std::span<double>) const;

}  // namespace torsor
