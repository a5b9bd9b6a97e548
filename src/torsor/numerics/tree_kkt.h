#pragma once
// The saddle-point matrix of a forest of bodies held by joints, solved by elimination from the leaves to the
// roots. Node c has W body unknowns and m_c <= W multipliers, s_c = W + m_c, and, with a the parent of c,
//
//   P_c = | K_cc  B_c |     U_ca = | K_ca |     L_ac = | K_ac  B_ac |                                    (1)
//         | C_c    0  |            | C_ca |
//
// as blocks on the diagonal, right and left of it. More couplings K_ab, K_ba join any two bodies, and a
// border of n_b rows z_i and columns y_j with a corner D joins any of them. The pattern is symmetric, values
// are not. Node c is eliminated by an LU factorisation of P_c with row pivoting, so K_cc alone may be
// singular:
//
//   X_ca = P_c^-1 U_ca,  K_ab -= L_ac X_cb,  y_a -= L_ac P_c^-1 y_c,  z_a -= z_c X_ca                     (2)
//   S = D - sum over c of z_c P_c^-1 y_c                                                                  (3)
//
// Fill lies between bodies only, and is found once by symbolic elimination. Nothing allocates after that.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "torsor/numerics/aligned_vector.h"
#include "torsor/numerics/gathered_kkt.h"
#include "torsor/numerics/restricted_lu.h"
#include "torsor/numerics/tie.h"

namespace torsor {

struct KktPattern {
  struct Node {
    int parent = -1;  ///< smaller than the node's own index; -1: the ground, which is not in the matrix
    int multipliers = 0;
    bool pinned = false;  ///< the first ones tie a point of the body to one of the parent (pinned_block.h)
    bool loose = false;   ///< K_ca = K_ac = 0, a the parent, but for what is filled in
    bool operator==(const Node&) const = default;
  };
  std::vector<Node> nodes;
  std::vector<std::pair<int, int>> couplings;  ///< bodies coupled besides parent and child
  std::vector<std::vector<int>> border;        ///< bodies that each border row and column touches
  /// For sparse_kkt.h to factorise all, where loops are the whole border. Else the border is dense.
  bool sparse = false;
  std::vector<SparsePattern::Joint> sparse_loops;  ///< then: joints of loops, in the order of its rows
  std::vector<std::pair<int, int>> stiff;          ///< all bodies a, b whose K_ab need not vanish
  std::vector<double> units;  ///< then: of the rows of joints, node by node, then of loops
  int redundant = 0;          ///< then: rows that depend on others

  bool operator==(const KktPattern&) const = default;
  bool is_stiff(int a, int b) const {
    return std::any_of(stiff.begin(), stiff.end(),
                       [&](const auto& pair) { return pair == std::pair(a, b) || pair == std::pair(b, a); });
  }
};

/// Products of blocks in an elimination along the tree, without the border.
std::size_t tree_product_count(const KktPattern& pattern);
/// The whole of it, for a sparse factorisation.
SparsePattern make_sparse_pattern(const KktPattern& pattern);

/// Of numbers, or of packs of them: as many matrices of one pattern as lanes, each with pivots of its own. Packs have
/// no sparse loops.
template <int W, class S = double>
class TreeKkt {
 public:
  explicit TreeKkt(const KktPattern& pattern);

  int size() const { return size_; }  ///< of a vector over the nodes
  /// Where a node's entries begin in such a vector: those of its body, then its multipliers.
  int offset(int node) const { return nodes_[node].offset; }
  int border_size() const { return border_size_; }

  /// Zeroes the matrix and its border; due before it is filled again, for factorise() consumes it. B and C of joints are to
  /// be set, not added to: those of pinned nodes stay as they are.
  void clear() {
    clear_nodes(0, static_cast<int>(nodes_.size()));
    clear_border();
  }
  /// The same by parts, where these are filled at once.
  void clear_nodes(int first, int end);
  void clear_border();
  /// All numbers of the nodes as they were at first.
  void forget() {
    for (AlignedVector<S>* all : {&matrix_, &y_, &z_}) std::fill(all->begin(), all->end(), S(0.0));
  }
  /// K_cc, W x W
  BlockViewOf<S> pivot(int c) { return {matrix_.data() + nodes_[c].rows, nodes_[c].stride}; }
  /// K_ab, W x W; a and b different and coupled by the pattern, not loosely
  BlockViewOf<S> block(int a, int b);
  /// Sets column j of B_c and row j of C_c, and of B_ac and C_ca, a the parent of c; without one, the latter are null.
  [[gnu::always_inline]] void set_row(int c, int j, const S* left, const S* right, const S* left_parent,
                                      const S* right_parent);
  S* border_left(int j, int k) { return &border_left_[W * (border_begin_[j] + k)]; }
  S* border_right(int j, int k) { return &border_right_[W * (border_begin_[j] + k)]; }
  S& corner(int i, int j) { return corner_[i * border_size_ + j]; }

  /// Eliminates all nodes. False, lane by lane, if a pivot vanishes or is not finite. A right-hand side is reduced on the
  /// way, for solve_reduced(): so the blocks of a large matrix are called for once.
  MaskOf<S> factorise(std::span<S> nodes = {}, std::span<S> border = {});
  /// The same by parts, from the last nodes to the first, so that a part can be filled just before: after load_border().
  /// Not where loops are sparse.
  MaskOf<S> factorise_nodes(int first, int end, std::span<S> nodes, std::span<S> border);
  /// Takes the border over for that.
  void load_border();
  /// Of all that these nodes are coupled with, the first: what was cleared down to it may take up their elimination.
  int first_neighbour(int first, int end) const {
    int least = first;
    for (int c = first; c < end; ++c) least = std::min(least, nodes_[c].least);
    return least;
  }
  /// The same of a symmetric matrix; where loops are sparse, with a look at their rank.
  MaskOf<S> factorise_bare() {
    if constexpr (kPlain) {
      if (sparse_) return sparse_->factorise_bare(sources());
    }
    return factorise();
  }
  /// S of (3), row-major, after factorise().
  std::span<const S> schur() const { return schur_; }

  /// Restricts the border's unknowns to nu = Q mu and its equations to Q^T, from factorise_border() on, until
  /// changed. Q has `rank` independent columns, row-major (BorderRank finds them); at first, and if empty, it
  /// is the identity.
  void set_border_basis(std::span<const S> basis, int rank) { border_lu_.set_basis(basis, rank); }
  /// LU of Q^T S Q; false if a pivot vanishes or is not finite.
  MaskOf<S> factorise_border() { return sparse_ ? all_lanes<S>() : border_lu_.factorise(schur_); }
  /// Smallest over largest |pivot| of that factorisation; 1 without a border, 0 if it failed.
  S border_pivot_ratio() const { return sparse_ ? S(sparse_->least_pivot()) : border_lu_.pivot_ratio(); }

  /// Where loops are sparse there is no Schur complement, but this; else null.
  const GatheredKkt<W>* sparse() const { return sparse_ ? &*sparse_ : nullptr; }
  /// Where loops are sparse and the position is singular: without all rows that depend on others here.
  bool factorise_what_is_independent() requires std::same_as<S, double> {
    return sparse_->factorise_what_is_independent(sources());
  }

  /// Where loops are sparse and some rows left out, of a symmetric matrix: changes multipliers by what acts on
  /// nothing, so that the sum over the border of (u nu)^2 is least, u the units of its rows, as BorderRank has it.
  /// `shift`: small beside C K^-1 B / u^2.
  void make_least(double shift, std::span<double> nodes,
                  std::span<double> border) requires std::same_as<S, double>;

  /// Right-hand sides become the solution, in place; the border's is Q mu.
  void solve(std::span<S> nodes, std::span<S> border);
  /// The same of what factorise() took along.
  void solve_reduced(std::span<S> nodes, std::span<S> border);
  /// How the border was factorised, on which the next factorisations depend.
  void pass(StateTape& tape) requires std::same_as<S, double> {
    tape(border_lu_);
    if (sparse_) tape(*sparse_);
  }

 private:
  /// Numbers in a register, of a block's row and of the border's columns; both are padded with zeros.
  static constexpr bool kPlain = std::same_as<S, double>;
  static constexpr int V = !kPlain ? 1 : W > 4 ? 8 : 4, C = kPlain ? 8 : 1;
  static constexpr int kPlace = W == 3 ? 2 : 3;  ///< unknowns of a body's place
  static constexpr int B = kPlain ? V : W;       ///< numbers from a block's row to the next block
  static constexpr bool can_be_pinned(int multipliers) {
    return multipliers >= kPlace &&
           (!kPlain || multipliers - kPlace <= V - W);  // a register holds (u, y, mu)
  }
  /// Of the columns before U_ca.
  static constexpr int width(int multipliers, bool pinned) {
    const int columns = pinned ? W + multipliers - kPlace : W + multipliers;
    return (columns + V - 1) / V * V;
  }
  template <int Width>
  using Register = typename RegisterOf<S, Width>::type;
  struct Slot {
    int node;          ///< a neighbour a of smaller index
    bool loose;        ///< K_ac = K_ca = 0, and nothing is filled in
    int column;        ///< of U_ca among the rows of c; of a loose one of a pinned node it stands by itself:
    std::size_t tie;   ///< B_ac and C_ca, and what C_ca makes of the node (tie.h)
    std::size_t left;  ///< else L_ac, W rows; of a loose one B_ac alone
    std::size_t targets;  ///< of the products L_ac X_cb: first of as many as c has slots
    std::size_t map;      ///< where the border columns of c lie among those of a
  };
  struct Target {
    std::size_t block;
    int stride;
  };
  struct Node {
    int multipliers, offset;
    bool pinned;
    std::size_t reduced, levers;  ///< of a pinned one: (2) and A of pinned_block.h
    std::size_t rows;             ///< P_c, then each U_ca: s_c rows
    int stride;                   ///< of these rows
    int left_stride;              ///< of L_ac
    int slot, slots;              ///< first and number
    int parent_slot;              ///< -1 at a root
    int least;                    ///< neighbour, or the node itself
    int reach, border, columns;   ///< border columns y_j that meet c: first in reach_, number, and padded
    std::size_t y, z;             ///< P_c^-1 y_j, s_c x columns; z_i, columns x B
  };

  template <int M, class Stride>
  MaskOf<S> eliminate(Node& node, Stride stride);
  template <int M, class Stride>
  MaskOf<S> eliminate_pinned(Node& node, Stride stride);
  /// Subtracts products from the rows of a target, from a column of it on.
  template <class X>
  auto subtracting(const Target& target, int column);
  /// Subtracts L_ac X_cb, b the neighbour in slot q, for one column, or as many as are in a register.
  template <int M, bool kPinned, class X>
  void subtract_products(const Node& node, int q, int column, const X* x);
  /// Hands each row of L_ac x to `use(row, product)`.
  template <int M, bool kPinned, class X, class Use>
  void for_each_product(const Slot& slot, const X* x, Use&& use) const;
  template <class Use>
  static auto with_shape(const Node& node, Use&& use);
  /// x = P_c^-1 b, for the b at from[0], from[step], ..
  template <int M, bool kPinned, class Stride, class X>
  void solve_node(const Node& node, Stride stride, const S* from, int step, X* x) const;
  template <int M, bool kPinned, class Stride>
  void eliminate_border(const Node& node, Stride stride);
  template <int M, bool kPinned, class Stride>
  void reduce(const Node& node, Stride stride, S* x, S* border);
  template <int M, bool kPinned, class Stride>
  void substitute(const Node& node, Stride stride, S* x, const S* border);
  Target target(int a, int b) const;
  void link_sparse(const KktPattern& pattern) requires std::same_as<S, double>;
  /// Plain numbers alone have sparse loops.
  typename GatheredKkt<W>::Sources sources() const {
    if constexpr (std::same_as<S, double>) {
      return {matrix_.data(), border_left_.data(), border_right_.data()};
    } else {
      return {};
    }
  }

  int size_ = 0, border_size_ = 0;
  std::vector<Node> nodes_;
  std::vector<Slot> slots_;
  std::vector<Target> targets_;
  AlignedVector<S> matrix_;
  std::vector<typename RegisterOf<S, 1>::Order> order_;  ///< of the rows of every P_c after pivoting

  std::vector<std::vector<int>> border_bodies_;
  std::vector<int> border_begin_;  ///< of each border row's vectors
  std::vector<S> border_left_, border_right_, corner_, schur_;
  std::vector<int> reach_;  ///< border indices, node by node
  std::vector<int> map_;
  AlignedVector<S> y_, z_, reached_;
  RestrictedLuOf<S> border_lu_;

  std::optional<GatheredKkt<W>> sparse_;
};

template <int W, class S>
inline void TreeKkt<W, S>::set_row(int c, int j, const S* left, const S* right, const S* left_parent,
                                   const S* right_parent) {
  const Node& node = nodes_[c];
  S *rows = matrix_.data() + node.rows, *below = rows + (W + j) * node.stride;
  for (int i = 0; i < W; ++i) below[i] = right[i];
  if (node.pinned && j < kPlace) {
    S* levers = matrix_.data() + node.levers + j;
    for (int i = kPlace; i < W; ++i) levers[(i - kPlace) * kPlace] = left[i];
  } else {
    S* column = rows + W + (node.pinned ? j - kPlace : j);
    for (int i = 0; i < W; ++i) column[i * node.stride] = left[i];
  }
  if (node.parent_slot < 0) return;
  const Slot& slot = slots_[node.slot + node.parent_slot];
  if (node.pinned && slot.loose) {
    Tie<W, S>::set_row(matrix_.data() + slot.tie, node.multipliers, j, left_parent, right_parent);
    return;
  }
  S* along = below + slot.column;
  for (int i = 0; i < W; ++i) along[i] = right_parent[i];
  for (int i = W; i < B; ++i) along[i] = 0.0;
  S* on_parent = matrix_.data() + slot.left + (slot.loose ? j : W + j);
  const int stride = slot.loose ? node.multipliers : node.left_stride;
  for (int i = 0; i < W; ++i) on_parent[i * stride] = left_parent[i];
}

extern template class TreeKkt<3>;
extern template class TreeKkt<6>;
extern template class TreeKkt<3, Pack<4>>;
extern template class TreeKkt<3, Pack<8>>;
extern template class TreeKkt<6, Pack<4>>;
extern template class TreeKkt<6, Pack<8>>;

}  // namespace torsor
