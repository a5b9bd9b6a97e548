#include "torsor/integrator/chart_stages.h"

#include <algorithm>

namespace torsor {
namespace {

template <class S>
void add_scaled(double factor, const std::vector<S>& x, std::vector<S>& sum) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * x[i];
}

}  // namespace

template <class S>
ChartStagesOf<S>::ChartStagesOf(const TreeChartOf<S>& chart, TreeAccelerationsOf<S>& dynamics,
                                const ExplicitTableau& tableau)
    : chart_(chart),
      dynamics_(dynamics),
      tableau_(tableau),
      k_(tableau.stages, ChartVectorOf<S>(chart.rate_count(), chart.flow_count())),
      xi_(chart.rate_count()),
      v_(chart.rate_count()),
      q_(chart.coordinate_count()),
      z_(chart.state_count() > 0 ? chart.flow_count() : 0) {}

template <class S>
void ChartStagesOf<S>::evaluate_start(double t, const Vector& q0, const Vector& v0, const Vector& z0) {
  std::copy(v0.begin(), v0.end(), k_[0].xi.begin());
  dynamics_.hold_states({z0});
  dynamics_.evaluate(t, q0, v0, k_[0].v, k_[0].z);
  ++evaluations_;
}

template <class S>
void ChartStagesOf<S>::reuse_start(const Vector& v0, const ChartVectorOf<S>& known) {
  std::copy(v0.begin(), v0.end(), k_[0].xi.begin());
  std::copy(known.v.begin(), known.v.end(), k_[0].v.begin());
  std::copy(known.z.begin(), known.z.end(), k_[0].z.begin());
}

template <class S>
void ChartStagesOf<S>::evaluate_stage(int i, double t, double h, const Vector& q0, const Vector& v0,
                                      const Vector& z0) {
  if (!z_.empty()) std::copy(z0.begin(), z0.end(), z_.begin());
  std::fill(xi_.begin(), xi_.end(), S(0.0));
  std::copy(v0.begin(), v0.end(), v_.begin());
  for (int j = 0; j < i; ++j) {
    const double weight = h * tableau_.a[i][j];
    if (weight == 0) continue;
    add_scaled(weight, k_[j].xi, xi_);
    add_scaled(weight, k_[j].v, v_);
    add_scaled(weight, k_[j].z, z_);
  }
  chart_.retract(q0, xi_, q_);
  chart_.chart_rate(xi_, v_, k_[i].xi);
  if (!z_.empty()) dynamics_.hold_states({z_});
  dynamics_.evaluate(t, q_, v_, k_[i].v, k_[i].z);
  ++evaluations_;
}

template <class S>
void ChartStagesOf<S>::combine(double h, const std::array<double, kMaxStages>& weights,
                               ChartVectorOf<S>& sum) const {
  std::fill(sum.xi.begin(), sum.xi.end(), S(0.0));
  std::fill(sum.v.begin(), sum.v.end(), S(0.0));
  std::fill(sum.z.begin(), sum.z.end(), S(0.0));
  for (int i = 0; i < tableau_.stages; ++i) {
    if (weights[i] == 0) continue;
    add_scaled(h * weights[i], k_[i].xi, sum.xi);
    add_scaled(h * weights[i], k_[i].v, sum.v);
    add_scaled(h * weights[i], k_[i].z, sum.z);
  }
}

template class ChartStagesOf<double>;
template class ChartStagesOf<Pack<4>>;
template class ChartStagesOf<Pack<8>>;

}  // namespace torsor
