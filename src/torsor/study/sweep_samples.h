#pragma once
// The values of the variables in each run of a sweep: a function of the run's number alone, so that runs may be made in
// any order, anywhere, and again.

#include <span>

#include "torsor/study/sweep_description.h"

namespace torsor {

/// All rows stay in memory until the table is written: 17 GB for this many.
inline constexpr long kMostRuns = 100'000'000;

class SweepSamples {
 public:
  /// Throws ModelError at `samples` or at the variable where the method cannot sample them.
  explicit SweepSamples(const SweepDescription& description);

  long count() const { return count_; }
  /// Of list variables the index of the item.
  void values(long run, std::span<double> values) const;

 private:
  double coordinate(long run, std::size_t variable) const;  ///< in (0, 1)

  std::vector<SweepVariable> variables_;
  SweepSampling sampling_;
  long count_ = 0;
};

}  // namespace torsor
