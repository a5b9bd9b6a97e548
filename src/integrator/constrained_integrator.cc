#include "integrator/constrained_integrator.h"

#include <utility>

namespace torsor {
namespace {

constexpr std::size_t kMostSingularTimes = 1000;

}  // namespace

ConstrainedIntegrator::ConstrainedIntegrator(ConstrainedSystem& system, ConstrainedState initial)
    : system_(system), state_(std::move(initial)), clock_(state_.time) {
  state_.z.resize(system.flow_count());
  singular_times_.reserve(kMostSingularTimes);
}

void ConstrainedIntegrator::book_singular(double time) {
  if (singular_times_.size() < kMostSingularTimes) singular_times_.push_back(time);
}

}  // namespace torsor
