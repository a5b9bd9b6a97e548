#pragma once
// A saddle-point matrix that is filled elsewhere, block by block, and factorised as a sparse one. Rows that depend on
// others can be left out; but what those that are kept say of them is rounding magnified by the inverse of the least
// pivot. So within a step all rows are taken, with a little less than nothing on the diagonal of loops, which a few
// refinements make good, and more of them by a singular position. Left out they are where solutions must not wait for that.

#include <array>
#include <span>
#include <vector>

#include "torsor/numerics/sparse_kkt.h"

namespace torsor {

template <int W>
class GatheredKkt {
 public:
  /// Arrays that hold the matrix: of bodies and their joints, of the border's columns, of its rows.
  using Sources = std::array<const double*, 3>;
  enum Source { kMatrix, kBorderLeft, kBorderRight };

  /// `redundant`: rows that depend on others in general position.
  GatheredKkt(const SparsePattern& pattern, int redundant);

  const SparseKkt<W>& kkt() const { return kkt_; }
  /// From a block of one array, row-major, to a block of the sparse matrix.
  void copy(Source source, std::size_t from, int stride, int rows, int columns,
            typename SparseKkt<W>::Place to) {
    copies_.push_back({source, from, stride, rows, columns, to});
  }
  /// The entry in the sparse matrix of the next unknown: of the nodes, then of the border.
  void next_unknown(int entry) { entry_.push_back(entry); }
  /// Of the next row of the border: its place on the diagonal.
  void next_border_row(typename SparseKkt<W>::Place place) { border_.push_back(place); }
  double border_unit(std::size_t row) const { return kkt_.units()[border_entry(row)]; }

  bool factorise(const Sources& sources);
  /// The same of a symmetric matrix, with a look at its rank: the rows that are left out until the next time.
  bool factorise_bare(const Sources& sources);
  /// In a singular position: without all rows that depend on others here.
  bool factorise_what_is_independent(const Sources& sources);
  /// With -shift u^2 on the diagonal of the border, u the unit of a row, and no row left out, until
  /// choose_rows_again().
  bool factorise_shifted(const Sources& sources, double shift);
  void choose_rows_again();
  bool leaves_out_rows() const { return kkt_.idle_count() > 0; }
  double least_pivot() const { return pivot_; }
  /// Sets multipliers of rows that are left out to zero.
  void drop_idle(std::span<double> nodes, std::span<double> border) const;
  void solve(std::span<double> nodes, std::span<double> border);
  /// Which rows are taken, and why.
  void pass(StateTape& tape) { tape(kkt_, shift_, idle_before_, takes_all_rows_, pivot_, chosen_pivot_); }

 private:
  struct Copy {
    Source source;
    std::size_t from;
    int stride, rows, columns;
    typename SparseKkt<W>::Place to;
  };
  void gather(const Sources& sources);
  bool needs_all_rows() const { return redundant_ > 0; }
  void take_all_rows();
  void refine();
  int border_entry(std::size_t row) const { return entry_[entry_.size() - border_.size() + row]; }

  SparseKkt<W> kkt_;
  int redundant_;
  std::vector<Copy> copies_;
  std::vector<int> entry_;
  std::vector<typename SparseKkt<W>::Place> border_;
  std::vector<double> x_;
  static constexpr int kRefinements = 10;  ///< at most
  std::array<std::vector<double>, kRefinements> z_,
      w_;                                    ///< corrections, and what they take from what is left
  std::array<double, kRefinements> size_{};  ///< of the latter, squared
  std::vector<double> left_;                 ///< of a solution, in the border's rows
  double shift_ = 0;                         ///< on the diagonal of the border, where all rows are taken
  std::vector<char> idle_before_;
  bool takes_all_rows_ = false;  ///< and idle_before_ are those to be left out
  double pivot_ = 1;             ///< the least one, over what the joint's own bodies make of its rows
  double chosen_pivot_ = 0;      ///< likewise when rows were chosen
};

extern template class GatheredKkt<3>;
extern template class GatheredKkt<6>;

}  // namespace torsor
