#include "torsor/tree/rate_runs.h"

namespace torsor {

RateRuns::RateRuns(const Tree& tree) : begin_{0} {
  long covered = 0, on_one_chain = 0, rates_so_far = 0;
  for (int i = 0; i < tree.size(); ++i) {
    const std::size_t own = runs_.size();
    for (int k = i; k > 0; k = tree.nodes[k].parent) {
      const int first = tree.nodes[k].v, end = first + rate_count(tree.nodes[k].joint);
      const bool fresh = runs_.size() == own;
      if (!fresh && end == runs_.back().first) {
        runs_.back().first = first;
      } else if (!fresh && first == runs_.back().end) {
        runs_.back().end = end;
      } else if (end > first) {
        runs_.push_back({first, end});
      }
    }
    begin_.push_back(static_cast<int>(runs_.size()));
    const int rates = rate_count(tree.nodes[i].joint);
    for (const RateRun& run : of(i)) covered += static_cast<long>(rates) * (run.end - run.first);
    rates_so_far += rates;
    on_one_chain += rates * rates_so_far;
  }
  covers_all_pairs_ = covered == on_one_chain;
}

}  // namespace torsor
