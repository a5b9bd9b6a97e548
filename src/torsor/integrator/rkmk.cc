#include "torsor/integrator/rkmk.h"

#include <cassert>
#include <utility>

#include "torsor/base/error.h"

namespace torsor {
namespace {

/// Of orders 2, 3, 4.
const ExplicitTableau kTableaus[] = {
    {2, {{{}, {1.0 / 2}}}, {0, 1}, {0, 1.0 / 2}},
    {3, {{{}, {1.0 / 2}, {-1, 2}}}, {1.0 / 6, 2.0 / 3, 1.0 / 6}, {0, 1.0 / 2, 1}},
    {4,
     {{{}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}}},
     {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
     {0, 1.0 / 2, 1.0 / 2, 1}}};

const ExplicitTableau& tableau_of(int order) {
  assert(order >= 2 && order <= 4);
  return kTableaus[order - 2];
}

}  // namespace

Rkmk::Rkmk(TreeSystem& system, TreeState initial, int order)
    : TreeIntegrator(system, std::move(initial)),
      tableau_(tableau_of(order)),
      stages_(system, system, tableau_),
      increment_(system.rate_count(), system.flow_count()),
      q_(state_.q),
      v_(state_.v),
      clock_(state_.time) {}

void Rkmk::step(double h) {
  const Interval times = inside(clock_.time(), clock_.after(h));
  stages_.evaluate_start(times.begin, state_.q, state_.v, state_.z);
  for (int i = 1; i < tableau_.stages; ++i) {
    stages_.evaluate_stage(i, times.at(tableau_.c[i]), h, state_.q, state_.v, state_.z);
  }
  evaluations_ = stages_.evaluations();
  stages_.combine(h, tableau_.b, increment_);
  manifold_.retract(state_.q, increment_.xi, q_);
  for (std::size_t i = 0; i < v_.size(); ++i) v_[i] = state_.v[i] + increment_.v[i];
  if (!all_finite(q_) || !all_finite(v_) || !all_finite(increment_.z)) {
    throw StepFailure(clock_.time(), h, 0, 0,
                      "the state is no longer finite: take a smaller step, or dopri5, which chooses its own");
  }
  state_.q.swap(q_);
  state_.v.swap(v_);
  for (std::size_t i = 0; i < state_.z.size(); ++i) state_.z[i] += increment_.z[i];
  clock_.advance(h);
  state_.time = clock_.time();
}

}  // namespace torsor
