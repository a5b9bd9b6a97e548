#pragma once

namespace torsor {

/// x with Phi(x) = p of the standard normal distribution, 0 < p < 1, to a few units of the last place: a rational start and
/// Halley's method on erfc.
double normal_quantile(double p);

}  // namespace torsor
