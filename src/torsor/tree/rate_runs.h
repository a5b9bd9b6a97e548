#pragma once
// The rates of a node and its ancestors as few runs of neighbours: rows of matrices over pairs of joints are
// filled run by run, contiguous and in SIMD.

#include <span>
#include <vector>

#include "torsor/tree/tree.h"

namespace torsor {

struct RateRun {
  int first, end;
};

class RateRuns {
 public:
  explicit RateRuns(const Tree& tree);

  /// Runs of the rates of `node` and all on its way to the ground; together they are disjoint.
  std::span<const RateRun> of(int node) const {
    return {runs_.data() + begin_[node], static_cast<std::size_t>(begin_[node + 1] - begin_[node])};
  }
  /// Whether every two rates share a way to the ground, so that no entry of a matrix over pairs stays zero.
  bool cover_all_pairs() const { return covers_all_pairs_; }

 private:
  std::vector<RateRun> runs_;
  std::vector<int> begin_;
  bool covers_all_pairs_ = false;
};

}  // namespace torsor
