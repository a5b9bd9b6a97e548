#include "torsor/integrator/chart_stages.h"

#include <algorithm>

namespace torsor {

/// Block by block over all stages at once: the sum stays in a register.
template <class S>
void ChartVectorOf<S>::set_sum(double h, const std::array<double, kMaxStages>& weights, int count,
                               const std::vector<ChartVectorOf>& k) {
  using Block = NumberBlock<S>;
  double factors[kMaxStages];
  const S* terms[kMaxStages];
  int used = 0;
  for (int i = 0; i < count; ++i) {
    if (weights[i] == 0) continue;
    factors[used] = h * weights[i];
    terms[used++] = k[i].all_.data();
  }
  for (std::size_t first = 0; first < all_.size(); first += Block::kSize) {
    typename Block::Numbers sum(0.0);
    for (int i = 0; i < used; ++i) sum += factors[i] * Block::load(terms[i] + first);
    Block::store(sum, all_.data() + first);
  }
}

template <class S>
ChartStagesOf<S>::ChartStagesOf(const TreeChartOf<S>& chart, TreeAccelerationsOf<S>& dynamics,
                                const ExplicitTableau& tableau)
    : chart_(chart),
      dynamics_(dynamics),
      tableau_(tableau),
      k_(tableau.stages, ChartVectorOf<S>(chart.rate_count(), chart.flow_count())),
      has_states_(chart.state_count() > 0),
      at_(chart.rate_count(), has_states_ ? chart.flow_count() : 0),
      q_(chart.coordinate_count()) {}

template <class S>
void ChartStagesOf<S>::evaluate_start(double t, const Vector& q0, const Vector& v0, const Vector& z0) {
  ChartVectorOf<S>& k = k_[0];
  std::copy(v0.begin(), v0.end(), k.xi().begin());
  if (has_states_) dynamics_.hold_states({z0});
  dynamics_.evaluate(t, q0, v0, k.v(), k.z());
  ++evaluations_;
}

template <class S>
void ChartStagesOf<S>::reuse_start(const Vector& v0, const ChartVectorOf<S>& known) {
  std::copy(known.all().begin(), known.all().end(), k_[0].all().begin());
  std::copy(v0.begin(), v0.end(), k_[0].xi().begin());
}

template <class S>
void ChartStagesOf<S>::evaluate_stage(int i, double t, double h, const Vector& q0, const Vector& v0,
                                      const Vector& z0) {
  at_.set_sum(h, tableau_.a[i], i, k_);
  at_.add_to_rates(v0);
  if (has_states_) at_.add_to_flows(z0);
  ChartVectorOf<S>& k = k_[i];
  chart_.retract(q0, at_.xi(), q_);
  chart_.chart_rate(at_.xi(), at_.v(), k.xi());
  if (has_states_) dynamics_.hold_states({at_.z()});
  dynamics_.evaluate(t, q_, at_.v(), k.v(), k.z());
  ++evaluations_;
}

template <class S>
void ChartStagesOf<S>::combine(double h, const std::array<double, kMaxStages>& weights,
                               ChartVectorOf<S>& sum) const {
  sum.set_sum(h, weights, tableau_.stages, k_);
}

template class ChartStagesOf<double>;
template class ChartStagesOf<Pack<4>>;
template class ChartStagesOf<Pack<8>>;

}  // namespace torsor
