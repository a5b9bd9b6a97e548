#pragma once
// Linear systems of dense blocks whose pattern is that of a tree with few more couplings, by elimination from
// the last node to the first: the elimination of tree_kkt.h for blocks of any size, without a border. Rows
// are exchanged within the blocks on the diagonal only, so these must be regular when their turn comes.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "torsor/base/pack.h"
#include "torsor/numerics/aligned_vector.h"

namespace torsor {

/// A row-major block within a larger one.
struct RowBlock {
  double* data;
  int stride;
  double& operator()(int i, int j) const { return data[static_cast<std::size_t>(i) * stride + j]; }
};

class BlockElimination {
 public:
  struct Node {
    int size;
    int shared;  ///< of these, the first ones, which nodes of larger index may meet; as multipliers do not
  };

  /// `couplings`: the pairs of different nodes that the matrix couples, each once in any order.
  BlockElimination(const std::vector<Node>& nodes, std::span<const std::pair<int, int>> couplings);

  int size() const { return size_; }
  int offset(int node) const { return rows_[node].offset; }  ///< of a node's entries in a vector

  /// Zeroes the matrix; due before it is filled again, for factorise() consumes it.
  void clear();
  /// Rows of a, columns of b, coupled by the pattern; of the one with the smaller index the shared ones.
  RowBlock block(int a, int b);
  void factorise();
  /// x becomes the solution; not finite where the matrix is singular. With Pack<4> four at once.
  template <class Scalar>
  void solve(std::span<Scalar> x) const;
  void solve(std::vector<double>& x) const { solve(std::span(x)); }

 private:
  struct Slot {
    int node;          ///< a neighbour a of smaller index
    int column;        ///< of U_ca, after factorise() P_c^-1 U_ca, in the rows of c
    std::size_t left;  ///< L_ac, shared rows
    int left_stride;
  };
  struct Rows {
    Node node;
    int offset, width, stride;  ///< of P_c and all U_ca, row by row
    std::size_t begin;          ///< there; after factorise() the upper factor, with reciprocal pivots
    std::size_t lower;          ///< the lower factor, by columns
    std::vector<Slot> slots;
  };

  const Slot& slot(int later, int earlier) const;
  void eliminate(const Rows& c);

  int size_ = 0;
  std::vector<Rows> rows_;
  AlignedVector<double> matrix_, lower_;
  std::vector<int> exchanged_;  ///< by row of the whole: with which one
};

}  // namespace torsor
