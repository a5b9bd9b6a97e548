#pragma once
// The least and the greatest value of every number that a run records, and when.

#include <span>
#include <string>
#include <vector>

#include "torsor/simulation/observation.h"

namespace torsor {

struct Extremum {
  std::string name, unit;            ///< `points.hand.position.x`, `m`
  double least = 0, least_time = 0;  ///< its value, and when first [s]
  double greatest = 0, greatest_time = 0;
};

/// Fed with rows of recorded states.
class ExtremaWatch {
 public:
  ExtremaWatch() = default;
  explicit ExtremaWatch(const std::vector<Channel>& channels);
  void feed(double time, std::span<const double> row);
  void pass(StateTape& tape);
  /// In the order of the columns, without the time; none before the first row.
  std::vector<Extremum> report() const;

 private:
  std::vector<Extremum> all_;
  bool fed_ = false;
};

}  // namespace torsor
