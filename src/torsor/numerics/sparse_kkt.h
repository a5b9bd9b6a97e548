#pragma once
// The saddle-point matrix of bodies and of all joints between them, in any topology, factorised sparsely:
//
//   | K  B |     K_ab couples bodies, B_aj and C_ja a joint and its bodies.                               (1)
//   | C  0 |
//
// Nodes are bodies, of W unknowns, and joints, of as many as they have rows. A joint follows its bodies in
// the order of elimination, which is one of least fill otherwise. So with K positive definite every pivot
// of a joint is a Schur complement of -C K^-1 B, definite in whatever order: rows change places within a
// block only. Fill is found once by symbolic elimination, and nothing allocates after that.
//
// A row that depends on others shows as a pivot that vanishes beside what the joint's own bodies make of it.
// Such rows are idle: left out, with multipliers of zero. Which ones is judged on request and kept until the
// next time: within a step they must not change, and between steps the multipliers would jump.

#include <span>
#include <utility>
#include <vector>

#include "torsor/base/state_tape.h"
#include "torsor/numerics/aligned_vector.h"
#include "torsor/numerics/block_view.h"

namespace torsor {

struct SparsePattern {
  struct Joint {
    int bodies[2];  ///< -1: the ground
    int rows;
    bool operator==(const Joint&) const = default;
  };
  int bodies = 0;
  std::vector<Joint> joints;
  std::vector<std::pair<int, int>> couplings;  ///< of bodies
  std::vector<double> units;                   ///< of all rows of joints, so that lengths and angles compare
};

template <int W>
class SparseKkt {
 public:
  explicit SparseKkt(const SparsePattern& pattern);

  int size() const { return size_; }
  /// Body i is node i; joints follow.
  int offset(int node) const { return nodes_[place_[node]].offset; }
  int joint(int j) const { return bodies_ + j; }
  std::size_t entry_count() const;  ///< numbers in the factors
  /// Products of blocks in a factorisation.
  std::size_t product_count() const { return product_count_; }

  /// Where a block lies.
  struct Place {
    std::size_t block;
    int stride;
  };
  Place place(int row_node, int column_node) const { return between(place_[row_node], place_[column_node]); }
  BlockView at(const Place& where) { return {matrix_.data() + where.block, where.stride}; }

  /// Zeroes the matrix; due before it is filled again, for the factorisation consumes it.
  void clear();
  /// Adds `shift` times the given scale of each row to the diagonal of the joints.
  void shift_joints(double shift, std::span<const double> scales);
  /// Without the idle rows. False if a pivot vanishes or is not finite.
  bool factorise() { return run<Judgement::none>(); }
  /// The same of a symmetric matrix, with a look at its pivots.
  bool factorise_and_watch() { return run<Judgement::watch>(); }
  /// The same, and rows that depend on others become idle, and no others.
  bool factorise_and_judge();
  /// Of a symmetric matrix: how many eigenvalues of C K^-1 B are below what stands on the diagonal of the joints, by
  /// Sylvester's law of inertia; -1 if a pivot vanishes. Rounding hardly touches that number, where it may well
  /// hide which rows depend on others.
  int count_below();
  /// The least of all pivots of joints over what their own bodies make of them, when last watched or judged.
  double least_pivot() const { return least_pivot_; }

  int idle_count() const { return idle_count_; }
  const std::vector<char>& idle() const { return idle_; }  ///< by entry of a solution
  void set_idle(const std::vector<char>& idle);
  const std::vector<double>& units() const { return units_; }  ///< likewise; 1 of bodies
  /// Likewise: what its own bodies make of a row, when last watched or judged.
  const std::vector<double>& scales() const { return scale_; }
  void clear_idle();

  /// The right-hand side becomes the solution, in place.
  void solve(std::span<double> x) const;
  /// Which rows are left out, and what was found when they were judged.
  void pass(StateTape& tape) { tape(idle_count_, least_pivot_, idle_, scale_); }

 private:
  static constexpr int V = W > 4 ? 8 : 4;  ///< numbers in a register; blocks are padded to it
  struct Slot {
    int node;          ///< place of a neighbour that is eliminated later
    std::size_t left;  ///< its rows, our columns
    std::size_t ours;  ///< first of the places of our further slots among its own
  };
  struct Node {
    int size, offset;
    std::size_t rows;  ///< the pivot, then slot by slot what is right of it
    int slot, slots;
    bool is_joint;
    int last = 0;  ///< of the group that it belongs to, see make_groups()

    int stride() const { return V * (1 + slots); }
  };

  enum class Judgement { none, watch, judge };
  template <Judgement kJudgement>
  bool run();
  template <int S>
  bool eliminate(const Node& node, int updated);
  template <int R, int S>
  void update(const Node& node, int p);
  void make_groups();
  void book_scales(const Node& node);
  void judge(const Node& node, bool mark);
  void leave_out_idle(const Node& node);
  int positive_count(const Node& node) const;
  template <int S>
  void reduce(const Node& node, double* x) const;
  template <int S>
  void substitute(const Node& node, double* x) const;
  void update_together(int first, int last);
  int find_slot(int earlier, int later) const;
  Place between(int a, int b) const;

  int bodies_, size_ = 0, idle_count_ = 0;
  double least_pivot_ = 1;
  std::vector<int> place_;   ///< of a node in the order of elimination
  std::vector<Node> nodes_;  ///< in that order
  std::vector<Slot> slots_;
  std::vector<int> among_;  ///< of a slot's node: where the slots that follow this one lie among its own
  std::size_t product_count_ = 0;
  AlignedVector<double> matrix_;
  AlignedVector<double> group_right_, group_left_;  ///< X and L of a group, block by block
  std::vector<int> order_;                          ///< of the rows of every pivot after pivoting
  std::vector<char> idle_;
  std::vector<double> units_, scale_;  ///< by entry; what the joint's own bodies make of a row
};

extern template class SparseKkt<3>;
extern template class SparseKkt<6>;

}  // namespace torsor
