#include "torsor/integrator/parted_integrator.h"

#include <cmath>

#include "torsor/base/error.h"

namespace torsor {
namespace {

constexpr int kMostParts = 64;

}  // namespace

bool PartedIntegrator::try_parts(double h, int parts) {
  for (int part = 0; part < parts; ++part) {
    if (!try_step(h / parts)) return false;
  }
  return true;
}

void PartedIntegrator::step(double h) {
  solver_ = {};
  if (try_step(h)) return;
  forget();
  saved_ = state_;
  const Clock clock = clock_;
  for (int parts = 2; parts <= kMostParts; parts *= 2) {
    if (try_parts(h, parts)) return;
    state_ = saved_;
    clock_ = clock;
    forget();
  }
  throw StepFailure(
      clock_.time(), h, report_.correction, solver_.iterations,
      std::isfinite(report_.correction)
          ? "Newton's method does not converge, not even in 64 parts of the step: take a "
            "smaller step, and look "
            "for a position in which the mechanism is singular"
          : "no finite step: take a smaller one, and look for bodies without mass that nothing holds");
}

}  // namespace torsor
