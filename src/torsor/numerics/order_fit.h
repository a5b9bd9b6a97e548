#pragma once
// Slopes of measured curves: a straight line by least squares, and the order of a method from errors over
// step sizes.

#include <optional>
#include <span>

namespace torsor {

struct LineFit {
  double slope = 0, intercept = 0;
  double deviation = 0;  ///< largest, of a point from the line
};

/// y = intercept + slope x; with fewer than two different x the slope is 0.
LineFit fit_line(std::span<const double> x, std::span<const double> y);

/// error = coefficient * step^order on the straight part of a logarithmic plot.
struct OrderFit {
  std::optional<double> order;  ///< none where errors lie on no falling line, or all at the floor
  double coefficient = 0;
  int points = 0;         ///< that the line was put through
  bool at_floor = false;  ///< every error is round-off
  double error_at(double step) const;
};

/// Errors below their floor are round-off and dropped; so are those that are not positive numbers. Of the
/// rest, if there are more than two, the longest run of neighbouring steps that lies on a line is taken:
/// coarse steps that do not yet converge and fine ones that no longer do fall outside. `steps` may come in
/// any order.
OrderFit fit_order(std::span<const double> steps, std::span<const double> errors,
                   std::span<const double> floors);

}  // namespace torsor
