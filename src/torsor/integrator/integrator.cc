#include "torsor/integrator/integrator.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "torsor/base/compensated_sum.h"
#include "torsor/base/norm.h"

namespace torsor {

TreeIntegrator::TreeIntegrator(const TreeManifold& manifold, TreeState initial)
    : manifold_(manifold), state_(std::move(initial)) {
  assert(static_cast<int>(state_.q.size()) == manifold.coordinate_count());
  assert(static_cast<int>(state_.v.size()) == manifold.rate_count());
  state_.z.resize(manifold.flow_count(), 0.0);
}

double TreeIntegrator::rate_scale(double h) const { return larger(h, max_abs(state_.v)); }

double Interval::at(double fraction) const {
  return std::max(begin, std::min(end, begin + fraction * (end - begin)));
}

Interval inside(const std::vector<double>& breakpoints, double begin, double end) {
  const double rounding =
      16 * std::numeric_limits<double>::epsilon() * larger(std::abs(begin), std::abs(end));
  const auto near = [&](double t) {
    const auto kink = std::lower_bound(breakpoints.begin(), breakpoints.end(), t - rounding);
    return kink != breakpoints.end() && *kink <= t + rounding ? &*kink : nullptr;
  };
  Interval interval{begin, end};
  if (const double* kink = near(begin)) interval.begin = std::max(begin, *kink);
  if (const double* kink = near(end)) interval.end = std::nextafter(std::min(end, *kink), begin);
  return interval;
}

}  // namespace torsor
