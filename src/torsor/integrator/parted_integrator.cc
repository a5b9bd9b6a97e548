#include "torsor/integrator/parted_integrator.h"

#include <cmath>
#include <limits>

#include "torsor/base/error.h"

namespace torsor {
namespace {

/// Of a step: the shortest part is a 1024th.
constexpr int kMostHalvings = 10;
/// With which a step begins anew that was not found from fewer: a longer part may have led where nothing leads on.
constexpr int kFirstHalvings[] = {1, 4, 7};
/// One after the other, so that a step that rounding keeps from being exact loses as little as can be.
constexpr double kLeniencies[] = {1, 1e2, 1e4, 1e6, std::numeric_limits<double>::infinity()};
/// For each of these, so that a step that cannot be found ends.
constexpr int kMostTries = 2000;

}  // namespace

bool PartedIntegrator::try_part(double h, int halvings) {
  if (tries_left_-- <= 0) return false;
  if (try_step(h)) return true;
  forget();
  return halvings < kMostHalvings && try_part(0.5 * h, halvings + 1) && try_part(0.5 * h, halvings + 1);
}

bool PartedIntegrator::try_parts(double h, int halvings) {
  const int parts = 1 << halvings;
  for (int part = 0; part < parts; ++part) {
    if (!try_part(h / parts, halvings)) return false;
  }
  return true;
}

void PartedIntegrator::step(double h) {
  solver_ = {};
  leniency_ = 1;
  in_parts_ = false;
  if (try_step(h)) return;
  in_parts_ = true;
  forget();
  saved_ = state_;
  const Clock clock = clock_;
  for (const double leniency : kLeniencies) {
    leniency_ = leniency;
    has_refused_ = false;
    tries_left_ = kMostTries;
    for (const int halvings : kFirstHalvings) {
      if (try_parts(h, halvings)) return;
      state_ = saved_;
      clock_ = clock;
      forget();
    }
    if (!has_refused_) break;
  }
  throw StepFailure(
      clock_.time(), h, report_.correction, solver_.iterations,
      std::isfinite(report_.correction)
          ? "Newton's method does not converge, not even in small parts of the step: take a "
            "smaller step, and look "
            "for a position in which the mechanism is singular"
          : "no finite step: take a smaller one, and look for bodies without mass that nothing holds");
}

}  // namespace torsor
