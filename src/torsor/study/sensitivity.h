#pragma once
// Which inputs a number depends on.

#include <span>
#include <vector>

namespace torsor {

/// Sobol's index of the first order: the share of the variance of y that x alone explains, Var(E[y | x]) / Var(y). Of any
/// samples: y is averaged in classes of x (its levels, or equally many samples each), and the share that classes of pure noise
/// would explain is taken off. Not below 0; 0 where y does not vary. Its standard error is some sqrt(2 classes) / samples.
double first_order_index(std::span<const double> x, std::span<const double> y);

}  // namespace torsor
