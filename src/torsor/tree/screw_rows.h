#pragma once
// Screws of all rates as six rows of components. A matrix over pairs of joints is filled row by row, each
// entry one pairing of a wrench with a screw: with components in rows the pairings of neighbours run in SIMD.

#include <cstddef>
#include <vector>

#include "torsor/lie/twist.h"
#include "torsor/tree/rate_runs.h"

namespace torsor {

template <class S>
class ScrewRows {
 public:
  explicit ScrewRows(int rates) : rates_(rates), rows_(6 * static_cast<std::size_t>(rates)) {}

  void set(int rate, const Twist<S>& J) {
    for (int k = 0; k < 3; ++k) {
      rows_[k * rates_ + rate] = J.angular[k];
      rows_[(k + 3) * rates_ + rate] = J.linear[k];
    }
  }
  const S* operator[](int component) const { return rows_.data() + component * rates_; }

 private:
  int rates_;
  std::vector<S> rows_;
};

/// row[c] = dot(J_c, F) over a run of columns.
template <class S>
inline void fill_pairings(const ScrewRows<S>& J, const Wrench<S>& F, const RateRun& run, S* __restrict row) {
  const S *x = J[0], *y = J[1], *z = J[2], *u = J[3], *v = J[4], *w = J[5];
  for (int c = run.first; c < run.end; ++c) {
    row[c] = x[c] * F.moment.x + y[c] * F.moment.y + z[c] * F.moment.z + u[c] * F.force.x + v[c] * F.force.y +
             w[c] * F.force.z;
  }
}

}  // namespace torsor
