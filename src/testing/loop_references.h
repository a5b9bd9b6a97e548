#pragma once
// Closed loops with one degree of freedom, solved by hand in extended precision: nothing here knows the
// engine.

#include <functional>

namespace torsor::testing {

/// A loop reduced to the angle a of its crank:
///   M(a) a'' + M'(a)/2 a'^2 + V'(a) = effort
struct ReducedLoop {
  using Real = long double;
  struct Terms {
    Real inertia, half_inertia_slope, potential, potential_slope;  ///< M, M'/2, V, V'
  };
  std::function<Terms(Real angle)> terms;
  Real effort = 0;
};

/// Angle and rate of the crank.
struct CrankState {
  double angle = 0, rate = 0;
};

/// The state after `time`, by an extrapolation method of order 16 in so many equal steps.
CrankState advance(const ReducedLoop& loop, const CrankState& start, double time, int basic_steps);
double energy(const ReducedLoop& loop, const CrankState& state);

// The loops of the gallery; the angle is the coordinate of the joint named.

/// models/four_bar.yaml, `drive`.
ReducedLoop four_bar_loop();
/// models/slider_crank.yaml, `drive`.
ReducedLoop slider_crank_loop();
/// models/double_four_bar.yaml (n = 2), models/n_four_bar_40.yaml (n = 40), `foot0`: n four-bars of uniform
/// rods of 1 m and 1 kg in a row, whose posts turn alike.
ReducedLoop n_four_bar_loop(int n);
/// models/andrews.yaml, `beta`.
ReducedLoop andrews_loop();

/// beta(0.03) of Andrews' mechanism as published with the test set for IVP solvers; good to about 1e-9.
inline constexpr double kAndrewsBeta = 15.81077119629904;

}  // namespace torsor::testing
