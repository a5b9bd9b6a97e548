#include "torsor/tree/time_derivatives.hpp"
#include "torsor/base/error.h"

#include "torsor/tree/inverse_dynamics.hpp"

namespace torsor {

template void configuration_series<3>(const Tree&, std::span<const double>, std::span<const Taylor<3>>,
                                      std::span<Taylor<3>>);
template void configuration_series<8>(const Tree&, std::span<const double>, std::span<const Taylor<8>>,
                                      std::span<Taylor<8>>);

InverseDynamicsRatesWorkspace::InverseDynamicsRatesWorkspace(const Tree& tree)
    : dynamics(tree),
      q(tree.coordinate_count),
      qd(tree.rate_count),
      qdd(tree.rate_count),
      effort(tree.rate_count) {}

void inverse_dynamics_rates(const Tree& tree, InverseDynamicsRatesWorkspace& workspace,
                            std::span<const double> q, std::span<const double> qd,
                            std::span<const double> qdd, std::span<const double> qddd,
                            std::span<const double> qdddd, std::span<double> Q, std::span<double> Q_rate,
                            std::span<double> Q_acceleration) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("qdd", qdd.size(), tree.rate_count);
  require_size("qddd", qddd.size(), tree.rate_count);
  require_size("qdddd", qdddd.size(), tree.rate_count);
  require_size("Q", Q.size(), tree.rate_count);
  require_size("Q_rate", Q_rate.size(), tree.rate_count);
  require_size("Q_acceleration", Q_acceleration.size(), tree.rate_count);
  using T = Taylor<3>;
  for (int k = 0; k < tree.rate_count; ++k) {
    workspace.qd[k] = T(T::Lanes{qd[k], qdd[k], 0.5 * qddd[k]});
    workspace.qdd[k] = T(T::Lanes{qdd[k], qddd[k], 0.5 * qdddd[k]});
  }
  configuration_series<3>(tree, q, workspace.qd, workspace.q);
  inverse_dynamics<T>(tree, workspace.dynamics, workspace.q, workspace.qd, workspace.qdd, {},
                      workspace.effort);
  for (int k = 0; k < tree.rate_count; ++k) {
    Q[k] = workspace.effort[k][0];
    Q_rate[k] = workspace.effort[k][1];
    Q_acceleration[k] = 2.0 * workspace.effort[k][2];
  }
}

}  // namespace torsor
