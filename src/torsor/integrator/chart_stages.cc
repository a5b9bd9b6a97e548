#include "torsor/integrator/chart_stages.h"

#include <algorithm>

namespace torsor {
namespace {

void add_scaled(double factor, const std::vector<double>& x, std::vector<double>& sum) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * x[i];
}

}  // namespace

ChartStages::ChartStages(const TreeManifold& manifold, TreeDynamics& dynamics, const ExplicitTableau& tableau)
    : manifold_(manifold),
      dynamics_(dynamics),
      tableau_(tableau),
      k_(tableau.stages, ChartVector(manifold.rate_count(), manifold.flow_count())),
      xi_(manifold.rate_count()),
      v_(manifold.rate_count()),
      q_(manifold.coordinate_count()),
      z_(manifold.state_count() > 0 ? manifold.flow_count() : 0) {}

void ChartStages::evaluate_start(double t, const std::vector<double>& q0, const std::vector<double>& v0,
                                 const std::vector<double>& z0) {
  std::copy(v0.begin(), v0.end(), k_[0].xi.begin());
  dynamics_.hold_states({z0});
  dynamics_.evaluate(t, q0, v0, k_[0].v, k_[0].z);
  ++evaluations_;
}

void ChartStages::reuse_start(const std::vector<double>& v0, const ChartVector& known) {
  std::copy(v0.begin(), v0.end(), k_[0].xi.begin());
  std::copy(known.v.begin(), known.v.end(), k_[0].v.begin());
  std::copy(known.z.begin(), known.z.end(), k_[0].z.begin());
}

void ChartStages::evaluate_stage(int i, double t, double h, const std::vector<double>& q0,
                                 const std::vector<double>& v0, const std::vector<double>& z0) {
  if (!z_.empty()) std::copy(z0.begin(), z0.end(), z_.begin());
  std::fill(xi_.begin(), xi_.end(), 0.0);
  std::copy(v0.begin(), v0.end(), v_.begin());
  for (int j = 0; j < i; ++j) {
    const double weight = h * tableau_.a[i][j];
    if (weight == 0) continue;
    add_scaled(weight, k_[j].xi, xi_);
    add_scaled(weight, k_[j].v, v_);
    add_scaled(weight, k_[j].z, z_);
  }
  manifold_.retract(q0, xi_, q_);
  manifold_.chart_rate(xi_, v_, k_[i].xi);
  if (!z_.empty()) dynamics_.hold_states({z_});
  dynamics_.evaluate(t, q_, v_, k_[i].v, k_[i].z);
  ++evaluations_;
}

void ChartStages::combine(double h, const std::array<double, kMaxStages>& weights, ChartVector& sum) const {
  std::fill(sum.xi.begin(), sum.xi.end(), 0.0);
  std::fill(sum.v.begin(), sum.v.end(), 0.0);
  std::fill(sum.z.begin(), sum.z.end(), 0.0);
  for (int i = 0; i < tableau_.stages; ++i) {
    if (weights[i] == 0) continue;
    add_scaled(h * weights[i], k_[i].xi, sum.xi);
    add_scaled(h * weights[i], k_[i].v, sum.v);
    add_scaled(h * weights[i], k_[i].z, sum.z);
  }
}

}  // namespace torsor
