#pragma once
// The coefficients of the generalized-alpha method by Chung and Hulbert (1993).

namespace torsor {

/// Of order 2, and with the least damping of slow modes for a rho, which is left of stiff modes after a step.
struct AlphaCoefficients {
  explicit AlphaCoefficients(double rho)
      : alpha_m((2 * rho - 1) / (rho + 1)),
        alpha_f(rho / (rho + 1)),
        gamma(0.5 + alpha_f - alpha_m),
        beta(0.25 * (gamma + 0.5) * (gamma + 0.5)) {}

  double alpha_m, alpha_f, gamma, beta;
};

}  // namespace torsor
