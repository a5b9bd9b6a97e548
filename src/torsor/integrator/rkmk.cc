#include "torsor/integrator/rkmk.h"

#include <cassert>
#include <utility>

#include "torsor/base/error.h"

namespace torsor {
namespace {

constexpr ExplicitTableau without_last_stage(ExplicitTableau tableau) {
  --tableau.stages;
  return tableau;
}

/// Of orders 2, 3, 4, 5.
const ExplicitTableau kTableaus[] = {
    {2, {{{}, {1.0 / 2}}}, {0, 1}, {0, 1.0 / 2}},
    {3, {{{}, {1.0 / 2}, {-1, 2}}}, {1.0 / 6, 2.0 / 3, 1.0 / 6}, {0, 1.0 / 2, 1}},
    {4,
     {{{}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}}},
     {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
     {0, 1.0 / 2, 1.0 / 2, 1}},
    without_last_stage(kDormandPrince)};

}  // namespace

const ExplicitTableau& explicit_tableau(int order) {
  assert(order >= 2 && order <= 5);
  return kTableaus[order - 2];
}

template <class S>
RkmkScheme<S>::RkmkScheme(const TreeChartOf<S>& chart, TreeAccelerationsOf<S>& dynamics,
                          const ExplicitTableau& tableau)
    : chart_(chart),
      tableau_(tableau),
      stages_(chart, dynamics, tableau),
      increment_(chart.rate_count(), chart.flow_count()),
      q_(chart.coordinate_count()) {}

template <class S>
MaskOf<S> RkmkScheme<S>::advance(const Interval& times, double h, std::vector<S>& q, std::vector<S>& v,
                                 std::vector<S>& z, const MaskOf<S>& asked) {
  stages_.evaluate_start(times.begin, q, v, z);
  for (int i = 1; i < tableau_.stages; ++i) stages_.evaluate_stage(i, times.at(tableau_.c[i]), h, q, v, z);
  stages_.combine(h, tableau_.b, increment_);
  chart_.retract(q, increment_.xi(), q_);
  increment_.add_to_rates(v);
  increment_.add_to_flows(z);
  const MaskOf<S> found = asked & all_finite<S>(q_) & all_finite<S>(std::as_const(increment_).all());
  if (!any(found)) return found;
  const auto move = [&](std::span<const S> there, std::vector<S>& here) {
    for (std::size_t i = 0; i < here.size(); ++i) here[i] = select(found, there[i], here[i]);
  };
  move(q_, q);
  move(increment_.v(), v);
  move(increment_.z(), z);
  return found;
}

template class RkmkScheme<double>;
template class RkmkScheme<Pack<4>>;
template class RkmkScheme<Pack<8>>;

Rkmk::Rkmk(TreeSystem& system, TreeState initial, int order)
    : TreeIntegrator(system, std::move(initial)),
      scheme_(system, system, explicit_tableau(order)),
      clock_(state_.time) {}

void Rkmk::step(double h) {
  const Interval times = inside(clock_.time(), clock_.after(h));
  const bool found = scheme_.advance(times, h, state_.q, state_.v, state_.z);
  evaluations_ += scheme_.tableau().stages;
  if (!found) {
    throw StepFailure(clock_.time(), h, 0, 0,
                      "the state is no longer finite: take a smaller step, or dopri5, which chooses its own");
  }
  clock_.advance(h);
  state_.time = clock_.time();
}

}  // namespace torsor
