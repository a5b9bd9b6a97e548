#pragma once
// Linear systems of dense blocks whose pattern is that of a tree with few more couplings, by elimination from
// the last node to the first: the elimination of tree_kkt.h for blocks of any size, without a border. Rows
// are exchanged within the blocks on the diagonal only, so these must be regular when their turn comes.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "torsor/numerics/dense_lu.h"

namespace torsor {

/// A column-major block.
struct ColumnBlock {
  double* data;
  int rows;
  double& operator()(int i, int j) const { return data[static_cast<std::size_t>(j) * rows + i]; }
};

class BlockElimination {
 public:
  /// Rows of each node, and the pairs of different nodes that the matrix couples, each once in any order.
  BlockElimination(const std::vector<int>& sizes, std::span<const std::pair<int, int>> couplings);

  int size() const { return size_; }
  int offset(int node) const { return offset_[node]; }  ///< of a node's entries in a vector

  /// Zeroes the matrix; due before it is filled again, for factorise() consumes it.
  void clear();
  ColumnBlock block(int a, int b);  ///< rows of a, columns of b; coupled by the pattern
  void factorise();
  /// x becomes the solution; not finite where the matrix is singular.
  void solve(std::span<double> x);

 private:
  struct Slot {
    int node;                 ///< a neighbour of smaller index
    std::size_t right, left;  ///< U_ca, after factorise() P_c^-1 U_ca; L_ac
  };

  int rows(int node) const { return offset_[node + 1] - offset_[node]; }
  const Slot& slot(int later, int earlier) const;

  int size_ = 0;
  std::vector<int> offset_;
  std::vector<std::vector<Slot>> slots_;
  std::vector<DenseLu> pivots_;
  std::vector<double> blocks_;
};

}  // namespace torsor
