#include "torsor/numerics/block_elimination.h"

#include <algorithm>
#include <cassert>

#include "torsor/numerics/elimination.h"

namespace torsor {
namespace {

/// y -= A x for a column-major A.
void subtract_product(const double* A, int rows, int columns, const double* x, double* y) {
  for (int k = 0; k < columns; ++k) {
    const double factor = x[k];
    if (factor == 0) continue;
    const double* column = A + static_cast<std::size_t>(k) * rows;
    for (int i = 0; i < rows; ++i) y[i] -= factor * column[i];
  }
}

}  // namespace

BlockElimination::BlockElimination(const std::vector<int>& sizes,
                                   std::span<const std::pair<int, int>> couplings) {
  for (int size : sizes) {
    offset_.push_back(size_);
    size_ += size;
    pivots_.emplace_back(size);
  }
  offset_.push_back(size_);
  std::size_t numbers = 0;
  const auto neighbours = eliminated_neighbours(static_cast<int>(sizes.size()), couplings);
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    std::vector<Slot>& slots = slots_.emplace_back();
    for (int a : neighbours[c]) {
      const std::size_t count = static_cast<std::size_t>(sizes[c]) * sizes[a];
      slots.push_back({a, numbers, numbers + count});
      numbers += 2 * count;
    }
  }
  blocks_.resize(numbers);
}

void BlockElimination::clear() {
  std::fill(blocks_.begin(), blocks_.end(), 0.0);
  for (DenseLu& pivot : pivots_) std::fill(pivot.matrix().begin(), pivot.matrix().end(), 0.0);
}

const BlockElimination::Slot& BlockElimination::slot(int later, int earlier) const {
  const std::vector<Slot>& slots = slots_[later];
  const auto found = std::lower_bound(slots.begin(), slots.end(), earlier,
                                      [](const Slot& slot, int node) { return slot.node < node; });
  assert(found != slots.end() && found->node == earlier);
  return *found;
}

ColumnBlock BlockElimination::block(int a, int b) {
  if (a == b) return {pivots_[a].matrix().data(), rows(a)};
  const std::size_t at = a > b ? slot(a, b).right : slot(b, a).left;
  return {&blocks_[at], rows(a)};
}

void BlockElimination::factorise() {
  for (int c = static_cast<int>(pivots_.size()); c-- > 0;) {
    pivots_[c].factorise();
    const int s = rows(c);
    for (const Slot& q : slots_[c]) {
      for (int j = 0; j < rows(q.node); ++j) {
        double* column = &blocks_[q.right + static_cast<std::size_t>(j) * s];
        pivots_[c].solve({column, static_cast<std::size_t>(s)});
        for (const Slot& p : slots_[c]) {
          subtract_product(&blocks_[p.left], rows(p.node), s, column, &block(p.node, q.node)(0, j));
        }
      }
    }
  }
}

void BlockElimination::solve(std::span<double> x) {
  assert(x.size() == static_cast<std::size_t>(size_));
  for (int c = static_cast<int>(pivots_.size()); c-- > 0;) {
    pivots_[c].solve(x.subspan(offset_[c], rows(c)));
    for (const Slot& p : slots_[c]) {
      subtract_product(&blocks_[p.left], rows(p.node), rows(c), &x[offset_[c]], &x[offset_[p.node]]);
    }
  }
  for (std::size_t c = 0; c < pivots_.size(); ++c) {
    for (const Slot& p : slots_[c]) {
      const int node = static_cast<int>(c);
      subtract_product(&blocks_[p.right], rows(node), rows(p.node), &x[offset_[p.node]], &x[offset_[c]]);
    }
  }
}

}  // namespace torsor
