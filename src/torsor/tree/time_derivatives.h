#pragma once
// Time derivatives of the inverse dynamics along a motion, for the control of elastic actuators (Müller 6.3):
// the recursion itself, evaluated on power series in time. Linear in the number of joints.

#include <span>
#include <vector>

#include "torsor/base/taylor.h"
#include "torsor/tree/inverse_dynamics.h"

namespace torsor {

/// The configuration as a series along a motion that starts at q with the rates qd(t): coordinates of single
/// axes are integrated, quaternions and positions follow r' = r omega / 2, p' = R v coefficient by
/// coefficient. q_series has tree.coordinate_count entries.
template <int N>
void configuration_series(const Tree& tree, std::span<const double> q, std::span<const Taylor<N>> qd,
                          std::span<Taylor<N>> q_series);

struct InverseDynamicsRatesWorkspace {
  explicit InverseDynamicsRatesWorkspace(const Tree& tree);

  InverseDynamicsWorkspace<Taylor<3>> dynamics;
  std::vector<Taylor<3>> q, qd, qdd, effort;
};

/// The efforts Q = M(q) qdd + C(q, qd) qd + gravity forces, their first and their second time derivative,
/// from the rates and three of their derivatives.
void inverse_dynamics_rates(const Tree& tree, InverseDynamicsRatesWorkspace& workspace,
                            std::span<const double> q, std::span<const double> qd,
                            std::span<const double> qdd, std::span<const double> qddd,
                            std::span<const double> qdddd, std::span<double> Q, std::span<double> Q_rate,
                            std::span<double> Q_acceleration);

}  // namespace torsor
