#pragma once
// A saddle-point matrix that is filled elsewhere, block by block, and factorised as a sparse one; and which of its
// rows are left out.

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

  bool factorise(const Sources& sources);
  /// The same of a symmetric matrix, with a look at its rank: the rows that are left out until the next time.
  bool factorise_bare(const Sources& sources);
  /// In a singular position: without all rows that depend on others here.
  bool factorise_what_is_independent(const Sources& sources);
  double least_pivot() const { return kkt_.least_pivot(); }
  /// Sets multipliers of rows that are left out to zero.
  void drop_idle(std::span<double> nodes, std::span<double> border) const;
  void solve(std::span<double> nodes, std::span<double> border);

 private:
  struct Copy {
    Source source;
    std::size_t from;
    int stride, rows, columns;
    typename SparseKkt<W>::Place to;
  };
  void gather(const Sources& sources);

  SparseKkt<W> kkt_;
  int redundant_;
  std::vector<Copy> copies_;
  std::vector<int> entry_;
  std::vector<double> x_;
  std::vector<char> idle_before_;
  double chosen_pivot_ = 0;  ///< the least one when rows were chosen
};

extern template class GatheredKkt<3>;
extern template class GatheredKkt<6>;

}  // namespace torsor
