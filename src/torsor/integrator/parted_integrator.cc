#include "torsor/integrator/parted_integrator.h"

#include <cmath>

#include "torsor/base/error.h"

namespace torsor {
namespace {

/// Of a step: the shortest part is a 16384th.
constexpr int kMostHalvings = 14;
/// With which a step begins anew that was not found from fewer: a longer part may have led where nothing leads on.
constexpr int kFirstHalvings[] = {1, 4, 7};
/// In all, so that a step that cannot be found ends.
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
  has_refused_ = is_last_resort_ = false;
  if (try_step(h)) return;
  forget();
  saved_ = state_;
  const Clock clock = clock_;
  do {
    tries_left_ = kMostTries;
    for (const int halvings : kFirstHalvings) {
      if (try_parts(h, halvings)) return;
      state_ = saved_;
      clock_ = clock;
      forget();
    }
    is_last_resort_ = !is_last_resort_ && has_refused_;
  } while (is_last_resort_);
  throw StepFailure(
      clock_.time(), h, report_.correction, solver_.iterations,
      std::isfinite(report_.correction)
          ? "Newton's method does not converge, not even in small parts of the step: take a "
            "smaller step, and look "
            "for a position in which the mechanism is singular"
          : "no finite step: take a smaller one, and look for bodies without mass that nothing holds");
}

}  // namespace torsor
