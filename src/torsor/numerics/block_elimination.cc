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

/// y -= A x
template <class Scalar>
void subtract_product(const double* A, int stride, int rows, int columns, const Scalar* x, Scalar* y) {
  for (int i = 0; i < rows; ++i, A += stride) {
    Scalar sum = y[i];
    for (int k = 0; k < columns; ++k) sum -= A[k] * x[k];
    y[i] = sum;
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

template <class Scalar>
void BlockElimination::solve(std::span<Scalar> all) const {
  assert(all.size() == static_cast<std::size_t>(size_));
  for (std::size_t node = rows_.size(); node-- > 0;) {
    const Rows& c = rows_[node];
    const int s = c.node.size;
    Scalar* x = &all[c.offset];
    for (int k = 0; k < s; ++k) std::swap(x[k], x[exchanged_[c.offset + k]]);
    const double* lower = &lower_[c.lower];
    for (int k = 0; k < s; ++k, lower += s) {
      const Scalar solved = x[k];
      for (int i = k + 1; i < s; ++i) x[i] -= lower[i] * solved;
    }
    for (int k = s; k-- > 0;) {
      const double* column = &matrix_[c.begin + k];
      const Scalar solved = x[k] * column[static_cast<std::size_t>(k) * c.stride];
      x[k] = solved;
      for (int i = 0; i < k; ++i, column += c.stride) x[i] -= *column * solved;
    }
    for (const Slot& p : c.slots) {
      subtract_product(&matrix_[p.left], p.left_stride, rows_[p.node].node.shared, s, x,
                       &all[offset(p.node)]);
    }
  }
  for (const Rows& c : rows_) {
    for (const Slot& p : c.slots) {
      subtract_product(&matrix_[c.begin + p.column], c.stride, c.node.size, rows_[p.node].node.shared,
                       &all[offset(p.node)], &all[c.offset]);
    }
  }
}

template void BlockElimination::solve(std::span<double>) const;
template void BlockElimination::solve(std::span<Pack<4>>) const;

}  // namespace torsor
